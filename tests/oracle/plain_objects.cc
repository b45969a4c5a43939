#include "tests/oracle/plain_objects.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "engine/linearize/types/functions.h"

namespace elapid {
namespace {

using linearize::ContainerF;
using linearize::CounterF;
using linearize::GrowOnlySetF;
using linearize::KvF;
using linearize::LockF;
using linearize::Operation;
using linearize::SetF;

template <class F>
Operation call(F f, ValueId argument = ValueId::none()) {
  Operation op;
  op.f = static_cast<std::uint8_t>(f);
  op.argument = argument;
  return op;
}

template <class F>
bool calls(const Operation& op, F f) {
  return op.f == static_cast<std::uint8_t>(f);
}

ValueId truth_of(bool is_true) {
  return is_true ? ValueId::integer(1) : ValuePool::false_value();
}

class PlainContainer : public PlainObject {
 public:
  PlainContainer(ContainerKind kind, std::size_t values, bool has_empty)
      : kind_(kind), values_(values), has_empty_(has_empty) {}

  Operation propose(Random& random, std::uint32_t /*client*/, std::uint32_t number) override {
    if (random.percent(50)) {
      return call(ContainerF::kRemove);
    }
    // New values in no order, so that priorities differ from it.
    const std::size_t value = values_ > 0 ? random.below(values_) : number * 7 % 101;
    return call(ContainerF::kAdd, ValueId::integer(static_cast<std::int64_t>(value)));
  }

  std::vector<PlainOutcome> outcomes(const PlainState& state, const Operation& op) const override {
    if (calls(op, ContainerF::kAdd)) {
      PlainState next = state;
      next.push_back(op.argument.as_integer());
      return {{ValueId::none(), sorted(std::move(next))}};
    }
    if (state.empty()) {
      return has_empty_ ? std::vector<PlainOutcome>{{ValueId::nil(), state}}
                        : std::vector<PlainOutcome>();
    }
    std::vector<PlainOutcome> all;
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (kind_ == ContainerKind::kBag ||
          i == (kind_ == ContainerKind::kFifo ? 0 : state.size() - 1)) {
        PlainState next = state;
        next.erase(next.begin() + static_cast<std::ptrdiff_t>(i));
        all.push_back({ValueId::integer(state[i]), std::move(next)});
      }
    }
    return all;
  }

  ValueId wrong_result(Random& random, const Operation& op) override {
    if (calls(op, ContainerF::kAdd)) {
      return ValueId::none();
    }
    return has_empty_ && random.percent(40)
               ? ValueId::nil()
               : ValueId::integer(static_cast<std::int64_t>(random.below(10) * 7 % 101));
  }

 private:
  PlainState sorted(PlainState state) const {
    if (kind_ == ContainerKind::kBag || kind_ == ContainerKind::kGreatestFirst) {
      std::sort(state.begin(), state.end());
    }
    return state;
  }

  ContainerKind kind_;
  std::size_t values_;
  bool has_empty_;
};

class PlainGrowOnlySet : public PlainObject {
 public:
  Operation propose(Random& random, std::uint32_t /*client*/, std::uint32_t /*number*/) override {
    return random.percent(50) ? call(GrowOnlySetF::kRead)
                              : call(GrowOnlySetF::kAdd,
                                     ValueId::integer(static_cast<std::int64_t>(random.below(10))));
  }

  std::vector<PlainOutcome> outcomes(const PlainState& state, const Operation& op) const override {
    const std::int64_t elements = state.empty() ? 0 : state[0];
    if (calls(op, GrowOnlySetF::kRead)) {
      return {{ValueId::integer(elements), state}};
    }
    return {{ValueId::none(), {elements | std::int64_t{1} << op.argument.as_integer()}}};
  }

  ValueId wrong_result(Random& random, const Operation& op) override {
    return calls(op, GrowOnlySetF::kRead) && !op.result.is_none()
               ? ValueId::integer(op.result.as_integer() ^ std::int64_t{1} << random.below(10))
               : op.result;
  }
};

/// States: the holder or permits held by each client, in a way of each kind.
class PlainLock : public PlainObject {
 public:
  explicit PlainLock(LockKind kind) : kind_(kind) {}

  Operation propose(Random& random, std::uint32_t client, std::uint32_t /*number*/) override {
    const bool is_acquire = kind_ == LockKind::kPlain ? random.percent(50) : random.percent(55);
    const std::size_t owner = random.percent(95) ? client : random.below(3);
    return call(is_acquire ? LockF::kAcquire : LockF::kRelease,
                kind_ == LockKind::kPlain ? ValueId::none()
                                          : ValueId::integer(static_cast<std::int64_t>(owner)));
  }

  std::vector<PlainOutcome> outcomes(const PlainState& state, const Operation& op) const override {
    const bool is_acquire = calls(op, LockF::kAcquire);
    if (kind_ == LockKind::kPlain) {
      const bool is_held = !state.empty();
      return is_held == is_acquire
                 ? std::vector<PlainOutcome>()
                 : std::vector<PlainOutcome>{
                       {ValueId::none(), is_acquire ? PlainState{1} : PlainState()}};
    }
    return kind_ == LockKind::kSemaphore ? permits(state, op) : holds(state, op);
  }

