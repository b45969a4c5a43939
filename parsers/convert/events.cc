#include "parsers/convert/events.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "engine/ir/empty_values.h"
#include "engine/ir/json_string.h"

namespace elapid {

namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

EventType completion_type(TxnStatus status) {
  switch (status) {
    case TxnStatus::kCommitted:
      return EventType::kOk;
    case TxnStatus::kAborted:
      return EventType::kFail;
    case TxnStatus::kIndeterminate:
      break;
  }
  return EventType::kInfo;
}

/// An event with its sort keys. Moments of a session's events do not descend.
struct Moment {
  std::int64_t at = 0;
  std::uint64_t number = 0;  // among equal moments
  PlannedEvent event;
};

/// Collects events session by session.
class Timeline {
 public:
  /// Adds an event that is no earlier than the session's event before.
  void add(std::int64_t session, std::int64_t at, const PlannedEvent& event) {
    const auto [last, is_new] = last_.try_emplace(session, at);
    last->second = std::max(last->second, at);
    moments_.push_back({last->second, moments_.size(), event});
  }

  std::vector<PlannedEvent> sorted() && {
    std::sort(moments_.begin(), moments_.end(), [](const Moment& a, const Moment& b) {
      return std::tie(a.at, a.number) < std::tie(b.at, b.number);
    });
    std::vector<PlannedEvent> events;
    events.reserve(moments_.size());
    for (const Moment& moment : moments_) {
      events.push_back(moment.event);
    }
    return events;
  }

 private:
  std::unordered_map<std::int64_t, std::int64_t, SeededHash> last_;
  std::vector<Moment> moments_;
};

/// The moments of the two events of a whole transaction.
struct Span {
  std::int64_t first = 0;
  std::int64_t second = 0;
};

Span span_of(const History& history, TxnId txn, std::uint32_t place) {
  if (history.info().has_real_time) {
    return {history.invocation_id(txn).value, history.completion_id(txn).value};
  }
  const auto start = history.start_timestamp(txn);
  const auto commit = history.commit_timestamp(txn);
  if (commit) {
    return {std::min(start.value_or(*commit), *commit), *commit};
  }
  return {std::int64_t{place} * 2, std::int64_t{place} * 2 + 1};
}

std::optional<std::int64_t> time_of(const History& history, TxnId txn, EventKind kind) {
  if (history.info().has_real_time) {
    return history.event(txn, kind).time;
  }
  return history.info().logical_bits != 0 ? std::nullopt
         : kind == EventKind::kInvocation ? history.start_timestamp(txn)
                                          : history.commit_timestamp(txn);
}

/// Adds the events of a history that records events.
void add_recorded(const Plan& plan, std::uint32_t place, Timeline& timeline) {
  const PlannedTxn& txn = plan.txns()[place];
  const History& history = plan.history();
  for (const EventKind kind : {EventKind::kInvocation, EventKind::kCompletion}) {
    const Event event = history.event(txn.txn, kind);
    if (!event.id.is_none()) {
      const bool is_invocation = kind == EventKind::kInvocation;
      timeline.add(txn.session, event.id.value,
                   {.type = is_invocation ? EventType::kInvoke : completion_type(txn.status),
                    .txn = place,
                    .index = event.index,
                    .time = event.time,
                    .position = event.position});
    }
  }
}

void add_made_up(const Plan& plan, std::uint32_t place, Timeline& timeline) {
  const PlannedTxn& txn = plan.txns()[place];
  const History& history = plan.history();
  const Span span = span_of(history, txn.txn, place);
  timeline.add(txn.session, span.first,
               {.txn = place, .time = time_of(history, txn.txn, EventKind::kInvocation)});
  timeline.add(txn.session, span.second,
               {.type = completion_type(txn.status),
                .txn = place,
                .time = time_of(history, txn.txn, EventKind::kCompletion)});
}

}  // namespace

std::vector<PlannedEvent> plan_events(const Plan& plan) {
  const bool has_events = !plan.history().info().is_session_trace;
  Timeline timeline;
  for (std::uint32_t place = 0; place < plan.txns().size(); ++place) {
    has_events ? add_recorded(plan, place, timeline) : add_made_up(plan, place, timeline);
  }
  std::vector<PlannedEvent> events = std::move(timeline).sorted();
  for (std::size_t i = 0; !has_events && i < events.size(); ++i) {
    events[i].index = static_cast<std::int64_t>(i);
  }
  return events;
}

void EventOps::assign(const Plan& plan, const PlannedEvent& event) {
  const PlannedTxn& txn = plan.txns()[event.txn];
  plan.ops(txn, ops);
  if (event.type != EventType::kInvoke) {
    return;
  }
  if (const auto invoked = plan.history().differing_invocation(txn.txn)) {
    plan.invoked_ops(*invoked, ops);
    return;
  }
  for (PlannedOp& op : ops) {
    op.is_asked = op.kind == OpKind::kRow;
    if (op.kind == OpKind::kRead || op.kind == OpKind::kReadList) {
      op = {.kind = OpKind::kRead, .key = op.key, .value = ValueId::nil(), .is_initial = true};
    }
  }
}

