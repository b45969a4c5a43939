#include "adapter/follow/prefix_check.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "adapter/elle/verdict_view.h"
#include "adapter/follow/certainty.h"
#include "engine/rows/rows.h"
#include "engine/workloads/table.h"
#include "parsers/formats.h"
#include "parsers/jepsen/workload_inference.h"

namespace elapid {

namespace {

Validity validity_of(const Verdict& verdict, Model model) {
  for (const Standing& standing : verdict.ladder) {
    if (standing.model == model) {
      return standing.validity;
    }
  }
  if (verdict.not_models.test(model) || verdict.also_not_models.test(model)) {
    return Validity::kInvalid;
  }
  return verdict.validity == Validity::kValid ? Validity::kValid : Validity::kUnknown;
}

/// Whether a violation of a judged workload is one of the whole history. An order of all operations
/// that keeps to real time also orders the prefix: operations open in the prefix may have happened
/// or not. Requires that operations are invoked, and do what they were invoked to do (certainty.h).
bool judgement_lasts(const History& history, const Verdict& verdict, const PrefixFacts& facts) {
  if (facts.changes_operations) {
    return false;
  }
  if (verdict.checked.none()) {
    const auto lasts = row_of(history.workload()).claim_lasts;
    return lasts != nullptr && lasts(history);
  }
  return !verdict.checked.test(Model::kSequential) && !facts.lacks_invocations;
}

/// Whether the operations of the prefix tell the workload, whatever comes after them.
bool tells_workload(const OpenPrefix& open, const ReadOptions& reading, const FormatName& format) {
  if (reading.workload || format.format->tells_workload == nullptr) {
    return true;
  }
  Sources sources(open());
  const Result<ToldWorkload> told = told_workload(sources, format, reading);
  return told && told.value().is_certain;
}

/// Whether an operation that is nothing but a read has completed.
bool has_read(const History& history) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    if (history.committed(txn) && ops.size() == 1 && ops.front().is_read()) {
      return true;
    }
  }
  return false;
}

/// Whether it is a guess that values are split by key, or not: only the first read tells, and
/// before it a :cas may.
bool are_keys_guessed(const ReadOptions& reading, const std::vector<LoadedHistory>& loaded) {
  return !reading.independent && loaded.front().history().workload() == Workload::kCasRegister &&
         std::ranges::none_of(loaded,
                              [](const LoadedHistory& one) { return has_read(one.history()); });
}

/// `is_told`: whether the prefix tells the workload.
void set_standings(const History& history, const Verdict& verdict, bool is_whole, bool is_told,
                   PrefixReport& report) {
  const PrefixFacts facts = facts_of(history);
  const bool is_judged =
      verdict.anomalies.empty() && (!verdict.findings.empty() || !verdict.entries.empty());
  report.trusts_claim = is_told && judgement_lasts(history, verdict, facts);
  const bool lasts = is_judged && report.trusts_claim;
  const auto settled = [&](Model model) {
    return is_whole || (is_judged ? lasts : is_told && is_certain(model, facts));
  };
  // Of a mix, the prefix says nothing of the whole history, and a valid one nothing of a level.
  const bool of_each = is_mix(verdict);
  for (const Model model : of_each && !is_whole ? ModelSet() : verdict.checked) {
    const Validity validity = validity_of(verdict, model);
    report.trusted.set(model, keeps_trust(model, facts));
    report.valid.set(model, validity == Validity::kValid && !of_each);
    report.violated.set(model, validity == Validity::kInvalid && settled(model));
    report.provisional.set(model, validity == Validity::kInvalid && !settled(model));
  }
  for (ModelSet* ruled_out : {&report.not_models, &report.also_not_models}) {
    for (const Model model : ModelSet(*ruled_out)) {
      ruled_out->set(model, settled(model));
    }
  }
  const bool is_invalid = verdict.validity == Validity::kInvalid;
  const bool is_settled = is_whole || lasts || report.violated.any();
  report.doubts_claim = is_invalid && verdict.checked.none() && is_judged && !is_settled;
  report.validity = is_invalid && !is_settled ? Validity::kUnknown : verdict.validity;
}

bool has_open_operations(const History& history) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (!history.has_completion(txn)) {
      return true;
    }
  }
  return false;
}

/// The worse verdict: invalid, then unknown, then valid.
Validity worse(Validity one, Validity other) {
  const bool is_invalid = one == Validity::kInvalid || other == Validity::kInvalid;
  return is_invalid ? Validity::kInvalid : one == Validity::kValid ? other : one;
}

void add_once(std::string_view name, std::vector<std::string>& names) {
  if (std::ranges::find(names, name) == names.end()) {
    names.emplace_back(name);
  }
}

PrefixReport report_on(const History& history, const Verdict& verdict, PrefixSize size,
                       bool is_whole, bool is_told) {
  const bool is_invalid = verdict.validity == Validity::kInvalid;
  const bool is_settled =
      verdict.validity == Validity::kValid && (is_whole || !has_open_operations(history));
  PrefixReport report = {.size = size,
                         .transactions = history.txn_count(),
                         .operations = history.op_count(),
                         .demanded = verdict.checked,
                         .histories = 1,
                         .invalid = is_invalid ? 1U : 0U,
                         .settled = is_settled ? 1U : 0U,
                         .unknown_because = verdict.unknown_because,
                         .not_models = verdict.not_models,
                         .also_not_models = verdict.also_not_models};
  for (const Anomaly& anomaly : verdict.anomalies) {
    add_once(name(anomaly.type), report.anomalies);
  }
  for (const Description& finding : verdict.findings) {
    add_once(finding.name, report.anomalies);
  }
  set_standings(history, verdict, is_whole, is_told, report);
  return report;
}