  ValueId wrong_result(Random& random, const Operation& op) override {
    const bool has_fence = kind_ == LockKind::kFenced || kind_ == LockKind::kReentrantFenced;
    return has_fence && calls(op, LockF::kAcquire)
               ? ValueId::integer(static_cast<std::int64_t>(random.below(7)))
               : op.result;
  }

 private:
  /// A state lists the owner of each permit in use.
  static std::vector<PlainOutcome> permits(const PlainState& state, const Operation& op) {
    PlainState next = state;
    if (calls(op, LockF::kAcquire)) {
      next.push_back(op.argument.as_integer());
      std::sort(next.begin(), next.end());
      return state.size() < 2 ? std::vector<PlainOutcome>{{ValueId::none(), next}}
                              : std::vector<PlainOutcome>();
    }
    const auto held = std::find(next.begin(), next.end(), op.argument.as_integer());
    if (held == next.end()) {
      return {};
    }
    next.erase(held);
    return {{ValueId::none(), next}};
  }

  /// A state is {owner or -1, holds, fence of the last acquire, fence of this hold}.
  std::vector<PlainOutcome> holds(const PlainState& state, const Operation& op) const {
    const PlainState old = state.empty() ? PlainState{-1, 0, 0, 0} : state;
    const std::int64_t owner = op.argument.as_integer();
    if (calls(op, LockF::kRelease)) {
      if (old[0] != owner) {
        return {};
      }
      return {{ValueId::none(), old[1] > 1 ? PlainState{owner, old[1] - 1, old[2], old[3]}
                                           : PlainState{-1, 0, old[2], 0}}};
    }
    const bool is_again = old[0] == owner;
    const bool is_reentrant = kind_ == LockKind::kReentrant || kind_ == LockKind::kReentrantFenced;
    const bool may_again = is_again && is_reentrant && old[1] < 2;
    if (old[0] != -1 && !may_again) {
      return {};
    }
    const std::int64_t holds = is_again ? old[1] + 1 : 1;
    if (kind_ == LockKind::kOwned || kind_ == LockKind::kReentrant) {
      return {{ValueId::none(), {owner, holds, 0, 0}}};
    }
    // No fence, that of the hold when acquired again, or any that is greater than all before. A
    // hold whose first acquire had no fence may have one later.
    std::vector<PlainOutcome> all = {{ValueId::integer(0), {owner, holds, old[2], old[3]}}};
    if (old[3] > 0) {
      all.push_back({ValueId::integer(old[3]), {owner, holds, old[2], old[3]}});
      return all;
    }
    for (std::int64_t fence = old[2] + 1; fence < 7; ++fence) {
      all.push_back({ValueId::integer(fence), {owner, holds, fence, fence}});
    }
    return all;
  }

  LockKind kind_;
};

class PlainCounter : public PlainObject {
 public:
  explicit PlainCounter(std::vector<std::int64_t> deltas) : deltas_(std::move(deltas)) {}

  Operation propose(Random& random, std::uint32_t /*client*/, std::uint32_t /*number*/) override {
    return random.percent(45) ? call(CounterF::kRead)
                              : call(CounterF::kAdd, ValueId::integer(random.pick(deltas_)));
  }

  std::vector<PlainOutcome> outcomes(const PlainState& state, const Operation& op) const override {
    const std::int64_t sum = state.empty() ? 0 : state[0];
    if (calls(op, CounterF::kRead)) {
      return {{ValueId::integer(sum), {sum}}};
    }
    return {{ValueId::none(), {sum + op.argument.as_integer()}}};
  }

  ValueId wrong_result(Random& random, const Operation& op) override {
    return calls(op, CounterF::kRead) && !op.result.is_none()
               ? ValueId::integer(op.result.as_integer() + random.pick(deltas_))
               : op.result;
  }

 private:
  std::vector<std::int64_t> deltas_;
};

class PlainFetchAndAdd : public PlainObject {
 public:
  explicit PlainFetchAndAdd(std::vector<std::int64_t> deltas) : deltas_(std::move(deltas)) {}

  Operation propose(Random& random, std::uint32_t /*client*/, std::uint32_t /*number*/) override {
    return call(0, ValueId::integer(random.pick(deltas_)));
  }

  std::vector<PlainOutcome> outcomes(const PlainState& state, const Operation& op) const override {
    const std::int64_t sum = state.empty() ? 0 : state[0];
    return {{ValueId::integer(sum), {sum + op.argument.as_integer()}}};
  }

  ValueId wrong_result(Random& random, const Operation& op) override {
    return op.result.is_none() ? op.result
                               : ValueId::integer(op.result.as_integer() + random.pick(deltas_));
  }

 private:
  std::vector<std::int64_t> deltas_;
};

class PlainUniqueIds : public PlainObject {
 public:
  Operation propose(Random& /*random*/, std::uint32_t /*client*/,
                    std::uint32_t /*number*/) override {
    return call(0);
  }

