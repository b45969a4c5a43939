// A set to which elements are added, and which is read as a whole.
//
//   add 1 |--|
//   add 2 |--|
//   read {1}     |--|      not linearizable: 2 was added before
//
// The sets that were read must be a chain by inclusion. Then the history falls into groups, one
// after another: elements that the smallest set has, reads of it, elements that the next one has
// more, reads of it, and so on; last the elements that no read has. An element comes in between the
// invocation of its first add and the return of that which returns first. The history is
// linearizable iff no member of a group returned before one of an earlier group was invoked.
//
// Proof: each order has these groups, for a read says which elements came before it and which after
// it. Conversely, let each member happen as soon as those of earlier groups and its own invocation
// allow: then it happens before its return. Later adds of an element change nothing, and happen as
// soon as they are invoked and the element is there; none returned before that.
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

/// What each operation read: nothing of adds.
class WholeReads {
 public:
  /// Of the next operation; each element once.
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
