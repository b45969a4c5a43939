// The objects of docs/forks-and-orders.md: a set of values that are written once, rows that are all
// set to one value, and a register with the time.
//
//   write 1, write 2, read -> [1 2]     causal-reverse
//   write 5, read -> [5 5 5]            dirty-reads
//   inc -> [1 1], read -> [1 1]         monotonic-faunadb: a timestamp and the value
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

ObjectCall write_of(std::int64_t value) {
  return {.function = "write", .value = ObjectValue::number(value)};
}

ObjectCall read_all() {
  return {.function = "read"};
}

class WrittenSetModel : public ObjectModel {
 public:
  explicit WrittenSetModel(const WorkloadOptions& options) : reads_(options.reads) {}

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    return random.per_million(reads_) ? read_all() : write_of(fresh_++);
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    if (call.function == "read") {
      return {.value = ObjectValue::list(values_)};
    }
    values_.push_back(call.value.numbers[0]);
    return {.value = call.value};
  }

  void tell_reverse(FaultScript& script) {
    const std::int64_t before = fresh_++;
    script.really(write_of(before));
    script.really(write_of(fresh_++));
    std::vector<std::int64_t> values = values_;
    std::erase(values, before);
    script.falsely(read_all(), ObjectValue::list(std::move(values)));
  }

 private:
  std::uint32_t reads_;
  std::int64_t fresh_ = 1;
  std::vector<std::int64_t> values_ = {};
};

class EqualRowsModel : public ObjectModel {
 public:
  explicit EqualRowsModel(const WorkloadOptions& options) : reads_(options.reads) {}

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    return random.per_million(reads_) ? read_all() : write_of(fresh_++);
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    if (call.function == "read") {
      return {.value = ObjectValue::list(std::vector<std::int64_t>(kRowCount, value_))};
    }
    value_ = call.value.numbers[0];
    return {.value = call.value};
  }

  void tell_dirty(FaultScript& script) {
    const std::int64_t value = fresh_++;
    script.refused(write_of(value));
    std::vector<std::int64_t> rows(kRowCount, value_);
    rows.back() = value;
    script.falsely(read_all(), ObjectValue::list(std::move(rows)));
  }

 private:
  static constexpr std::size_t kRowCount = 4;

  std::uint32_t reads_;
  std::int64_t fresh_ = 1;
  std::int64_t value_ = 0;
};

class TimedRegisterModel : public ObjectModel {
 public:
  explicit TimedRegisterModel(const WorkloadOptions& options) : reads_(options.reads) {}

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    return {.function = random.per_million(reads_) ? "read" : "inc"};
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    ++now_;
    value_ += call.function == "inc" ? 1 : 0;
    return {.value = pair(now_, value_)};
  }

  void tell_falling_value(FaultScript& script) {
    script.really({.function = "inc"});
    script.falsely({.function = "read"}, pair(now_, value_ - 1));
  }

  void tell_falling_timestamp(FaultScript& script) {
    script.really({.function = "inc"});
    script.falsely({.function = "read"}, pair(now_ - 1, value_));
  }

 private:
  static ObjectValue pair(std::int64_t time, std::int64_t value) {
    return {.shape = PlainValue::kPair, .numbers = {time, value}};
  }

  std::uint32_t reads_;
  std::int64_t now_ = 0;
  std::int64_t value_ = 0;
};

constexpr std::array kReverseFaults = {
    ObjectFault{"causal-reverse", "A read shows a write without one acknowledged before it began",
                told_by<&WrittenSetModel::tell_reverse>, "causal-reverse"},
};

constexpr std::array kDirtyReadFaults = {
    ObjectFault{"dirty-read", "A read shows a value whose write failed",
                told_by<&EqualRowsModel::tell_dirty>, "dirty-read"},
};

constexpr std::array kFallingFaults = {
    ObjectFault{"falling-value", "A process sees the register fall",
                told_by<&TimedRegisterModel::tell_falling_value>, "falling-value"},
    ObjectFault{"falling-timestamp", "A process sees time run backwards",
                told_by<&TimedRegisterModel::tell_falling_timestamp>, "falling-timestamp"},
};

}  // namespace

ObjectType causal_reverse_type() {
  return {"causal-reverse", make_model<WrittenSetModel>, kReverseFaults};
}

ObjectType dirty_reads_type() {
  return {"dirty-reads", make_model<EqualRowsModel>, kDirtyReadFaults};
}

ObjectType monotonic_faunadb_type() {
  return {"monotonic-faunadb", make_model<TimedRegisterModel>, kFallingFaults};
}

}  // namespace elapid
