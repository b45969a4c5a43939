// The invocations and completions of the written history.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/convert/plan.h"

namespace elapid {

struct PlannedEvent {
  EventType type = EventType::kInvoke;
  std::uint32_t txn = 0;                        ///< place in Plan::txns()
  std::int64_t index = 0;                       ///< the source's, or the place among events
  std::optional<std::int64_t> time = {};        ///< ns
  std::optional<SourcePosition> position = {};  ///< in the source, if there is such an event
};

/// The events of all transactions in order. A history of events keeps its own. Transactions that
/// came whole get an invocation and a completion each: at their times or timestamps if known,
/// else one transaction after the other as recorded. Those of a session never overlap. O(n log
/// n).
[[nodiscard]] std::vector<PlannedEvent> plan_events(const Plan& plan);

/// The operations of an event: reads of an invocation are nil, and so are initial reads.
struct EventOps {
  std::vector<PlannedOp> ops = {};
  void assign(const Plan& plan, const PlannedEvent& event);
};

struct PlannedTimestamps {
  std::int64_t start = 0;
  std::int64_t commit = 0;
};

/// The timestamps of the database. A transaction that only read commits where it started.
[[nodiscard]] std::optional<PlannedTimestamps> known_timestamps(const History& history, TxnId txn);

/// Start and commit timestamps of each planned transaction: the database's if all have them, or
/// else the places of invocation and completion among the events of plan_events. A transaction
/// without an invocation starts where it completes: its start is the moment at which it reads its
/// snapshot.
[[nodiscard]] std::vector<PlannedTimestamps> plan_timestamps(const Plan& plan);

/// Wall-clock times of a transaction.
struct TimesMs {
  std::int64_t start = 0;
  std::int64_t commit = 0;
};

/// Whether transactions came whole and with times, all in ms since 1970.
[[nodiscard]] bool has_times_in_ms(const History& history);

/// The times of each planned transaction: the history's, if has_times_in_ms(); else the places of
/// invocation and completion among the events of plan_events, in ms, so that the order in real time
/// is the same. A transaction without an invocation starts at the place of the event before it in
/// its session, or at the first one. A transaction with an unknown end commits last.
[[nodiscard]] std::vector<TimesMs> plan_times_ms(const Plan& plan);

/// `invoke`, `ok`, `fail` or `info`.
[[nodiscard]] std::string_view name(EventType type);

/// :f and the fields that the history does not keep, read from the source if there is one;
/// otherwise `:txn` and no fields. For the transaction with the initial contents of rows `:init`.
/// Error: the source's.
[[nodiscard]] Result<EventDetails> event_details(const Plan& plan, const PlannedEvent& event);

}  // namespace elapid