namespace {

/// When a transaction without an invocation began.
enum class Unbegun {
  kAtEnd,  ///< at its completion
  kEarly,  ///< as soon as the event before it in its session
};

/// The places of events, from 1.
std::vector<PlannedTimestamps> places_of_events(const Plan& plan, Unbegun unbegun) {
  std::vector<PlannedTimestamps> places(plan.txns().size());
  std::unordered_map<std::int64_t, std::int64_t, SeededHash> over;  // by session
  std::int64_t at = 0;
  for (const PlannedEvent& event : plan_events(plan)) {
    PlannedTimestamps& own = places[event.txn];
    own.commit = ++at;
    if (unbegun == Unbegun::kAtEnd) {
      own.start = own.start == 0 ? at : own.start;
      continue;
    }
    std::int64_t& before = over.try_emplace(plan.txns()[event.txn].session, 1).first->second;
    if (own.start == 0) {
      own.start = event.type == EventType::kInvoke ? at : before;
    }
    before = at;
  }
  for (std::size_t place = 0; place < places.size(); ++place) {
    if (plan.history().status(plan.txns()[place].txn) == TxnStatus::kIndeterminate) {
      places[place].commit = at + 1;  // it may have happened long after its client gave up
    }
  }
  return places;
}

}  // namespace

std::optional<PlannedTimestamps> known_timestamps(const History& history, TxnId txn) {
  std::optional<std::int64_t> start = history.start_timestamp(txn);
  std::optional<std::int64_t> commit = history.commit_timestamp(txn);
  if (!commit && std::ranges::all_of(history.ops(txn), &Op::is_read)) {
    commit = start;
  }
  return commit ? std::optional(PlannedTimestamps{start.value_or(*commit), *commit}) : std::nullopt;
}

std::vector<PlannedTimestamps> plan_timestamps(const Plan& plan) {
  std::vector<PlannedTimestamps> timestamps;
  for (const PlannedTxn& txn : plan.txns()) {
    const auto known = known_timestamps(plan.history(), txn.txn);
    if (!known) {
      return places_of_events(plan, Unbegun::kAtEnd);
    }
    timestamps.push_back(*known);
  }
  return timestamps;
}

bool has_times_in_ms(const History& history) {
  const auto is_in_ms = [](std::optional<std::int64_t> time) {
    return time && *time >= 0 && *time % kNsPerMs == 0;
  };
  if (!history.info().is_session_trace || !history.info().has_real_time) {
    return false;
  }
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (!is_in_ms(history.event(txn, EventKind::kInvocation).time) ||
        !is_in_ms(history.event(txn, EventKind::kCompletion).time)) {
      return false;
    }
  }
  return true;
}

std::vector<TimesMs> plan_times_ms(const Plan& plan) {
  const History& history = plan.history();
  std::vector<TimesMs> times;
  if (!has_times_in_ms(history)) {
    for (const PlannedTimestamps& places : places_of_events(plan, Unbegun::kEarly)) {
      times.push_back({places.start, places.commit});
    }
    return times;
  }
  for (const PlannedTxn& txn : plan.txns()) {
    times.push_back({*history.event(txn.txn, EventKind::kInvocation).time / kNsPerMs,
                     *history.event(txn.txn, EventKind::kCompletion).time / kNsPerMs});
  }
  return times;
}

std::string_view name(EventType type) {
  switch (type) {
    case EventType::kInvoke:
      return "invoke";
    case EventType::kOk:
      return "ok";
    case EventType::kFail:
      return "fail";
    case EventType::kInfo:
      break;
  }
  return "info";
}

namespace {

/// Adds the level that the transaction asked for, unless the source's details have it.
void add_level(const Plan& plan, const PlannedEvent& event, EventDetails& details) {
  const std::string_view level = plan.history().levels().of(plan.txns()[event.txn].txn);
  const std::string key = ":isolation";
  const auto is_level = [&key](const auto& extra) { return extra.first == key; };
  if (!level.empty() && std::ranges::none_of(details.extras, is_level)) {
    std::string quoted;
    append_json_string(level, quoted);
    details.extras.emplace_back(key, std::move(quoted));
  }
}

}  // namespace

Result<EventDetails> event_details(const Plan& plan, const PlannedEvent& event) {
  const bool has_source = plan.details() && event.position;
  Result<EventDetails> details =
      has_source ? plan.details()(*event.position) : Result<EventDetails>(EventDetails{});
  const bool is_transaction = plan.workload() != Workload::kCasRegister;
  if (details && (!is_transaction || details.value().f.empty())) {
    details.value().f = ":txn";  // transactions replace the single operations
  }
  if (details && plan.is_contents(plan.txns()[event.txn].txn)) {
    details.value().f = ":init";
  }
  if (details && plan.renames_empty() && details.value().value == EmptyValues::kInJson) {
    details.value().value = ":empty";
  }
  if (details) {
    add_level(plan, event, details.value());
  }
  return details;
}

}  // namespace elapid
