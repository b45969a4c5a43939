#include "parsers/convert/planned_singles.h"

#include <string>

namespace elapid {

std::string_view function(PlannedSingle::Kind kind) {
  switch (kind) {
    case PlannedSingle::Kind::kWrite:
      return ":write";
    case PlannedSingle::Kind::kCas:
      return ":cas";
    case PlannedSingle::Kind::kRead:
      break;
  }
  return ":read";
}

Status PlannedSingles::check_key(KeyId key) {
  if (key_.is_none()) {
    key_ = key;
  }
  if (key == key_) {
    return {};
  }
  const History& history = plan_.history();
  return usage_error(text(plan_.target()) +
                     " holds one register, and this is a history of several: " +
                     history.key_text(key_) + " and " + history.key_text(key));
}

Result<PlannedSingle> PlannedSingles::of(const PlannedTxn& txn) {
  const History& history = plan_.history();
  plan_.ops(txn, ops_);
  const bool is_committed = txn.status == TxnStatus::kCommitted;
  const auto invoked = history.differing_invocation(txn.txn);
  if (invoked && !is_committed) {
    plan_.invoked_ops(*invoked, ops_);
  }
  for (const PlannedOp& op : ops_) {
    ELAPID_RETURN_IF_ERROR(check_key(op.key));
  }
  if (ops_.size() == 1) {
    return ops_[0].kind == OpKind::kRead
               ? PlannedSingle{.kind = PlannedSingle::Kind::kRead, .read = ops_[0]}
               : PlannedSingle{.kind = PlannedSingle::Kind::kWrite, .write = ops_[0]};
  }
  if (ops_.size() == 2 && ops_[0].kind == OpKind::kRead && ops_[1].kind == OpKind::kWrite) {
    const bool is_known = is_committed || !ops_[0].value.is_nil();
    return PlannedSingle{.kind = is_known ? PlannedSingle::Kind::kCas : PlannedSingle::Kind::kWrite,
                         .read = ops_[0],
                         .write = ops_[1]};
  }
  return usage_error("a transaction of " + std::to_string(ops_.size()) + " operations: " +
                     text(plan_.target()) + " holds single reads, writes and compare-and-sets");
}

}  // namespace elapid
