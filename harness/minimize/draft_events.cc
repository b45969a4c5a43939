#include "harness/minimize/draft_events.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace elapid {

std::vector<DraftEvent> events_of(const Draft& draft) {
  std::vector<DraftEvent> events;
  events.reserve(draft.txns.size() * 2);
  for (std::size_t t = 0; t < draft.txns.size(); ++t) {
    const DraftTxn& txn = *draft.txns[t];
    if (txn.invocation) {
      events.push_back({txn.invocation->place, t, false});
    }
    if (txn.completion) {
      events.push_back({txn.completion->place, t, true});
    }
  }
  std::ranges::sort(events, {}, [](const DraftEvent& event) {
    return std::tuple(event.place, event.is_completion, event.txn);
  });
  return events;
}

void number_events(Draft& draft, const std::vector<DraftEvent>& order) {
  for (std::size_t place = 0; place < order.size(); ++place) {
    DraftTxn& txn = draft.edit(order[place].txn);
    DraftEnd& end = order[place].is_completion ? *txn.completion : *txn.invocation;
    end.place = static_cast<std::int64_t>(place);
    if (end.index) {
      end.index = end.place;
    }
  }
}

void reorder_events(Draft& draft, const std::vector<DraftEvent>& order) {
  number_events(draft, order);
  for (std::size_t t = 0; t < draft.txns.size(); ++t) {
    DraftTxn& txn = draft.edit(t);
    for (std::optional<DraftEnd>* end : {&txn.invocation, &txn.completion}) {
      if (*end && (*end)->time) {
        (*end)->time = draft.info.is_session_trace ? std::optional((*end)->place) : std::nullopt;
      }
    }
  }
}

}  // namespace elapid
