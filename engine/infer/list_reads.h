// The reads of lists, and what is odd in the lists that they show.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// Calls `visit(txn, mop, op)` for every list read of the transactions that `includes` accepts.
template <class Includes, class Visit>
void each_list_read(const History& history, Includes includes, Visit visit) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::span<const Op> ops = includes(TxnId{t}) ? history.ops({t}) : std::span<const Op>();
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      if (ops[mop].kind() == OpKind::kReadList) {
        visit(TxnId{t}, mop, ops[mop]);
      }
    }
  }
}

/// Places in a list, in ascending order.
using ListPlaces = std::vector<std::uint32_t>;

/// For each list that was read, the places of its bad elements. An element is bad or not by the
/// elements before it. Each list of the history is looked at once, however often it was read.
class BadElements {
 public:
  /// The places of all bad elements of a list of the key.
  using Find = std::function<ListPlaces(KeyId, std::span<const ValueId>)>;

  BadElements(const History& history, Find find);

  /// Those of the list that `read` shows. Requires OpKind::kReadList.
  [[nodiscard]] std::span<const std::uint32_t> of(Op read);

 private:
  const History& history_;
  Find find_;
  std::vector<ListPlaces> in_trunk_;    // by key
  std::vector<ListPlaces> in_literal_;  // by literal list
  std::vector<bool> is_literal_known_;
};

/// The places of the elements that the list shows before, too.
[[nodiscard]] ListPlaces repeated_places(std::span<const ValueId> elements);

/// The elements, each only at its first place.
[[nodiscard]] std::vector<ValueId> without_repetitions(std::span<const ValueId> elements);

}  // namespace elapid
