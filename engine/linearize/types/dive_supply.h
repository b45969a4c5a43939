// Transactions that never return, as a supply for a quick search (multi_register_dive.h): equal
// ones are interchangeable, so possibilities use the first of each class first.
//
//   write x 1, thrice invoked and never returned; two used      the third can still take effect
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/dive_steps.h"
#include "engine/linearize/types/register_effect.h"

namespace elapid::linearize {

class DiveSupply {
 public:
  DiveSupply(const Operations& operations, const RegisterEffects& effects);

  /// The transaction never returns.
  void invoke(std::uint32_t place) { classes_[number_of(place)].invoked.push_back(place); }

  /// Takes the last invocation back.
  void undo(std::uint32_t place) { classes_[number_of(place)].invoked.pop_back(); }

  /// From now on best() is about what a possibility with this last step did not use.
  void count_uses(const DiveSteps& steps, std::uint32_t last);

  /// The best unused ones that write the cell for one that needs it, a few: those that write more
  /// of what it needs, and less of something else. `values`: what the registers hold. Adds to
  /// `work` what it costs.
  [[nodiscard]] std::vector<std::uint32_t> best(std::span<const std::uint32_t> values,
                                                const Cell& cell, const RegisterEffect& needy,
                                                std::uint64_t& work) const;

 private:
  struct Class {
    const RegisterEffect* effect;
    std::vector<std::uint32_t> invoked = {};  ///< so far
    std::size_t used = 0;
  };

  [[nodiscard]] std::uint32_t number_of(std::uint32_t place) const {
    return number_of_class_[effects_.class_of(place)];
  }

  const RegisterEffects& effects_;
  std::vector<std::uint32_t> number_of_class_;  // of effects
  std::vector<Class> classes_;
  std::map<Cell, std::vector<std::uint32_t>> writers_;  // numbers of classes
};

}  // namespace elapid::linearize
