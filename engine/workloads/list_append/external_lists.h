// Lists as others left them: what each read shows but for the reader's own elements.
//
// A transaction sees its own appends after all elements that were there when it started. That does
// not tell where they stand after its commit. So only the elements before them tell the order of
// versions and the transactions that it read from (docs/levels.md).
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// The operations of a history with own elements taken off the end of each list that was read. A
/// read that does not end in them says nothing of others: it is an operation of kind kOther.
/// Operations keep their places. 8 bytes an operation, if there is anything to take off. Linear in
/// operations, own elements, and elements of literal lists that hold own ones.
class ExternalLists {
 public:
  explicit ExternalLists(const History& history);

  [[nodiscard]] std::span<const Op> ops(TxnId txn) const {
    return ops_.empty() ? history_.ops(txn)
                        : std::span(ops_).subspan(history_.first_op(txn), history_.ops(txn).size());
  }

  /// The elements of a kReadList operation among ops().
  [[nodiscard]] std::span<const ValueId> elements(Op read) const {
    return elements(read.key(), read.list());
  }

  [[nodiscard]] std::span<const ValueId> elements(KeyId key, ListId list) const {
    return is_cut(list) ? cut_[list.literal_index() - history_.literal_list_count()]
                        : history_.elements(key, list);
  }

  /// Literal lists of the history and those that became such when they were cut.
  [[nodiscard]] std::size_t literal_list_count() const {
    return history_.literal_list_count() + cut_.size();
  }

  [[nodiscard]] const History& history() const { return history_; }

 private:
  class Cutter;

  [[nodiscard]] bool is_cut(ListId list) const {
    return !list.is_prefix() && list.literal_index() >= history_.literal_list_count();
  }

  [[nodiscard]] ListId id_of(KeyId key, std::span<const ValueId> elements);

  const History& history_;
  std::vector<Op> ops_;                        // empty: as the history has them
  std::vector<std::span<const ValueId>> cut_;  // by literal index beyond the history's
  std::map<std::pair<const ValueId*, std::size_t>, ListId> id_of_cut_;
};

}  // namespace elapid
