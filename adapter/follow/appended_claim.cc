#include "adapter/follow/appended_claim.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "adapter/follow/certainty.h"
#include "engine/workloads/table.h"
#include "parsers/format.h"

namespace elapid {

namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20;

constexpr std::array<std::string_view, 4> kClaims = {"bank", "counter", "echo",
                                                     "monotonic-faunadb"};

/// Whether later operations depend on the earlier ones only through what carry() keeps.
bool is_carried(const History& history, const Verdict& verdict) {
  const std::string_view name = history.workload().name();
  const WorkloadRow& row = row_of(history.workload());
  return std::ranges::find(kClaims, name) != kClaims.end() && verdict.checked.none() &&
         verdict.validity == Validity::kValid && row.claim_lasts(history) &&
         !facts_of(history).changes_operations;
}

AddedSums sums_of(const History& history) {
  AddedSums sums;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const bool is_over = history.has_completion(txn) && history.status(txn) != TxnStatus::kAborted;
    for (const Op op : history.ops(txn)) {
      if (is_over && op.kind() == OpKind::kAppend) {
        const std::int64_t number = history.values().as_integer(op.value()).value_or(0);
        std::int64_t& sum = history.committed(txn) ? sums.surely
                            : number < 0           ? sums.perhaps_negative
                                                   : sums.perhaps;
        sums.overflow |= __builtin_add_overflow(sum, number, &sum);
      }
    }
  }
  return sums;
}

constexpr std::size_t kSums = 3;

/// The sums as adds of process 0, in lines of the format. Their indices precede all others.
std::string lines_of(const AddedSums& sums, bool is_edn, bool is_indexed) {
  std::string lines;
  int index = -2 * static_cast<int>(kSums);
  const auto write = [&](std::string_view type, std::int64_t number) {
    const std::string place = std::to_string(index++);
    lines += is_edn ? "{:type :" + std::string(type) + ", :process 0, :f :add, :value " +
                          std::to_string(number) + (is_indexed ? ", :index " + place : "") + "}\n"
                    : R"({"type": ")" + std::string(type) +
                          R"(", "process": 0, "f": "add", "value": )" + std::to_string(number) +
                          (is_indexed ? R"(, "index": )" + place : "") + "}\n";
  };
  for (const auto& [type, number] : {std::pair("ok", sums.surely), std::pair("info", sums.perhaps),
                                     std::pair("info", sums.perhaps_negative)}) {
    write("invoke", number);
    write(type, number);
  }
  return lines;
}

/// Whether an add that was invoked in the first `bytes` has failed. Earlier reads may have counted
/// it.
bool fails_open_add(const History& history, std::size_t bytes) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    if (history.status(txn) == TxnStatus::kAborted && !ops.empty() &&
        ops.front().kind() == OpKind::kAppend &&
        history.event(txn, EventKind::kInvocation).position.offset < bytes) {
      return true;
    }
  }
  return false;
}

/// The first read with a value, which sets what the bank must hold; none() for a counter.
TxnId first_read(const History& history) {
  TxnId first = TxnId::none();
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    const bool shows = history.committed(txn) && ops.size() == 1 &&
                       ops.front().kind() == OpKind::kRead && !ops.front().value().is_nil();
    if (shows && (first.is_none() || history.completion_id(txn) < history.completion_id(first))) {
      first = txn;
    }
  }
  return first;
}

/// The last operation of monotonic-faunadb that shows each part, in each session.
std::set<TxnId> last_shown(const History& history) {
  std::map<std::pair<SessionId, std::size_t>, TxnId> last;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    for (std::size_t part = 0; part < ops.size() && history.committed(txn); ++part) {
      if (!ops[part].value().is_nil()) {
        last[{history.session(txn), part}] = txn;
      }
    }
  }
  std::set<TxnId> txns;
  for (const auto& [place, txn] : last) {
    txns.insert(txn);
  }
  return txns;
}

