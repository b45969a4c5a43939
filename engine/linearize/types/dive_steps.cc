#include "engine/linearize/types/dive_steps.h"

#include <algorithm>
#include <map>

namespace elapid::linearize {

namespace {

/// How many steps behind the last one a transaction may have taken effect unseen.
constexpr std::size_t kMostStepsBack = 50;

/// What comes next to each cell that a transaction writes, looked at from the last step backwards.
class NextAccesses {
 public:
  explicit NextAccesses(const std::vector<Cell>& writes)
      : writes_(writes), next_(writes.size(), Access::kNone) {}

  void meet(const RegisterEffect& other) {
    for (std::size_t k = 0; k < next_.size(); ++k) {
      const std::uint32_t number = writes_[k].first;
      next_[k] = has(other.reads, number)    ? Access::kRead
                 : has(other.writes, number) ? Access::kWrite
                                             : next_[k];
    }
  }

  /// Nothing reads what it writes, and something is overwritten.
  [[nodiscard]] bool are_unseen() const {
    return std::ranges::find(next_, Access::kRead) == next_.end() &&
           std::ranges::find(next_, Access::kWrite) != next_.end();
  }

  [[nodiscard]] std::vector<Cell> visible() const {
    std::vector<Cell> visible;
    for (std::size_t k = 0; k < next_.size(); ++k) {
      if (next_[k] == Access::kNone) {
        visible.push_back(writes_[k]);
      }
    }
    return visible;
  }

 private:
  enum class Access : std::uint8_t { kNone, kRead, kWrite };

  const std::vector<Cell>& writes_;
  std::vector<Access> next_;
};

}  // namespace

std::uint32_t DiveSteps::add(std::uint32_t before, std::uint32_t place, std::uint32_t next) {
  const auto fresh = static_cast<std::uint32_t>(steps_.size());
  const std::uint32_t use = operations_[place].is_open() ? fresh : last_use(before);
  steps_.push_back({before, place, next, use});
  return fresh;
}

std::uint32_t DiveSteps::hiding_step(std::uint32_t last, const RegisterEffect& hidden) const {
  std::uint32_t step = last;
  while (steps_[step].next != kNoStep || !hides(effect(step), hidden)) {
    step = steps_[step].before;
  }
  return step;
}

std::optional<DiveSteps::Unseen> DiveSteps::unseen(std::uint32_t last, std::size_t first,
                                                   std::uint32_t place) const {
  NextAccesses next(effects_.of(place).writes);
  std::vector<std::uint32_t> inserted;
  std::uint32_t step = last;
  for (std::size_t k = 0; k < kMostStepsBack && step != kNoStep && step >= first; ++k) {
    if (steps_[step].next != kNoStep) {
      inserted.push_back(step);
    } else {
      next.meet(effect(step));
      if (next.are_unseen()) {
        return Unseen{step, next.visible()};
      }
      for (const std::uint32_t other : inserted) {
        if (steps_[other].next == step) {
          next.meet(effect(other));
        }
      }
    }
    step = steps_[step].before;
  }
  return std::nullopt;
}

std::vector<std::uint32_t> DiveSteps::order_to(std::uint32_t last) const {
  std::map<std::uint32_t, std::vector<std::uint32_t>> inserted;  // the latest first
  std::vector<std::uint32_t> order;
  for (std::uint32_t step = last; step != kNoStep; step = steps_[step].before) {
    const std::uint32_t place = steps_[step].place;
    if (steps_[step].next != kNoStep) {
      inserted[steps_[step].next].push_back(place);
      continue;
    }
    order.push_back(place);
    const std::vector<std::uint32_t>& others = inserted[step];
    order.insert(order.end(), others.begin(), others.end());
  }
  std::ranges::reverse(order);
  return order;
}

}  // namespace elapid::linearize
