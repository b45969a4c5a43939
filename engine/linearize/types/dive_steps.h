// Which transactions took effect in a quick search (multi_register_dive.h), as a tree of steps.
//
//   write x 1 - write y 2 - read y 2        two possibilities have their last steps at the ends
//                         \ write x 3
//
// A transaction may also be found out later: it took effect just before an earlier step, where
// nothing saw it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/register_effect.h"

namespace elapid::linearize {

inline constexpr std::uint32_t kNoStep = 0xffffffffU;

class DiveSteps {
 public:
  DiveSteps(const Operations& operations, const RegisterEffects& effects)
      : operations_(operations), effects_(effects) {}

  [[nodiscard]] std::size_t size() const { return steps_.size(); }

  /// Drops all behind the first `size`.
  void resize(std::size_t size) { steps_.resize(size); }

  /// The new step, after `before`. The transaction takes effect now, or just before the step
  /// `next`.
  std::uint32_t add(std::uint32_t before, std::uint32_t place, std::uint32_t next = kNoStep);

  /// Calls `see` with each transaction up to the step that never returned.
  template <class See>
  void for_each_use(std::uint32_t last, const See& see) const {
    std::uint32_t step = last_use(last);
    while (step != kNoStep) {
      see(steps_[step].place);
      step = last_use(steps_[step].before);
    }
  }

  /// The last step up to `last` that hides the effect. Requires that there is one.
  [[nodiscard]] std::uint32_t hiding_step(std::uint32_t last, const RegisterEffect& hidden) const;

  struct Unseen {
    std::uint32_t next;         ///< the transaction may take effect just before this step
    std::vector<Cell> visible;  ///< of what it writes, the cells that nothing accessed since
  };

  /// The last step up to `last`, and from `first` on, before which the transaction may take effect
  /// unseen, though a part of what it writes is overwritten since. Looks at the last few steps.
  [[nodiscard]] std::optional<Unseen> unseen(std::uint32_t last, std::size_t first,
                                             std::uint32_t place) const;

  [[nodiscard]] std::vector<std::uint32_t> order_to(std::uint32_t last) const;

 private:
  struct Step {
    std::uint32_t before;
    std::uint32_t place;
    std::uint32_t next;  // it took effect just before this step; or kNoStep
    std::uint32_t
        last_use;  // the last step so far of a transaction that never returned; or kNoStep
  };

  [[nodiscard]] std::uint32_t last_use(std::uint32_t step) const {
    return step == kNoStep ? kNoStep : steps_[step].last_use;
  }

  [[nodiscard]] const RegisterEffect& effect(std::uint32_t step) const {
    return effects_.of(steps_[step].place);
  }

  const Operations& operations_;
  const RegisterEffects& effects_;
  std::vector<Step> steps_;
};

}  // namespace elapid::linearize
