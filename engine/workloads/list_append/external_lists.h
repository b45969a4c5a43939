// Lists as others left them: each read without the reader's own elements.
//
// A transaction sees its own appends after all elements that existed at its start. They may have
// another place after its commit. So only the elements before them determine the order of versions
// and the transactions that were read from (docs/levels.md).
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// The operations of a history, with own elements removed from the end of each list read. A read
/// that does not end with the own elements becomes an operation of kind kOther, since it shows
/// nothing about others. Operations keep their places. 8 bytes an operation, if anything is
/// removed. Linear in operations, own elements, and elements of literal lists with own ones.
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

  /// The number of literal lists: those of the history, and those made literal by removals.
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
  std::vector<Op> ops_;                        // empty: those of the history
  std::vector<std::span<const ValueId>> cut_;  // by literal index beyond the history's
  std::map<std::pair<const ValueId*, std::size_t>, ListId> id_of_cut_;
};

}  // namespace elapid
