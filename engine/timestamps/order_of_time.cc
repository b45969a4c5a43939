#include "engine/timestamps/order_of_time.h"

namespace elapid {

Witness order_of_time(const Timeline& timeline) {
  using Kind = TimelineEvent::Kind;
  Witness witness;
  witness.order.reserve(timeline.events().size());
  for (const TimelineEvent& event : timeline.events()) {
    const bool commits = event.kind != Kind::kStart || timeline.only_reads(event.txn);
    const bool starts =
        event.kind != Kind::kCommit || timeline.placement(event.txn) == Placement::kWrites;
    if (starts && timeline.read_point() == ReadPoint::kStart) {
      witness.order.push_back({event.txn, false});
    }
    if (commits) {
      witness.order.push_back({event.txn, true});
    }
  }
  return witness;
}

}  // namespace elapid
