#include "engine/linearize/types/lock.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/ir/int_map.h"
#include "engine/linearize/types/model_sweep.h"
#include "engine/linearize/types/part.h"

namespace elapid::linearize {
namespace {

constexpr std::uint32_t kNoLockPlace = 0xffffffffU;
constexpr std::uint32_t kFree = 0xffffffffU;  // ValueId::none(): no owner
constexpr std::uint32_t kAnyOwner = ValueId::nil().bits();

bool is_acquire(const Operation& op) {
  return op.f == static_cast<std::uint8_t>(LockF::kAcquire);
}

/// Plain locks. An open operation takes effect only where the others need it.
class Alternation {
 public:
  explicit Alternation(const Operations& operations) : operations_(operations) {}

  Judgement run() && {
    for (const Operation& op : operations_) {
      if (Judgement judgement = returns_before(op.invoked); judgement.pattern != Pattern::kNone) {
        return judgement;
      }
      const auto place = static_cast<std::uint32_t>(&op - operations_.data());
      waiting(op).emplace(op.returned, place);
      if (!op.is_open()) {
        returns_.emplace(op.returned, place);
      }
    }
    Judgement judgement = returns_before(kNever);
    return judgement.pattern == Pattern::kNone ? linearizable(std::move(order_)) : judgement;
  }

 private:
  using Waiting = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // return and place

  Waiting& waiting(const Operation& op) { return is_acquire(op) ? acquires_ : releases_; }

  Judgement returns_before(std::uint32_t instant) {
    while (!returns_.empty() && returns_.begin()->first < instant) {
      const std::uint32_t place = returns_.begin()->second;
      returns_.erase(returns_.begin());
      const Operation& op = operations_[place];
      if (!waiting(op).contains({op.returned, place})) {
        continue;
      }
      if (is_acquire(op) == is_held_ && !happen(is_acquire(op) ? releases_ : acquires_)) {
        return refuted(is_acquire(op) ? Pattern::kNotReleased : Pattern::kNotHeld, {place});
      }
      happen(waiting(op));
    }
    return {};
  }

  /// Lets the one that returns first take effect.
  bool happen(Waiting& waiting) {
    if (waiting.empty()) {
      return false;
    }
    order_.push_back(waiting.begin()->second);
    waiting.erase(waiting.begin());
    is_held_ = !is_held_;
    return true;
  }

  const Operations& operations_;
  Waiting acquires_;
  Waiting releases_;
  Waiting returns_;
  bool is_held_ = false;
  std::vector<std::uint32_t> order_;
};

/// From an acquire to its release.
struct Hold {
  std::uint32_t acquire;
  std::uint32_t release = kNoLockPlace;
};

/// Whether the two may be one owner.
bool may_agree(std::uint32_t one, std::uint32_t other) {
  return one == other || one == kAnyOwner || other == kAnyOwner;
}

/// The owner that two who agree are.
std::uint32_t known_owner(std::uint32_t one, std::uint32_t other) {
  return one == kAnyOwner ? other : one;
}

/// Locks by owner; nothing if an owner's operations do not follow one another, or an owner is
/// unknown.
class Holds {
 public:
  explicit Holds(const Operations& operations) : operations_(operations) {}

  std::optional<Judgement> run() && {
    for (const Operation& op : operations_) {
      Owner& owner = owner_of(op);
      if (owner.last_return > op.invoked || op.argument.is_nil()) {
        return std::nullopt;
      }
      owner.last_return = op.returned;
    }
    for (std::uint32_t place = 0; place < operations_.size(); ++place) {
      Owner& owner = owner_of(operations_[place]);
      if (Judgement judgement = take(owner, place); judgement.pattern != Pattern::kNone) {
        return judgement;
      }
    }
    return disjoint();
  }

 private:
  struct Owner {
    std::uint32_t last_return = 0;
    std::uint32_t hold = kNoLockPlace;  ///< that it has now
  };

  Owner& owner_of(const Operation& op) {
    const auto fresh = static_cast<std::uint32_t>(owners_.size());
    const std::uint32_t number = number_of_.find_or_add(op.argument.bits(), fresh);
    if (number == fresh) {
      owners_.emplace_back();
    }
    return owners_[number];
  }

  Judgement take(Owner& owner, std::uint32_t place) {
    const Operation& op = operations_[place];
    if (is_acquire(op)) {
      if (op.is_open()) {
        return {};  // no operation of its owner follows
      }
      if (owner.hold != kNoLockPlace) {
        return refuted(Pattern::kTwoOwners, {holds_[owner.hold].acquire, place});
      }
      owner.hold = static_cast<std::uint32_t>(holds_.size());
      holds_.push_back({place});
      return {};
    }
    if (owner.hold == kNoLockPlace) {
      return op.is_open() ? Judgement() : refuted(Pattern::kNotHeld, {place});
    }
    holds_[std::exchange(owner.hold, kNoLockPlace)].release = place;
    return {};
  }

