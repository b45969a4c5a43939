// A register of small values: :read, :write and :cas, nil at first.
//
//   write 3, cas [3 4], read -> 4
//
// Faults write values of their own, which no session writes: a read of one of them tells which
// write it saw.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

constexpr std::int64_t kUsualValues = 5;

class RegisterModel : public ObjectModel {
 public:
  explicit RegisterModel(const WorkloadOptions& options)
      : reads_(options.reads),
        values_(options.values == 0 ? kUsualValues : static_cast<std::int64_t>(options.values)),
        fresh_(values_) {}

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    if (random.per_million(reads_)) {
      return read();
    }
    const std::int64_t value = drawn(random);
    return random.percent(50) ? write(value) : cas(drawn(random), value);
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    if (call.function == "read") {
      return {.value = value_ ? ObjectValue::number(*value_) : ObjectValue()};
    }
    const bool is_cas = call.function == "cas";
    if (is_cas && value_ != call.value.numbers[0]) {
      return {.kind = ObjectReply::Kind::kRefused};
    }
    value_ = call.value.numbers[is_cas ? 1 : 0];
    return {.value = call.value};
  }

  void tell_stale_read(FaultScript& script) {
    const std::int64_t old = overwrite(script);
    script.falsely(read(), ObjectValue::number(old));
  }

  void tell_stale_cas(FaultScript& script) {
    const std::int64_t old = overwrite(script);
    const ObjectCall call = cas(old, fresh_++);
    script.falsely(call, call.value);
  }

  void tell_inversion(FaultScript& script) {
    const ObjectCall old = write(fresh_++);
    script.really(old);
    const ObjectCall late = write(fresh_++);
    script.invoke(1, late);
    apply(late, kVisitor);
    script.really(read());
    script.falsely(read(), old.value);
    script.complete(1, late, late.value);
  }

  void tell_never_written(FaultScript& script) {
    script.falsely(read(), ObjectValue::number(fresh_++));
  }

 private:
  static ObjectCall read() { return {.function = "read"}; }

  static ObjectCall write(std::int64_t value) {
    return {.function = "write", .value = ObjectValue::number(value)};
  }

  static ObjectCall cas(std::int64_t from, std::int64_t to) {
    return {.function = "cas", .value = {.shape = PlainValue::kPair, .numbers = {from, to}}};
  }

  std::int64_t drawn(Random& random) {
    return static_cast<std::int64_t>(random.below(static_cast<std::size_t>(values_)));
  }

  /// Writes twice in a row, and returns the first value.
  std::int64_t overwrite(FaultScript& script) {
    const std::int64_t old = fresh_++;
    script.really(write(old));
    script.really(write(fresh_++));
    return old;
  }

  std::uint32_t reads_;
  std::int64_t values_;
  std::int64_t fresh_;
  std::optional<std::int64_t> value_ = std::nullopt;
};

constexpr std::array kRegisterFaults = {
    ObjectFault{"stale-read", "A value is read that was overwritten before",
                told_by<&RegisterModel::tell_stale_read>},
    ObjectFault{"stale-cas", "A cas finds a value that was overwritten before",
                told_by<&RegisterModel::tell_stale_cas>},
    ObjectFault{"new-old-inversion",
                "While a write is open, its value is read, and then the one before",
                told_by<&RegisterModel::tell_inversion>},
    ObjectFault{"never-written", "A value is read that no operation writes",
                told_by<&RegisterModel::tell_never_written>},
};

}  // namespace

ObjectType register_type() {
  return {"cas-register", make_model<RegisterModel>, kRegisterFaults};
}

}  // namespace elapid