/// The open operations, and those that later operations are compared with.
std::vector<TxnId> carried_txns(const History& history) {
  const std::string_view name = history.workload().name();
  const std::set<TxnId> told = name == "bank"                ? std::set{first_read(history)}
                               : name == "monotonic-faunadb" ? last_shown(history)
                                                             : std::set<TxnId>();
  std::vector<TxnId> txns;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (told.contains(txn) || !history.has_completion(txn)) {
      txns.push_back(txn);
    }
  }
  return txns;
}

/// The events of these transactions, in order.
std::vector<Event> events_of(const History& history, const std::vector<TxnId>& txns) {
  std::vector<Event> events;
  for (const TxnId txn : txns) {
    for (const EventKind kind : {EventKind::kInvocation, EventKind::kCompletion}) {
      if (const Event event = history.event(txn, kind); !event.id.is_none()) {
        events.push_back(event);
      }
    }
  }
  std::ranges::sort(events, {}, &Event::id);
  return events;
}

/// Whether the line of EDN may hold several events.
bool has_several_events(std::string_view line) {
  constexpr std::string_view kType = ":type";
  const std::size_t first = line.find(kType);
  return first != std::string_view::npos &&
         line.find(kType, first + kType.size()) != std::string_view::npos;
}

}  // namespace

/// Keeps what later operations depend on; false if that is not possible.
bool AppendedClaim::carry(LoadedHistory& loaded) {
  const History& history = loaded.history();
  const std::vector<TxnId> txns = carried_txns(history);
  Carried carried = {.transactions = txns.size(), .sums = sums_of(history)};
  for (const TxnId txn : txns) {
    carried.open += history.has_completion(txn) ? 0U : 1U;
    carried.operations += history.ops(txn).size();
  }
  for (const Event& event : events_of(history, txns)) {
    const std::optional<std::string> line = loaded.line_at(event.position, kLongestLine);
    if (!line || has_several_events(*line)) {
      return false;
    }
    carried.lines += *line + '\n';
  }
  carried_ = std::move(carried);
  return !carried_.sums.overflow;
}

void AppendedClaim::begin(PrefixVerdict& prefix) {
  last_.reset();
  format_ = prefix.loaded.format();
  const bool is_one = prefix.report.histories == 1 && prefix.loaded.key().empty();
  if (is_one && !options_.check.assumptions.elle_compat &&
      is_carried(prefix.loaded.history(), prefix.verdict) && carry(prefix.loaded)) {
    workload_ = prefix.loaded.history().workload();
    last_ = prefix.report;
  }
}

std::optional<PrefixVerdict> AppendedClaim::extend(std::string_view text, PrefixSize size) {
  if (!last_) {
    return std::nullopt;
  }
  const Carried before = carried_;
  const bool is_counter = workload_->name() == "counter";
  const bool is_edn = format_->format->name == "edn";
  const bool is_indexed = text.find(is_edn ? ":index" : "\"index\"") != std::string_view::npos;
  ReadOptions reading = options_.read;
  reading.format = format_;
  reading.workload = workload_;
  const std::string carried =
      (is_counter ? lines_of(before.sums, is_edn, is_indexed) : "") + before.lines;
  Result<LoadedHistory> loaded =
      read_history(memory_source(options_.path, carried + std::string(text)), reading);
  if (!loaded) {
    return std::nullopt;
  }
  const History& history = loaded.value().history();
  Result<Verdict> verdict =
      row_of(*workload_).judge(history, {.settings = options_.check.settings});
  if (!verdict || !is_carried(history, verdict.value()) ||
      (is_counter && fails_open_add(history, carried.size())) || !carry(loaded.value())) {
    return std::nullopt;
  }
  const std::size_t sums = is_counter ? kSums : 0;
  last_->size = size;
  last_->transactions += history.txn_count() - before.transactions - sums;
  last_->operations += history.op_count() - before.operations - sums;
  last_->settled = carried_.open == 0 ? 1 : 0;
  return PrefixVerdict{std::move(loaded).value(), std::move(verdict).value(), *last_};
}

}  // namespace elapid
