#include "engine/online/placed_txn.h"

#include <algorithm>

namespace elapid {

namespace {

Placement placement_of(const OnlineTxn& txn, bool only_reads, ReadPoint read_point) {
  switch (txn.status) {
    case TxnStatus::kAborted:
      return Placement::kAbsent;
    case TxnStatus::kIndeterminate:
      return only_reads   ? Placement::kAbsent
             : txn.commit ? Placement::kWrites
                          : Placement::kUnknown;
    case TxnStatus::kCommitted:
      break;
  }
  if (read_point == ReadPoint::kCommit) {
    return txn.commit || (only_reads && txn.start) ? Placement::kPlaced : Placement::kUnknown;
  }
  if (txn.start && (txn.commit || only_reads)) {
    return Placement::kPlaced;
  }
  return txn.commit && !only_reads ? Placement::kWrites : Placement::kUnknown;
}

}  // namespace

PlacedTxn::PlacedTxn(const OnlineTxn& placed, ReadPoint read_point)
    : txn(placed), only_reads(std::ranges::none_of(placed.ops, is_write)) {
  placement = placement_of(txn, only_reads, read_point);
  if (!has_place()) {
    return;
  }
  const Timestamp commit = txn.commit ? *txn.commit : *txn.start;
  starts = std::min(commit, txn.start.value_or(commit));
  if (read_point == ReadPoint::kCommit) {
    const bool is_instant = txn.start && *txn.start >= commit;
    writes = Moment::of(commit, is_instant ? Moment::kInstant : Moment::kWhole);
    reads = writes;
  } else {
    const bool is_instant = starts == commit;
    writes = Moment::of(commit, is_instant ? Moment::kInstant : Moment::kCommit);
    reads = Moment::of(starts, is_instant ? Moment::kInstant : Moment::kStart);
  }
}

}  // namespace elapid
