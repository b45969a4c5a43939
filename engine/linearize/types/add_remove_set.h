// A set with adds, removes and tests of single elements.
//
//   add 1 -> true |--|
//   contains 1 -> false   |--|       not linearizable: 1 is in
//
// Elements are independent, so each is judged by itself (Horn and Kroening, FORTE 2015) by
// model_sweep.h, as an object with two states. The orders are merged by time
// (timed_order.h).
#pragma once

#include <cstdint>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/functions.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

/// The operations are those of SetF.
[[nodiscard]] Judgement judge_add_remove_set(const Operations& operations,
                                             std::uint64_t work = kDefaultWork);

/// States: the elements in the set, sorted.
class AddRemoveModel : public Model {
 public:
  void step(const State& state, const Operation& op, std::vector<State>& next) const override;

  /// An add or a remove with the result false leaves the set unchanged.
  [[nodiscard]] bool is_read(const Operation& op) const override;
};

}  // namespace elapid::linearize
