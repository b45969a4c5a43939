#include "adapter/cli/reports/report_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <new>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "adapter/report/order/order_page.h"
#include "adapter/report/report.h"
#include "adapter/report/result_folder.h"
#include "adapter/report/sha256.h"
#include "engine/ir/memory_account.h"
#include "harness/minimize/draft.h"
#include "parsers/door/availability.h"
#include "parsers/door/limits.h"

namespace elapid {
namespace {

/// Hashing a larger file would take noticeable time.
constexpr std::uintmax_t kMostHashedBytes = std::uintmax_t{64} << 20;

/// The hash of a regular file that is not too large; nothing for others.
std::optional<std::string> hash_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) ||
      std::filesystem::file_size(path, error) > kMostHashedBytes) {
    return std::nullopt;
  }
  std::ifstream in(path, std::ios::binary);
  Sha256 hash;
  std::array<char, 65536> buffer = {};
  while (in.read(buffer.data(), buffer.size()) || in.gcount() > 0) {
    hash.add({buffer.data(), static_cast<std::size_t>(in.gcount())});
  }
  return in.bad() ? std::nullopt : std::optional(in_hex(hash.finish()));
}

/// Whether the verdict has a certificate. With rows, a failed search has no proof in steps.
bool has_certificate(Workload workload, const Verdict& verdict) {
  const auto is_unproven = [](const LevelAnswer& level) { return level.failure.has_value(); };
  return workload.has_levels() && validity_of_claims(verdict) != Validity::kUnknown &&
         (workload != Workload::kRows || std::ranges::none_of(verdict.levels, is_unproven));
}

std::vector<ReportFact> commands(const CheckRequest& request, const std::string& path,
                                 const Verdict& verdict, Workload workload) {
  const std::string again = request.question + " " + shell_word(path);
  std::vector<ReportFact> commands = {{"Check again", "elapid check" + again}};
  const bool has_findings = std::ranges::any_of(
      verdict.findings, [](const Description& found) { return found.name != kUnavailable; });
  const bool is_anomalous = has_findings || !verdict.anomalies.empty();
  const bool knows_options = !request.job.availability;  // minimize does not support availability
  if (verdict.validity == Validity::kInvalid && is_anomalous && knows_options &&
      has_findings == !workload.has_levels()) {
    commands.emplace_back("Make the history small, with its story",
                          "elapid minimize" + again + " -o small.edn");
  }
  if (has_certificate(workload, verdict)) {
    commands.emplace_back("Write the proof, and have it verified by another program",
                          fmt::format("elapid check{0} --certificate proof.json; elapid certify{1} "
                                      "{2} proof.json",
                                      again, request.reading, shell_word(path)));
  }
  return commands;
}

/// The order, found within the rest of the check's limits; none if they do not suffice.
OrderFound order_within(const CheckJob& job, const History& history, const Verdict& verdict,
                        std::chrono::duration<double> spent) {
  Limits limits = job.limits;
  if (limits.time) {
    *limits.time -= std::chrono::duration_cast<std::chrono::milliseconds>(spent);
  }
  CheckOptions options = job.check;
  set_limits(limits, options);
  try {
    const MemoryLimit limit(limits.memory.value_or(MemoryLimit::kNone));
    return order_found(history, verdict, options);
  } catch (const std::bad_alloc&) {
    return {};
  }
}

}  // namespace

std::vector<EvidenceFile> files_of_report(const CheckRequest& request, const std::string& path,
                                          LoadedHistory& loaded, const Verdict& verdict,
                                          std::optional<ReportOpinions> opinions,
                                          std::chrono::duration<double> spent) {
  if (verdict.assumptions.elle_compat) {
    return {};
  }
  ReportOptions options{
      .path = path,
      .version = ELAPID_VERSION,
      .clock_skew = kCheckFlags.clock_skew,
      .more_budget =
          "more of the limit that is named (--timeout, --memory, --work), a weaker level "
          "(-c), or, of registers, an assumption about versions that the database "
          "keeps (--linearizable-keys, --sequential-keys, --wfr-keys)",
      .reproduce = commands(request, path, verdict, loaded.history().workload()),
      .opinions = std::move(opinions)};
  if (const std::optional<std::string> hash = hash_of(path)) {
    options.origin.emplace_back("sha256 of the input", *hash);
  }
  ReportModel report = report_of(loaded, verdict, options);
  const OrderFound found = order_within(request.job, loaded.history(), verdict, spent);
  std::string order = order_page(loaded, found, report);
  report.has_order_page = !order.empty();
  std::vector<EvidenceFile> files = report_files(report);
  if (report.has_order_page) {
    files.push_back({"order.html", std::move(order)});
  }
  return files;
}