  Judgement disjoint() {
    std::sort(holds_.begin(), holds_.end(), [this](const Hold& a, const Hold& b) {
      return operations_[a.acquire].returned < operations_[b.acquire].returned;
    });
    std::vector<std::uint32_t> order;
    for (std::size_t i = 0; i < holds_.size(); ++i) {
      if (i > 0 && end_of(holds_[i - 1]) > operations_[holds_[i].acquire].returned) {
        return refuted(Pattern::kTwoOwners, {holds_[i - 1].acquire, holds_[i].acquire});
      }
      order.push_back(holds_[i].acquire);
      if (holds_[i].release != kNoLockPlace) {
        order.push_back(holds_[i].release);
      }
    }
    return linearizable(std::move(order));
  }

  [[nodiscard]] std::uint32_t end_of(const Hold& hold) const {
    return hold.release == kNoLockPlace ? kNever : operations_[hold.release].invoked;
  }

  const Operations& operations_;
  IntMap number_of_;
  std::vector<Owner> owners_;
  std::vector<Hold> holds_;
};

std::vector<ValueId> results_of(const Operations& operations) {
  std::vector<ValueId> results = {ValueId::integer(0)};
  for (const Operation& op : operations) {
    results.push_back(op.result);
  }
  return results;
}

/// Those of unknown owners never returned, so they may be left out.
Part of_known_owners(const Operations& operations) {
  Part part;
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    if (!operations[place].argument.is_nil()) {
      part.add(operations[place], place);
    }
  }
  return part;
}

}  // namespace

Judgement judge_lock(const Operations& operations, const LockRules& rules, const ValuePool& pool,
                     std::uint64_t work) {
  if (rules.kind == LockKind::kPlain) {
    return Alternation(operations).run();
  }
  const Part known = of_known_owners(operations);
  if (known.operations.size() < operations.size()) {
    Judgement judgement = judge_lock(known.operations, rules, pool, work);
    if (judgement.answer == Answer::kLinearizable) {
      return known.of_whole(std::move(judgement));
    }
  }
  if (rules.kind == LockKind::kOwned) {
    if (std::optional<Judgement> judgement = Holds(operations).run(); judgement.has_value()) {
      return *std::move(judgement);
    }
  }
  return sweep(operations, LockModel(operations, rules, pool), work);
}

LockModel::LockModel(const Operations& operations, const LockRules& rules, const ValuePool& pool)
    : rules_(rules), ranks_(results_of(operations), pool) {}

State LockModel::initial() const {
  return rules_.kind == LockKind::kSemaphore ? State() : State{kFree, 0, 0, 0};
}

void LockModel::step(const State& state, const Operation& op, std::vector<State>& next) const {
  if (rules_.kind == LockKind::kSemaphore) {
    step_permit(state, op, next);
  } else if (is_acquire(op)) {
    step_acquire(state, op, next);
  } else {
    step_release(state, op, next);
  }
}

void LockModel::step_release(const State& state, const Operation& op,
                             std::vector<State>& next) const {
  const std::uint32_t owner = op.argument.bits();
  if (state[1] == 0 || !(rules_.kind == LockKind::kPlain || may_agree(state[0], owner))) {
    return;
  }
  if (state[1] > 1) {
    next.push_back({known_owner(state[0], owner), state[1] - 1, state[2], state[3]});
  } else {
    next.push_back({kFree, 0, state[2], 0});
  }
}

void LockModel::step_permit(const State& state, const Operation& op,
                            std::vector<State>& next) const {
  const std::uint32_t owner = op.argument.bits();
  if (is_acquire(op)) {
    if (state.size() < rules_.limit) {
      next.push_back(state);
      next.back().push_back(owner);
      std::sort(next.back().begin(), next.back().end());
    }
    return;
  }
  // A release of an unknown owner that gives back any other permit would be no better.
  const bool is_of_these =
      owner == kAnyOwner && std::ranges::find(state, kNeverReleases.bits()) != state.end();
  for (auto held = state.begin(); held != state.end(); ++held) {
    const bool is_first = held == state.begin() || *held != *std::prev(held);
    if (is_first && (is_of_these ? *held == kNeverReleases.bits() : may_agree(*held, owner))) {
      next.push_back(state);
      next.back().erase(next.back().begin() + (held - state.begin()));
    }
  }
}

void LockModel::step_acquire(const State& state, const Operation& op,
                             std::vector<State>& next) const {
  const bool is_reentrant =
      rules_.kind == LockKind::kReentrant || rules_.kind == LockKind::kReentrantFenced;
  const bool is_again = is_reentrant && state[1] > 0 && may_agree(state[0], op.argument.bits());
  const std::uint32_t owner =
      is_again ? known_owner(state[0], op.argument.bits()) : op.argument.bits();
  if (state[1] > 0 && !(is_again && state[1] < rules_.limit)) {
    return;
  }
  const std::uint32_t fence = fence_of(op);
  const std::uint32_t old = is_again ? state[3] : 0;
  if (fence == 0 || fence == old) {
    next.push_back({owner, state[1] + 1, state[2], old});
  } else if (old == 0 && fence > state[2]) {
    next.push_back({owner, state[1] + 1, fence, fence});
  }
}

std::uint32_t LockModel::fence_of(const Operation& op) const {
  const bool is_fenced =
      rules_.kind == LockKind::kFenced || rules_.kind == LockKind::kReentrantFenced;
  const std::uint32_t rank = ranks_.of(op.result);
  const std::uint32_t none = ranks_.of(ValueId::integer(0));
  return is_fenced && rank != IntMap::kAbsent && rank > none ? rank - none : 0;
}

}  // namespace elapid::linearize
