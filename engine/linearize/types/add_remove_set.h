// A set of which single elements are added, removed and looked for.
//
//   add 1 -> true |--|
//   contains 1 -> false   |--|       not linearizable: 1 is in
//
// Elements do not depend on one another, so each is judged by itself (Horn and Kroening, FORTE
// 2015), as an object of two states, by model_sweep.h. The orders are put together by time
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

/// Of one element. States: {0} not in, {1} in.
class AddRemoveModel : public Model {
 public:
  [[nodiscard]] State initial() const override { return {0}; }

  void step(const State& state, const Operation& op, std::vector<State>& next) const override;

  /// An add or a remove whose result is false leaves the set as it is.
  [[nodiscard]] bool is_read(const Operation& op) const override;
};

}  // namespace elapid::linearize
