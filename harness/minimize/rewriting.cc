#include "harness/minimize/rewriting.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "harness/minimize/draft_events.h"

namespace elapid {

namespace {

// Outcomes.

/// Whether the transaction has a read without a result, which would count as a read of nil.
bool has_unknown_read(const DraftTxn& txn) {
  return std::ranges::any_of(txn.mops, [](const DraftMop& mop) {
    return mop.kind == OpKind::kRead && mop.value.is_nil();
  });
}

/// An event after all others.
DraftEnd last_end(const Draft& draft) {
  DraftEnd last;
  for (const auto& txn : draft.txns) {
    for (const std::optional<DraftEnd>* end : {&txn->invocation, &txn->completion}) {
      if (*end) {
        last.place = std::max(last.place, (*end)->place + 1);
        last.index =
            (*end)->index ? std::max(last.index, std::optional(*(*end)->index + 1)) : last.index;
        last.time = std::max(last.time, (*end)->time);
        last.position = txn->invocation ? txn->invocation->position : last.position;
      }
    }
  }
  return last;
}

Draft with_outcome(const Draft& draft, std::size_t t, TxnStatus status) {
  Draft result = draft;
  DraftTxn& txn = result.edit(t);
  txn.status = status;
  if (!txn.completion && txn.invocation) {
    txn.completion = last_end(draft);
    txn.completion->position = txn.invocation->position;
  }
  return result;
}

// Sessions.

using Sessions = std::map<std::int64_t, std::vector<std::size_t>>;

Sessions sessions_of(const Draft& draft) {
  Sessions sessions;
  for (std::size_t t = 0; t < draft.txns.size(); ++t) {
    sessions[draft.txns[t]->session].push_back(t);
  }
  return sessions;
}

Draft in_own_sessions(const Draft& draft) {
  Draft result = draft;
  for (std::size_t t = 0; t < result.txns.size(); ++t) {
    result.edit(t).session = static_cast<std::int64_t>(t);
  }
  return result;
}

Draft in_session(const Draft& draft, const std::vector<std::size_t>& txns, std::int64_t session) {
  Draft result = draft;
  for (const std::size_t t : txns) {
    result.edit(t).session = session;
  }
  return result;
}

/// Whether one client could have run all of them, one after the other.
bool follow_one_another(const Draft& draft, const std::vector<std::size_t>& a,
                        const std::vector<std::size_t>& b) {
  if (draft.info.is_session_trace && !draft.info.has_real_time) {
    return true;
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> spans;
  for (const std::vector<std::size_t>* txns : {&a, &b}) {
    for (const std::size_t t : *txns) {
      const DraftTxn& txn = *draft.txns[t];
      if (!txn.invocation || !txn.completion) {
        return false;
      }
      spans.emplace_back(txn.invocation->place, txn.completion->place);
    }
  }
  std::ranges::sort(spans);
  return std::ranges::adjacent_find(spans, [](const auto& first, const auto& second) {
           return second.first < first.second;
         }) == spans.end();
}

bool has_initial_txn(const Draft& draft, const std::vector<std::size_t>& txns) {
  return std::ranges::any_of(
      txns, [&](std::size_t t) { return draft.txns[t]->origin == draft.info.initial_txn; });
}

// Real time.

bool has_times(const Draft& draft) {
  return std::ranges::any_of(draft.txns, [](const auto& txn) {
    return (txn->invocation && txn->invocation->time) || (txn->completion && txn->completion->time);
  });
}

Draft drop_times(const Draft& draft) {
  Draft result = draft;
  for (std::size_t t = 0; t < result.txns.size(); ++t) {
    DraftTxn& txn = result.edit(t);
    for (std::optional<DraftEnd>* end : {&txn.invocation, &txn.completion}) {
      if (*end) {
        (*end)->time.reset();
      }
    }
  }
  return result;
}

/// The events, with all invocations before all completions.
std::vector<DraftEvent> all_concurrent(std::vector<DraftEvent> events) {
  std::ranges::stable_partition(events,
                                [](const DraftEvent& event) { return !event.is_completion; });
  return events;
}

/// The place to which an invocation can move back, or a completion forward: up to the next event of
/// its session. Nothing if it would pass no event of the other kind.
std::optional<std::size_t> farthest(const Draft& draft, const std::vector<DraftEvent>& events,
                                    std::size_t at) {
  const DraftEvent& moved = events[at];
  const std::int64_t session = draft.txns[moved.txn]->session;
  bool frees = false;
  std::size_t to = at;
  while (moved.is_completion ? to + 1 < events.size() : to > 0) {
    const std::size_t next = moved.is_completion ? to + 1 : to - 1;
    if (draft.txns[events[next].txn]->session == session) {
      break;
    }
    frees = frees || events[next].is_completion != moved.is_completion;
    to = next;
  }
  return frees ? std::optional(to) : std::nullopt;
}

std::vector<DraftEvent> moved(std::vector<DraftEvent> events, std::size_t from, std::size_t to) {
  const auto at = [&](std::size_t place) {
    return events.begin() + static_cast<std::ptrdiff_t>(place);
  };
  if (from < to) {
    std::rotate(at(from), at(from + 1), at(to + 1));
  } else {
    std::rotate(at(to), at(from), at(from + 1));
  }
  return events;
}

MakeRewritten reordered(const Draft& draft, std::vector<DraftEvent> order) {
  return [&draft, order = std::move(order)] {
    Draft result = draft;
    reorder_events(result, order);
    return result;
  };
}

}  // namespace

Rewritings with_outcomes(const Draft& draft) {
  Rewritings result;
  for (std::size_t t = 0; t < draft.txns.size(); ++t) {
    const DraftTxn& txn = *draft.txns[t];
    if (txn.status != TxnStatus::kIndeterminate) {
      continue;
    }
    if (!has_unknown_read(txn)) {
      result.emplace_back([&draft, t] { return with_outcome(draft, t, TxnStatus::kCommitted); });
    }
    result.emplace_back([&draft, t] { return with_outcome(draft, t, TxnStatus::kAborted); });
  }
  return result;
}

Rewritings with_less_session_order(const Draft& draft) {
  const Sessions sessions = sessions_of(draft);
  if (sessions.size() == draft.txns.size()) {
    return {};
  }
  Rewritings result = {[&draft] { return in_own_sessions(draft); }};
  const std::int64_t fresh = sessions.rbegin()->first + 1;
  for (const auto& [session, txns] : sessions) {
    for (const std::size_t t : txns) {
      if (txns.size() > 1) {
        result.emplace_back([&draft, t, fresh] { return in_session(draft, {t}, fresh); });
      }
    }
  }
  return result;
}

Rewritings with_less_real_time(const Draft& draft) {
  if (!draft.info.has_real_time) {
    return {};
  }
  Rewritings result;
  if (draft.info.is_session_trace && has_times(draft)) {
    result.emplace_back([&draft] { return drop_times(draft); });
  }
  const std::vector<DraftEvent> events = events_of(draft);
  const bool is_ordered = !std::ranges::is_partitioned(
      events, [](const DraftEvent& event) { return !event.is_completion; });
  if (is_ordered && sessions_of(draft).size() == draft.txns.size()) {
    result.push_back(reordered(draft, all_concurrent(events)));
  }
  for (std::size_t at = 0; at < events.size(); ++at) {
    if (const auto to = farthest(draft, events, at)) {
      result.push_back(reordered(draft, moved(events, at, *to)));
    }
  }
  return result;
}

Rewritings without_times(const Draft& draft) {
  if (draft.info.is_session_trace || !has_times(draft)) {
    return {};
  }
  return {[&draft] { return drop_times(draft); }};
}

Rewritings with_merged_sessions(const Draft& draft) {
  const Sessions sessions = sessions_of(draft);
  Rewritings result;
  for (auto a = sessions.begin(); a != sessions.end(); ++a) {
    for (auto b = std::next(a); b != sessions.end(); ++b) {
      const bool can_merge = !has_initial_txn(draft, a->second) &&
                             !has_initial_txn(draft, b->second) &&
                             follow_one_another(draft, a->second, b->second);
      if (can_merge) {
        result.emplace_back([&draft, txns = b->second, session = a->first] {
          return in_session(draft, txns, session);
        });
      }
    }
  }
  return result;
}

}  // namespace elapid
