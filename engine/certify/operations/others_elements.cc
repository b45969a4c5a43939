#include "engine/certify/operations/others_elements.h"

#include <algorithm>

#include "engine/certify/operations/operations.h"

namespace elapid::certify {

namespace {

/// What is left of a list without its end; nothing if it ends in something else.
std::optional<std::span<const ValueId>> without_end(std::span<const ValueId> list,
                                                    std::span<const ValueId> end) {
  if (list.size() < end.size() || !std::ranges::equal(list.last(end.size()), end)) {
    return std::nullopt;
  }
  return list.first(list.size() - end.size());
}

}  // namespace

std::optional<std::span<const ValueId>> OthersElements::next(TxnId txn, Op op) {
  if (op.kind() == OpKind::kAppend && !with_own_) {
    Own& own = own_[op.key().index()];
    if (own.txn != txn) {
      own.txn = txn;
      own.elements.clear();
    }
    own.elements.push_back(op.value());
  }
  if (!op.is_read()) {
    return std::nullopt;
  }
  const std::span<const ValueId> list = list_of(history_, op);
  const bool has_own = !with_own_ && own_[op.key().index()].txn == txn;
  return has_own ? without_end(list, own_[op.key().index()].elements) : std::optional(list);
}

std::optional<std::span<const ValueId>> others_elements(const History& history, TxnId reader,
                                                        std::int64_t mop, bool with_own) {
  const std::span<const Op> ops = history.ops(reader);
  const std::optional<Op> read = op_at(ops, mop);
  if (!read || !read->is_read()) {
    return std::nullopt;
  }
  std::vector<ValueId> own;
  for (const Op op : ops.first(with_own ? 0 : static_cast<std::size_t>(mop))) {
    if (op.kind() == OpKind::kAppend && op.key() == read->key()) {
      own.push_back(op.value());
    }
  }
  return without_end(list_of(history, *read), own);
}

}  // namespace elapid::certify
