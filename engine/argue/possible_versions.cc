#include "engine/argue/possible_versions.h"

#include <algorithm>
#include <vector>

namespace elapid::argue {

bool PossibleVersions::may_be_first(const Failure& failure) const {
  if (!is_open_) {
    return is_of_one_state_ && may_be_beginning(failure);
  }
  const TxnId initial = certain_initial(history_);
  const bool is_overwritten =
      !initial.is_none() && initial != failure.txn &&
      std::ranges::binary_search(writes_.writers(failure.row, kRowVersion), initial);
  return !is_overwritten && may_concern(failure, TxnId::none());
}

/// In a closed universe all of the row is known then.
bool PossibleVersions::may_be_beginning(const Failure& failure) const {
  const TxnId initial = certain_initial(history_);
  RowParts row = writes_.at_first();
  if (!initial.is_none()) {
    const auto count = static_cast<std::uint32_t>(history_.ops(initial).size());
    writes_.carry_out(initial, count, failure.row, row);
  }
  return writes_.may_find(failure.txn, failure.mop, failure.row, row, failure.as);
}

bool PossibleVersions::may_be_version_of(const Failure& failure, TxnId writer) const {
  // In an open universe what an initial transaction left may depend on what was before.
  const TxnId initial = is_open_ ? TxnId::none() : certain_initial(history_);
  return writer != initial && may_be_left_by(failure, writer);
}

bool PossibleVersions::may_concern(const Failure& failure, TxnId writer, const LastWriter& cause,
                                   TxnId other) const {
  const std::vector<ValueId> values = writes_.may_leave(other, failure.row, cause.part);
  return std::ranges::any_of(values, [&](ValueId value) {
    RowParts row;
    row.set_part(cause.part, value);
    writes_.carry_out(writer, static_cast<std::uint32_t>(history_.ops(writer).size()), failure.row,
                      row);
    return writes_.may_find(failure.txn, failure.mop, failure.row, row, failure.as);
  });
}

bool PossibleVersions::may_be_found(const Failure& failure) const {
  return may_be_own(failure.txn, failure.mop, failure.row) || may_be_first(failure) ||
         std::ranges::any_of(writes_.writers(failure.row, kRowVersion),
                             [&](TxnId writer) { return may_be_left_by(failure, writer); });
}

bool PossibleVersions::may_be_own(TxnId txn, std::uint32_t mop, KeyId row) const {
  bool may_be = false;
  writes_.each_write(txn, mop, row, [&](auto, const auto&, bool) { may_be = true; });
  return may_be;
}

/// Looks only at what the writer itself wrote.
bool PossibleVersions::may_concern(const Failure& failure, TxnId writer) const {
  return writes_.may_find(failure.txn, failure.mop, failure.row,
                          writes_.left_by(writer, failure.row), failure.as);
}

bool PossibleVersions::may_be_left_by(const Failure& failure, TxnId writer) const {
  return writer != failure.txn && !fixed_.precedes(failure.txn, writer) &&
         may_concern(failure, writer) && may_have_made(failure, writer);
}

/// Whether the operation may have concerned the row as the writer made it. If the writer is not
/// sure to write the row, it is assumed to have written it: otherwise another transaction left the
/// row so.
bool PossibleVersions::may_have_made(const Failure& failure, TxnId writer) const {
  PartSet common = ~PartSet{0};  // parts that it writes if it writes the row
  bool may_be_sure = false;
  writes_.each_write(writer, static_cast<std::uint32_t>(history_.ops(writer).size()), failure.row,
                     [&](std::uint32_t /*mop*/, const rows::RowOp& op, bool is_sure) {
                       common &= writes_.written(op);
                       may_be_sure = may_be_sure || is_sure;
                     });
  for (std::uint32_t part = 0; !may_be_sure && part < writes_.part_count(); ++part) {
    if ((common >> part & 1U) == 0) {
      continue;
    }
    const std::vector<ValueId> values = writes_.may_leave(writer, failure.row, part);
    const bool may_be = std::ranges::any_of(values, [&](ValueId value) {
      RowParts row;
      row.set_part(part, value);
      return writes_.may_find(failure.txn, failure.mop, failure.row, row, failure.as);
    });
    if (!may_be) {
      return false;
    }
  }
  return true;
}

}  // namespace elapid::argue
