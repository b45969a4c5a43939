#include "adapter/follow/prefix_check.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "adapter/follow/certainty.h"
#include "engine/rows/rows.h"
#include "parsers/formats.h"

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

void set_standings(const History& history, const Verdict& verdict, bool is_whole,
                   PrefixReport& report) {
  const PrefixFacts facts = facts_of(history);
  for (const Model model : verdict.checked) {
    const Validity validity = validity_of(verdict, model);
    const bool is_settled = is_whole || is_certain(model, facts);
    report.valid.set(model, validity == Validity::kValid);
    report.violated.set(model, validity == Validity::kInvalid && is_settled);
    report.provisional.set(model, validity == Validity::kInvalid && !is_settled);
  }
  for (ModelSet* ruled_out : {&report.not_models, &report.also_not_models}) {
    for (const Model model : ModelSet(*ruled_out)) {
      ruled_out->set(model, is_whole || is_certain(model, facts));
    }
  }
  const bool is_settled = is_whole || report.violated.any();
  report.validity =
      verdict.validity == Validity::kInvalid && !is_settled ? Validity::kUnknown : verdict.validity;
}

PrefixReport report_on(const History& history, const Verdict& verdict, PrefixSize size,
                       bool is_whole) {
  PrefixReport report = {.size = size,
                         .transactions = history.txn_count(),
                         .operations = history.op_count(),
                         .demanded = verdict.checked,
                         .unknown_because = verdict.unknown_because,
                         .not_models = verdict.not_models,
                         .also_not_models = verdict.also_not_models};
  for (const Anomaly& anomaly : verdict.anomalies) {
    if (report.anomalies.empty() || report.anomalies.back() != anomaly.type) {
      report.anomalies.push_back(anomaly.type);
    }
  }
  set_standings(history, verdict, is_whole, report);
  return report;
}

/// As `edn, jsonl`.
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

bool has_writes(const History& history) {
  const auto& rows = history.info().rows;
  return std::ranges::any_of(history.all_ops(), [&](Op op) {
    return op.is_write() || (op.kind() == OpKind::kRow && !rows->op(op).is_read());
  });
}

}  // namespace

Result<PrefixVerdict> check_prefix(std::unique_ptr<ByteSource> source, PrefixSize size,
                                   const FollowOptions& options, bool is_whole,
                                   const std::function<bool()>& goes_on) {
  ReadOptions reading = options.read;
  reading.progress = [&](std::uint64_t, std::uint64_t) { return goes_on(); };
  Result<LoadedHistory> loaded = read_history(std::move(source), reading);
  if (!loaded) {
    return std::move(loaded.error());
  }
  if (!loaded.value().format().format->grows_by_lines) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "a history in the format " + text(loaded.value().format()) +
                            " cannot be followed, only one that is written line by line: " +
                            followed_formats(),
                 .file = options.path};
  }
  const History& history = loaded.value().history();
  CheckOptions checking = options.check;
  checking.each_model = checking.models.count() > 1;
  checking.progress = [&](std::string_view) { return goes_on(); };
  checking.has_budget = [&, has_budget = options.budget ? options.budget() : nullptr] {
    return goes_on() && (!has_budget || has_budget());
  };
  Result<Verdict> verdict = is_whole || has_writes(history)
                                ? options.checker(loaded.value(), checking)
                                : Result<Verdict>(nothing_written(checking));
  if (!verdict) {
    verdict.error().file = options.path;
    return std::move(verdict.error());
  }
  PrefixReport report = report_on(history, verdict.value(), size, is_whole);
  return PrefixVerdict{.loaded = std::move(loaded).value(),
                       .verdict = std::move(verdict).value(),
                       .report = std::move(report)};
}

}  // namespace elapid