/// Adds a key's report: a level holds if it holds at each key, and is violated if it is at any.
void merge(PrefixReport& all, PrefixReport one) {
  all.transactions += one.transactions;
  all.operations += one.operations;
  all.histories += one.histories;
  all.invalid += one.invalid;
  all.settled += one.settled;
  all.demanded |= one.demanded;
  all.violated |= one.violated;
  all.provisional = (all.provisional | one.provisional) & ~all.violated;
  all.valid &= one.valid;
  all.trusted &= one.trusted;
  all.trusts_claim &= one.trusts_claim;
  all.doubts_claim |= one.doubts_claim;
  all.validity = worse(all.validity, one.validity);
  if (!all.unknown_because) {
    all.unknown_because = std::move(one.unknown_because);
  }
  for (const std::string& name : one.anomalies) {
    add_once(name, all.anomalies);
  }
  all.not_models |= one.not_models;
  all.also_not_models |= one.also_not_models;
}

/// The formats that can be followed, as `edn, jsonl`.
std::string followed_formats() {
  std::string names;
  for (const Format* format : formats()) {
    if (format->grows_by_lines) {
      names += (names.empty() ? "" : ", ") + std::string(format->name);
    }
  }
  return names;
}

Verdict nothing_written(const CheckOptions& options) {
  Verdict verdict;
  verdict.validity = Validity::kUnknown;
  verdict.checked = options.models;
  verdict.unknown_because = "nothing is written yet";
  return verdict;
}

/// Whether the workload is known and the history is not empty.
bool can_be_checked(const History& history) {
  const auto& rows = history.info().rows;
  if (const WorkloadRow& row = row_of(history.workload()); row.judge != nullptr || !row.infer) {
    return row.is_checked() && history.txn_count() > 0;
  }
  return std::ranges::any_of(history.all_ops(), [&](Op op) {
    return op.is_write() || (op.kind() == OpKind::kRow && !rows->op(op).is_read());
  });
}

Result<Verdict> verdict_on(const LoadedHistory& loaded, const FollowOptions& options, bool is_whole,
                           const std::function<bool()>& goes_on) {
  const History& history = loaded.history();
  CheckOptions checking = options.check;
  set_demands(
      {.read = options.read, .check = options.check, .demands_default = options.demands_default},
      loaded, checking);
  checking.each_model = checking.models.count() > 1;
  checking.progress = [&](std::string_view) { return goes_on(); };
  checking.has_budget = [&, has_budget = options.budget ? options.budget() : nullptr] {
    return goes_on() && (!has_budget || has_budget());
  };
  return is_whole || can_be_checked(history) ? options.checker(loaded, checking)
                                             : Result<Verdict>(nothing_written(checking));
}

}  // namespace

bool may_mend(const OpenPrefix& open, const ReadOptions& reading) {
  ReadOptions events = reading;
  events.workload = Workload::kOther;
  const Result<LoadedHistory> read = read_history(open(), events);
  return read && read.value().format().format->grows_by_lines &&
         !tells_workload(open, reading, read.value().format());
}

Result<PrefixVerdict> check_prefix(const OpenPrefix& open, PrefixSize size,
                                   const FollowOptions& options, bool is_whole,
                                   const std::function<bool()>& goes_on) {
  ReadOptions reading = options.read;
  reading.progress = [&](std::uint64_t, std::uint64_t) { return goes_on(); };
  ELAPID_ASSIGN_OR_RETURN(std::vector<LoadedHistory> loaded, read_histories(open(), reading));
  const FormatName& format = loaded.front().format();
  if (!format.format->grows_by_lines) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "a history in the format " + text(format) +
                            " cannot be followed, only one that is written line by line: " +
                            followed_formats(),
                 .file = options.path};
  }
  std::optional<PrefixVerdict> shown;
  std::optional<PrefixReport> all;
  std::optional<bool> is_told;
  if (!is_whole && are_keys_guessed(reading, loaded)) {
    is_told = false;
  }
  reading.independent = reading.independent || !loaded.front().key().empty();
  for (LoadedHistory& one : loaded) {
    Result<Verdict> verdict = verdict_on(one, options, is_whole, goes_on);
    if (!verdict) {
      return completed(std::move(verdict.error()), options.path, one);
    }
    if (verdict.value().validity == Validity::kInvalid && !is_whole && !is_told) {
      is_told = tells_workload(open, reading, format);
    }
    PrefixReport report =
        report_on(one.history(), verdict.value(), size, is_whole, is_told.value_or(true));
    const bool is_first_invalid = report.invalid > 0 && all && all->invalid == 0;
    all ? merge(*all, std::move(report)) : void(all = std::move(report));
    if (!shown || is_first_invalid) {
      shown.emplace(PrefixVerdict{std::move(one), std::move(verdict).value(), {}});
    }
  }
  shown->report = *std::move(all);
  return *std::move(shown);
}

}  // namespace elapid
