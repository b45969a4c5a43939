#include "engine/linearize/effect_order.h"

#include <algorithm>
#include <compare>
#include <optional>

#include "engine/linearize/register.h"

namespace elapid::linearize {

namespace {

class EffectOrder {
 public:
  EffectOrder(const Operations& operations, const std::vector<Effect>& effects, ValueId initial)
      : operations_(operations), effects_(effects), is_effect_(operations.size()) {
    contents_.push_back(initial);
    for (const Effect& effect : effects) {
      const Operation& operation = operations[effect.operation];
      const bool is_write = register_f(operation) == RegisterF::kWrite;
      contents_.push_back(is_write ? operation.argument : operation.result);
      is_effect_[effect.operation] = true;
    }
  }

  std::vector<std::uint32_t> make() {
    for (std::uint32_t i = 0; i < effects_.size(); ++i) {
      places_.push_back({.effect = i, .role = Role::kEffect, .operation = effects_[i].operation});
    }
    for (std::uint32_t i = 0; i < operations_.size(); ++i) {
      if (!is_effect_[i] && !operations_[i].is_open()) {
        place(i);
      }
    }
    std::ranges::sort(places_);
    std::vector<std::uint32_t> order;
    for (const Place& place : places_) {
      order.push_back(place.operation);
    }
    return order;
  }

 private:
  /// Operations that change nothing while the content lasts come first, then writes that the effect
  /// hides, then the effect.
  enum class Role : std::uint8_t { kWithin, kHidden, kEffect };

  /// An effect, or a place just before one. `effect` is the number of effects if the place is
  /// behind all.
  struct Place {
    std::uint32_t effect = 0;
    Role role = Role::kEffect;
    std::uint32_t instant = 0;
    std::uint32_t operation = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  void place(std::uint32_t number) {
    const Operation& operation = operations_[number];
    if (register_f(operation) != RegisterF::kWrite) {
      place_where(number, [&](ValueId content) {
        return RegisterModel::after(content, operation) == content;
      });
    } else if (const auto write = write_within(operation)) {
      places_.push_back({.effect = *write, .role = Role::kHidden, .operation = number});
    } else {
      place_where(number, [&](ValueId content) { return content == operation.argument; });
    }
  }

  /// The first write that takes effect in the operation's interval.
  [[nodiscard]] std::optional<std::uint32_t> write_within(const Operation& operation) const {
    for (std::size_t i = first_after(operation.invoked);
         i < effects_.size() && effects_[i].time <= operation.returned; ++i) {
      if (register_f(operations_[effects_[i].operation]) == RegisterF::kWrite) {
        return static_cast<std::uint32_t>(i);
      }
    }
    return std::nullopt;
  }

  /// The first effect later than `time`.
  [[nodiscard]] std::size_t first_after(std::uint32_t time) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(effects_, time, {}, &Effect::time) -
                                    effects_.begin());
  }

  /// Puts the operation behind the first effect, or before all, that leaves a fitting content while
  /// the operation is open.
  template <class Fits>
  void place_where(std::uint32_t number, Fits fits) {
    const Operation& operation = operations_[number];
    for (std::size_t i = first_after(operation.invoked);; ++i) {
      const std::uint32_t since = i == 0 ? 0 : effects_[i - 1].time;
      if (i > effects_.size() || since > operation.returned) {
        return;
      }
      if (fits(contents_[i])) {
        // In front of the effect that ends the content, ordered by the instant.
        places_.push_back({.effect = static_cast<std::uint32_t>(i),
                           .role = Role::kWithin,
                           .instant = std::max(since, operation.invoked),
                           .operation = number});
        return;
      }
    }
  }

  const Operations& operations_;
  const std::vector<Effect>& effects_;
  std::vector<ValueId> contents_;  // before each effect, and after the last
  std::vector<bool> is_effect_;
  std::vector<Place> places_;
};

}  // namespace

std::vector<std::uint32_t> order_of_effects(const Operations& operations,
                                            const std::vector<Effect>& effects, ValueId initial) {
  return EffectOrder(operations, effects, initial).make();
}

}  // namespace elapid::linearize
