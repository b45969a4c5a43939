// The place of a transaction of a stream in time.
#pragma once

#include "engine/online/moment.h"
#include "engine/online/online_txn.h"
#include "engine/timestamps/timeline.h"

namespace elapid {

/// The transaction's place, by the rules of Timeline.
struct PlacedTxn {
  const OnlineTxn& txn;
  Placement placement = Placement::kUnknown;
  bool only_reads = false;
  Timestamp starts = {};  ///< if it has a place; never after the commit
  Moment reads = {};      ///< if it has a place
  Moment writes = {};     ///< if it has a place

  PlacedTxn(const OnlineTxn& placed, ReadPoint read_point);

  [[nodiscard]] bool has_place() const {
    return placement == Placement::kPlaced || placement == Placement::kWrites;
  }
};

}  // namespace elapid
