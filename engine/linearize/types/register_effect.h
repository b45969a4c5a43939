// What a transaction needs of several registers, and what it leaves in them.
//
//   read x 1, write x 2, write x 3, read x 3, write y 4      needs x 1; leaves x 3, y 4
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/effect_classes.h"
#include "engine/linearize/types/multi_register.h"

namespace elapid::linearize {

/// The number of a register, and the bits of a value.
using Cell = std::pair<std::uint32_t, std::uint32_t>;

struct RegisterEffect {
  std::vector<Cell> reads;   ///< by register
  std::vector<Cell> writes;  ///< by register
  bool is_possible = true;   ///< whether its reads agree with each other and with its writes
};

/// Whether one of the cells is of the register. The cells are sorted.
[[nodiscard]] bool has(const std::vector<Cell>& cells, std::uint32_t number);

/// Whether the hidden one may take effect just before the other one, unseen.
[[nodiscard]] bool hides(const RegisterEffect& effect, const RegisterEffect& hidden);

/// Whether the other one may have to take effect before the first one, which changes what it needs,
/// or overwrites a part of what it writes.
[[nodiscard]] bool hinders(const RegisterEffect& effect, const RegisterEffect& other);

/// The effects of transactions. Equal ones are one class. Registers are numbered in the order of
/// their keys.
class RegisterEffects {
 public:
  RegisterEffects(const Operations& operations, const RegisterCalls& calls,
                  const InitialValues& initial);

  [[nodiscard]] const RegisterEffect& of(std::uint32_t place) const {
    return effects_[classes_.of[place]];
  }

  [[nodiscard]] std::uint32_t class_of(std::uint32_t place) const { return classes_.of[place]; }

  [[nodiscard]] std::size_t class_count() const { return effects_.size(); }

 private:
  EffectClasses classes_;
  std::vector<RegisterEffect> effects_;  // by class
};

}  // namespace elapid::linearize