namespace {

/// Beyond these operations the beginning is not judged again, which takes 0.5 KB for each.
constexpr std::size_t kMostJudgedAgain = 500'000;

/// The operations whose search found no order; empty if the evidence is another.
std::vector<TxnId> core_of(const Verdict& verdict) {
  for (const LevelAnswer& level : verdict.levels) {
    if (level.failure) {
      return level.failure->txns;
    }
  }
  return {};
}

/// The order of the operations, object by object; empty if the verdict has none.
std::vector<TxnId> order_of(const Verdict& verdict) {
  std::vector<TxnId> order;
  for (const LevelAnswer& level : verdict.levels) {
    if (level.witness && order.empty()) {
      for (const OrderEvent& event : level.witness->order) {
        order.push_back(event.txn);
      }
    }
  }
  return order;
}

/// The part of the order that is on the object with most operations.
std::vector<TxnId> longest_part(const History& history, std::vector<TxnId> order) {
  const std::vector<std::uint32_t> objects = objects_of_txns(history);
  std::unordered_map<std::uint32_t, std::size_t> counts;
  std::uint32_t most = order.empty() ? 0 : objects[order.front().index()];
  for (const TxnId txn : order) {
    const std::uint32_t object = objects[txn.index()];
    most = ++counts[object] > counts[most] ? object : most;
  }
  std::erase_if(order, [&](TxnId txn) { return objects[txn.index()] != most; });
  return order;
}

/// The object's operations invoked before `stop` returned. Those that return later are open.
Draft before_return(const History& history, const std::vector<std::uint32_t>& objects, TxnId stop) {
  const EventId end = history.completion_id(stop);
  std::vector<TxnId> txns;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const bool is_before = !history.has_invocation(txn) || history.invocation_id(txn) < end;
    if (is_before && objects[txn.index()] == objects[stop.index()]) {
      txns.push_back(txn);
    }
  }
  Draft draft = draft_of(history, txns);
  for (std::size_t i = 0; i < txns.size(); ++i) {
    if (history.has_completion(txns[i]) && history.completion_id(txns[i]) >= end) {
      DraftTxn& txn = draft.edit(i);
      txn.status = TxnStatus::kIndeterminate;
      txn.completion.reset();
    }
  }
  return draft;
}

}  // namespace

OrderFound order_found(const History& history, const Verdict& verdict,
                       const CheckOptions& options) {
  if (verdict.engine != "linearize") {
    return {};
  }
  std::vector<TxnId> core = core_of(verdict);
  if (core.empty()) {  // for example, the share of successful operations was too small
    return {.order = longest_part(history, order_of(verdict))};
  }
  if (history.txn_count() > kMostJudgedAgain) {
    return {};
  }
  const std::vector<std::uint32_t> objects = objects_of_txns(history);
  EventId end = EventId::none();  // of the prefix with this core; at first after all events
  const auto has_returned = [&](TxnId txn) {
    return history.committed(txn) && history.completion_id(txn) < end;
  };
  while (std::ranges::any_of(core, has_returned)) {
    const TxnId stop = *std::ranges::max_element(core, {}, [&](TxnId txn) {
      return has_returned(txn) ? history.completion_id(txn) : EventId{0};
    });
    end = history.completion_id(stop);
    const Result<BuiltDraft> beginning = build(before_return(history, objects, stop));
    const Result<Verdict> judged =
        beginning ? check(beginning.value().history, options) : Result<Verdict>(Verdict());
    if (!beginning || !judged || judged.value().validity == Validity::kUnknown) {
      return {};
    }
    const auto in_whole = [&](std::vector<TxnId> txns) {
      for (TxnId& txn : txns) {
        txn = beginning.value().origins[txn.index()];
      }
      return txns;
    };
    if (judged.value().validity == Validity::kValid) {
      return {.order = in_whole(order_of(judged.value())), .stops_at = stop, .core = core};
    }
    core = in_whole(core_of(judged.value()));
  }
  return {};
}

}  // namespace elapid
