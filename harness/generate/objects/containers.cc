// Queues, bags, stacks and priority queues: each value is added once. A remove takes one of the
// values inside, or answers nil.
//
//   a stack: push 1, push 2, pop -> 2, pop -> 1, pop -> nil
//
// Values inside are sorted by rank: the time of the add, the value itself, or a random number. A
// remove takes the first or the last value.
//
// Faults add values of their own. Visitors remove the values in front of these, so that a value is
// surely inside from its add to its remove, whatever removes are open.
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

enum class TakenValue : std::uint8_t { kOldest, kNewest, kGreatest, kAny };

class ContainerModel : public ObjectModel {
 public:
  ContainerModel(const WorkloadOptions& options, TakenValue taken)
      : removes_(options.reads), taken_(taken) {
    if (taken == TakenValue::kNewest) {
      add_ = "push";
      remove_ = "pop";
    } else if (taken == TakenValue::kGreatest) {
      add_ = "insert";
      remove_ = "poll";
    }
  }

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    if (random.per_million(removes_)) {
      return remove();
    }
    ObjectCall call = add(fresh_value());
    call.value.numbers[1] = static_cast<std::int64_t>(random.bits() >> 1U);  // the rank of a bag
    return call;
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    if (call.function == add_) {
      inside_.emplace(rank_of(call.value), call.value.numbers[0]);
      return {.value = call.value};
    }
    if (inside_.empty()) {
      return {};
    }
    const bool is_first = taken_ == TakenValue::kOldest || taken_ == TakenValue::kAny;
    const auto place = is_first ? inside_.begin() : std::prev(inside_.end());
    const std::int64_t value = place->second;
    inside_.erase(place);
    return {.value = ObjectValue::number(value)};
  }

  void tell_duplicate(FaultScript& script) {
    const std::int64_t value = add_one(script);
    remove_until(value, script);
    script.falsely(remove(), ObjectValue::number(value));
  }

  void tell_never_added(FaultScript& script) {
    script.falsely(remove(), ObjectValue::number(fresh_value()));
  }

  void tell_before_added(FaultScript& script) {
    const ObjectCall late = add(fresh_value());
    script.falsely(remove(), late.value);
    script.falsely(late, late.value);
  }

  void tell_false_empty(FaultScript& script) {
    const std::int64_t value = add_one(script);
    script.falsely(remove(), {});
    remove_until(value, script);
  }

  /// Adds two values, the smaller one first. They come out in the wrong order.
  void tell_out_of_order(FaultScript& script) {
    std::int64_t first = fresh_value();
    std::int64_t second = fresh_value();
    if (second < first) {
      std::swap(first, second);
    }
    script.really(add(first));
    script.really(add(second));
    for (int to_come = 2; to_come > 0;) {
      std::int64_t value = apply(remove(), kVisitor).value.numbers[0];
      if (value == first || value == second) {
        value = value == first ? second : first;
        --to_come;
      }
      script.falsely(remove(), ObjectValue::number(value));
    }
  }

  void tell_recovered(FaultScript& script) {
    const ObjectCall open = add(fresh_value());
    script.invoke(0, open);
    apply(open, kVisitor);
  }

 protected:
  ObjectCall add_of_fresh() { return add(fresh_value()); }

  /// Removes all values.
  [[nodiscard]] std::vector<std::int64_t> drained() {
    std::vector<std::int64_t> values;
    for (const auto& [rank, value] : std::exchange(inside_, {})) {
      values.push_back(value);
    }
    return values;
  }

 private:
  [[nodiscard]] ObjectCall add(std::int64_t value) const {
    return {.function = add_, .value = ObjectValue::number(value)};
  }

  [[nodiscard]] ObjectCall remove() const { return {.function = remove_}; }

  /// Numbers from 1 on. Priorities are spread over 32 bits, each once, by a multiplication with an
  /// odd number (Knuth, The Art of Computer Programming 3, section 6.4).
  std::int64_t fresh_value() {
    constexpr std::uint32_t kOdd = 2'654'435'769U;
    const std::uint32_t n = ++values_;
    return taken_ == TakenValue::kGreatest ? std::int64_t{n * kOdd} : std::int64_t{n};
  }

  std::pair<std::int64_t, std::int64_t> rank_of(const ObjectValue& value) {
    switch (taken_) {
      case TakenValue::kGreatest:
        return {value.numbers[0], 0};
      case TakenValue::kAny:
        return {value.numbers[1], adds_++};
      case TakenValue::kOldest:
      case TakenValue::kNewest:
        break;
    }
    return {0, adds_++};
  }

  std::int64_t add_one(FaultScript& script) {
    const std::int64_t value = fresh_value();
    script.really(add(value));
    return value;
  }

  void remove_until(std::int64_t value, FaultScript& script) {
    while (script.really(remove()).numbers[0] != value) {
    }
  }

  std::uint32_t removes_;
  TakenValue taken_;
  std::string_view add_ = "enqueue";
  std::string_view remove_ = "dequeue";
  std::uint32_t values_ = 0;
  std::int64_t adds_ = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> inside_ = {};
};