  std::vector<PlainOutcome> outcomes(const PlainState& state,
                                     const Operation& /*op*/) const override {
    std::vector<PlainOutcome> all;
    for (std::int64_t id = 0; id < 12; ++id) {
      if (std::find(state.begin(), state.end(), id) == state.end()) {
        PlainState next = state;
        next.push_back(id);
        std::sort(next.begin(), next.end());
        all.push_back({ValueId::integer(id), std::move(next)});
      }
    }
    return all;
  }

  ValueId wrong_result(Random& random, const Operation& /*op*/) override {
    return ValueId::integer(static_cast<std::int64_t>(random.below(12)));
  }
};

class PlainAddRemoveSet : public PlainObject {
 public:
  explicit PlainAddRemoveSet(bool has_results) : has_results_(has_results) {}

  Operation propose(Random& random, std::uint32_t /*client*/, std::uint32_t /*number*/) override {
    return call(static_cast<SetF>(random.below(3)),
                ValueId::integer(static_cast<std::int64_t>(random.below(3))));
  }

  std::vector<PlainOutcome> outcomes(const PlainState& state, const Operation& op) const override {
    PlainState next = state;
    const auto found = std::find(next.begin(), next.end(), op.argument.as_integer());
    const bool is_in = found != next.end();
    if (calls(op, SetF::kContains)) {
      return {{truth_of(is_in), state}};
    }
    const bool is_add = calls(op, SetF::kAdd);
    if (is_add && !is_in) {
      next.push_back(op.argument.as_integer());
      std::sort(next.begin(), next.end());
    } else if (!is_add && is_in) {
      next.erase(found);
    }
    return {{has_results_ ? truth_of(is_add != is_in) : ValueId::none(), next}};
  }

  ValueId wrong_result(Random& /*random*/, const Operation& op) override {
    return op.result.is_none() ? op.result : truth_of(op.result == ValuePool::false_value());
  }

 private:
  bool has_results_;
};

/// A state has the numbers of the texts that were put and appended since.
class PlainKv : public PlainObject {
 public:
  PlainKv(ValuePool& pool, std::size_t values) : pool_(pool), values_(values) {}

  Operation propose(Random& random, std::uint32_t /*client*/, std::uint32_t number) override {
    const std::array functions = {KvF::kGet,    KvF::kGet,    KvF::kGet,   KvF::kPut,
                                  KvF::kAppend, KvF::kAppend, KvF::kDelete};
    const KvF f = functions[random.below(functions.size())];
    const std::size_t text = values_ > 0 ? random.below(values_) : number;
    return call(f, f == KvF::kPut || f == KvF::kAppend ? text_of({static_cast<std::int64_t>(text)})
                                                       : ValueId::none());
  }

  std::vector<PlainOutcome> outcomes(const PlainState& state, const Operation& op) const override {
    if (calls(op, KvF::kGet)) {
      return {{state.empty() ? ValueId::nil() : text_of(state), state}};
    }
    if (calls(op, KvF::kDelete)) {
      return {{ValueId::none(), {}}};
    }
    PlainState next = calls(op, KvF::kPut) ? PlainState() : state;
    for (std::int64_t number = 0;; ++number) {
      if (text_of({number}) == op.argument) {
        next.push_back(number);
        return {{ValueId::none(), next}};
      }
    }
  }

  ValueId wrong_result(Random& random, const Operation& op) override {
    return calls(op, KvF::kGet) ? text_of({static_cast<std::int64_t>(random.below(4))}) : op.result;
  }

 private:
  [[nodiscard]] ValueId text_of(const PlainState& state) const {
    std::string text = "\"";
    for (const std::int64_t number : state) {
      text += "x" + std::to_string(number);
    }
    return pool_.intern(text + "\"");
  }

  ValuePool& pool_;
  std::size_t values_;
};

}  // namespace

std::unique_ptr<PlainObject> plain_container(ContainerKind kind, std::size_t values,
                                             bool has_empty) {
  return std::make_unique<PlainContainer>(kind, values, has_empty);
}

std::unique_ptr<PlainObject> plain_grow_only_set() {
  return std::make_unique<PlainGrowOnlySet>();
}

std::unique_ptr<PlainObject> plain_lock(LockKind kind) {
  return std::make_unique<PlainLock>(kind);
}

std::unique_ptr<PlainObject> plain_counter(std::vector<std::int64_t> deltas) {
  return std::make_unique<PlainCounter>(std::move(deltas));
}

std::unique_ptr<PlainObject> plain_fetch_and_add(std::vector<std::int64_t> deltas) {
  return std::make_unique<PlainFetchAndAdd>(std::move(deltas));
}

std::unique_ptr<PlainObject> plain_unique_ids() {
  return std::make_unique<PlainUniqueIds>();
}

std::unique_ptr<PlainObject> plain_add_remove_set(bool has_results) {
  return std::make_unique<PlainAddRemoveSet>(has_results);
}

std::unique_ptr<PlainObject> plain_kv(ValuePool& pool, std::size_t values) {
  return std::make_unique<PlainKv>(pool, values);
}

}  // namespace elapid
