// Where a transaction of a stream has its place in time.
#pragma once

#include "engine/online/moment.h"
#include "engine/online/online_txn.h"
#include "engine/timestamps/timeline.h"

namespace elapid {

/// As Timeline places the transactions of a history.
struct PlacedTxn {
  const OnlineTxn& txn;
  Placement placement = Placement::kUnknown;
  bool only_reads = false;
  Timestamp starts = {};  ///< if there is a place; never after the commit
  Moment reads = {};      ///< likewise
  Moment writes = {};     ///< likewise

  PlacedTxn(const OnlineTxn& placed, ReadPoint read_point);

  [[nodiscard]] bool has_place() const {
    return placement == Placement::kPlaced || placement == Placement::kWrites;
  }
};

}  // namespace elapid