/// A queue that is emptied at the end. A dequeue of an empty queue fails. A crashed dequeue takes
/// nothing, but may have taken a value, so a fault loses more values than dequeues crashed.
class DrainedQueueModel : public ContainerModel {
 public:
  explicit DrainedQueueModel(const WorkloadOptions& options)
      : ContainerModel(options, TakenValue::kAny) {}

  ObjectReply apply(const ObjectCall& call, std::size_t session) override {
    ObjectReply reply = ContainerModel::apply(call, session);
    if (reply.value.shape == PlainValue::kNil) {
      reply.kind = ObjectReply::Kind::kRefused;
    }
    return reply;
  }

  [[nodiscard]] bool may_be_unheard(const ObjectCall& call) const override {
    return call.function == "enqueue";
  }

  void invoked(const ObjectCall& call) override { open_dequeues_ += is_dequeue(call) ? 1 : 0; }

  void returned(const ObjectCall& call, bool /*is_ok*/) override {
    open_dequeues_ -= is_dequeue(call) ? 1 : 0;
  }

  void finish(FaultScript& script) override {
    script.falsely({.function = "drain"}, ObjectValue::list(drained()));
  }

  void tell_lost(FaultScript& script) {
    for (std::int64_t left = open_dequeues_ + 1; left > 0; --left) {
      const ObjectCall lost = add_of_fresh();
      script.falsely(lost, lost.value);
    }
    finish(script);
  }

 private:
  static bool is_dequeue(const ObjectCall& call) { return call.function == "dequeue"; }

  std::int64_t open_dequeues_ = 0;
};

constexpr std::array kContainerFaults = {
    ObjectFault{"duplicate", "A value that was added once is removed twice",
                told_by<&ContainerModel::tell_duplicate>},
    ObjectFault{"never-added", "A value is removed that no operation adds",
                told_by<&ContainerModel::tell_never_added>},
    ObjectFault{"before-added", "A value is removed before its add is invoked",
                told_by<&ContainerModel::tell_before_added>},
    ObjectFault{"false-empty", "A remove finds nothing while a value is inside",
                told_by<&ContainerModel::tell_false_empty>},
    ObjectFault{"out-of-order", "Two values are removed in the wrong order",
                told_by<&ContainerModel::tell_out_of_order>},
};

constexpr std::span kFaultsWithoutOrder =
    std::span(kContainerFaults).first(kContainerFaults.size() - 1);

constexpr std::array kQueueFaults = {
    ObjectFault{"duplicate", "A value that was added once is removed twice",
                told_by<&ContainerModel::tell_duplicate>, "unexpected-dequeue"},
    ObjectFault{"never-added", "A value is removed that no operation adds",
                told_by<&ContainerModel::tell_never_added>, "unexpected-dequeue"},
    ObjectFault{"before-added", "A value is removed before its add is invoked",
                told_by<&ContainerModel::tell_before_added>, "unexpected-dequeue"},
};

constexpr std::array kTotalQueueFaults = {
    ObjectFault{.name = "lost",
                .about = "A value whose enqueue was acknowledged never comes out",
                .tell = told_by<&DrainedQueueModel::tell_lost>,
                .found_as = "lost",
                .place = FaultPlace::kEnd},
    ObjectFault{"unexpected", "A value comes out that no operation enqueues",
                told_by<&ContainerModel::tell_never_added>, "unexpected"},
    ObjectFault{.name = "duplicated",
                .about = "A value that was enqueued once comes out twice",
                .tell = told_by<&ContainerModel::tell_duplicate>,
                .is_allowed = true},
    ObjectFault{.name = "recovered",
                .about = "A value comes out whose enqueue never returned",
                .tell = told_by<&ContainerModel::tell_recovered>,
                .is_allowed = true},
};

template <TakenValue kTaken>
std::unique_ptr<ObjectModel> make_container(const WorkloadOptions& options) {
  return std::make_unique<ContainerModel>(options, kTaken);
}

}  // namespace

ObjectType fifo_queue_type() {
  return {"fifo-queue", make_container<TakenValue::kOldest>, kContainerFaults};
}

ObjectType unordered_queue_type() {
  return {"unordered-queue", make_container<TakenValue::kAny>, kFaultsWithoutOrder};
}

ObjectType queue_type() {
  return {"queue", make_container<TakenValue::kAny>, kQueueFaults};
}

ObjectType total_queue_type() {
  return {"total-queue", make_model<DrainedQueueModel>, kTotalQueueFaults};
}

ObjectType stack_type() {
  return {"stack", make_container<TakenValue::kNewest>, kContainerFaults};
}

ObjectType priority_queue_type() {
  return {"priority-queue", make_container<TakenValue::kGreatest>, kContainerFaults};
}

}  // namespace elapid
