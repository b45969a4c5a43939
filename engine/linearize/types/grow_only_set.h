// A set with adds, and with reads of the whole set.
//
//   add 1 |--|
//   add 2 |--|
//   read {1}     |--|      not linearizable: 2 was added before
//
// The sets that were read must form a chain by inclusion. Then the history falls into groups, one
// after another: the elements of the smallest set, its reads, the further elements of the next set,
// its reads, and so on; last the elements that no read has. An element is added between the
// invocation of its first add and the first return among its adds. The history is linearizable iff
// no member of a group returned before a member of an earlier group was invoked.
//
// Proof: each order has these groups, since a read determines the elements before and after it.
// Conversely, let each member happen as soon as members of earlier groups and its own invocation
// allow: then it happens before its return. Later adds of an element change nothing. They happen
// when they are invoked and the element is there; none returned before that.
//
// An add that never returned counts from the first read that has its element, if there is one.
// Cost: O(elements read + n log n). The proof is this file's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/functions.h"
#include "engine/linearize/types/judgement.h"

namespace elapid::linearize {

/// The elements that each operation read; empty for adds.
class WholeReads {
 public:
  /// Adds the set of the next operation; each element once.
  void add(std::span<const ValueId> elements) {
    elements_.insert(elements_.end(), elements.begin(), elements.end());
    begin_.push_back(elements_.size());
  }

  [[nodiscard]] std::span<const ValueId> of(std::size_t place) const {
    return std::span(elements_).subspan(begin_[place], begin_[place + 1] - begin_[place]);
  }

 private:
  std::vector<ValueId> elements_;
  std::vector<std::size_t> begin_ = {0};
};

/// The operations are those of GrowOnlySetF, without reads that never returned.
[[nodiscard]] Judgement judge_grow_only_set(const Operations& operations, const WholeReads& reads);

}  // namespace elapid::linearize
