// A counter with adds of 1 and reads; a number whose adds return the value before; and a source of
// ids.
//
//   add 1, add 1, read -> 2      fetch-and-add [1 0], [2 1]      generate -> 1, generate -> 2
//
// Faults of the counter break the bounds that clients know: each read shows at least the adds that
// returned before it, and at most those that were invoked. Faults of ids repeat an id.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

class CounterModel : public ObjectModel {
 public:
  explicit CounterModel(const WorkloadOptions& options) : reads_(options.reads) {}

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    return random.per_million(reads_) ? read() : add();
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    if (call.function == "read") {
      return {.value = ObjectValue::number(sum_)};
    }
    sum_ += call.value.numbers[0];
    return {.value = call.value};
  }

  void invoked(const ObjectCall& call) override { attempted_ += call.value.numbers[0]; }

  void returned(const ObjectCall& call, bool is_ok) override {
    (is_ok ? acknowledged_ : refused_) += call.value.numbers[0];
  }

  void tell_below(FaultScript& script) {
    script.really(add());
    script.falsely(read(), ObjectValue::number(acknowledged_ - 1));
  }

  void tell_above(FaultScript& script) {
    script.falsely(read(), ObjectValue::number(attempted_ - refused_ + 1));
  }

  void tell_final_sum(FaultScript& script) {
    ObjectCall last = read();
    last.value.fields = {{"final?", PlainTree::truth()}};
    ObjectValue shown = ObjectValue::number(attempted_ - refused_ + 1);
    shown.fields = last.value.fields;
    script.falsely(last, std::move(shown));
  }

  void tell_going_back(FaultScript& script) {
    const ObjectCall open = add();
    script.invoke(1, open);
    apply(open, kVisitor);
    const std::int64_t seen = script.really(read()).numbers[0];
    script.falsely(read(), ObjectValue::number(seen - 1));
    script.complete(1, open, open.value);
  }

 private:
  static ObjectCall add() { return {.function = "add", .value = ObjectValue::number(1)}; }

  static ObjectCall read() { return {.function = "read"}; }

  std::uint32_t reads_;
  std::int64_t sum_ = 0;
  std::int64_t attempted_ = 0;
  std::int64_t acknowledged_ = 0;
  std::int64_t refused_ = 0;
};

class UniqueIdsModel : public ObjectModel {
 public:
  ObjectCall next(Random& /*random*/, std::size_t /*session*/) override { return generate(); }

  ObjectReply apply(const ObjectCall& /*call*/, std::size_t /*session*/) override {
    return {.value = ObjectValue::number(++ids_)};
  }

  void tell_duplicate(FaultScript& script) {
    const ObjectValue id = script.really(generate());
    script.falsely(generate(), id);
  }

 private:
  static ObjectCall generate() { return {.function = "generate"}; }

  std::int64_t ids_ = 0;
};

/// A server that answers with the text that it received.
class EchoModel : public ObjectModel {
 public:
  ObjectCall next(Random& random, std::size_t /*session*/) override {
    return echo(static_cast<std::int64_t>(random.below(kTexts)));
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    return {.value = response(call.value.tree)};
  }

  void tell_wrong_echo(FaultScript& script) {
    script.falsely(echo(0), response(echo(1).value.tree));
  }

 private:
  static constexpr std::size_t kTexts = 128;

  static ObjectCall echo(std::int64_t number) {
    return {.function = "echo",
            .value = ObjectValue::of(PlainTree::text("Please echo " + std::to_string(number)))};
  }

  static ObjectValue response(PlainTree text) {
    return ObjectValue::of(PlainTree::map({PlainTree::keyword("type"), PlainTree::text("echo_ok"),
                                           PlainTree::keyword("echo"), std::move(text)}));
  }
};

class FetchAndAddModel : public ObjectModel {
 public:
  ObjectCall next(Random& random, std::size_t /*session*/) override {
    return add(1 + static_cast<std::int64_t>(random.below(kMostAtOnce)));
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    const std::int64_t added = call.value.tree.parts[0].integer;
    return {.value = pair(added, PlainTree::number(std::exchange(sum_, sum_ + added)))};
  }

  void tell_same_sum(FaultScript& script) {
    const ObjectCall call = add(1);
    script.falsely(call, script.really(call));
  }

  void tell_going_back(FaultScript& script) {
    const ObjectValue earlier = script.really(add(2));
    script.really(add(1));
    script.falsely(add(1), pair(1, PlainTree::number(earlier.tree.parts[1].integer + 1)));
  }

 private:
  static constexpr std::size_t kMostAtOnce = 2;

  static ObjectValue pair(std::int64_t added, PlainTree before) {
    return ObjectValue::of(PlainTree::vector({PlainTree::number(added), std::move(before)}));
  }

  static ObjectCall add(std::int64_t number) {
    return {.function = "fetch-and-add", .value = pair(number, {})};
  }

  std::int64_t sum_ = 0;
};

constexpr std::array kCounterFaults = {
    ObjectFault{"below-acknowledged", "A read shows less than the adds that returned before",
                told_by<&CounterModel::tell_below>, "counter-bounds"},
    ObjectFault{"above-attempted", "A read shows more than all adds that were invoked",
                told_by<&CounterModel::tell_above>, "counter-bounds"},
    ObjectFault{"going-back", "A read shows less than one before it",
                told_by<&CounterModel::tell_going_back>},
    ObjectFault{.name = "final-sum",
                .about = "A final read shows more than all adds that were invoked",
                .tell = told_by<&CounterModel::tell_final_sum>,
                .found_as = "final-sum",
                .place = FaultPlace::kEnd},
};

constexpr std::array kFetchAndAddFaults = {
    ObjectFault{"same-sum", "Two operations show the same sum",
                told_by<&FetchAndAddModel::tell_same_sum>},
    ObjectFault{"going-back", "An operation shows less than one before it",
                told_by<&FetchAndAddModel::tell_going_back>},
};

constexpr std::array kEchoFaults = {
    ObjectFault{"wrong-echo", "A response is not what was sent",
                told_by<&EchoModel::tell_wrong_echo>, "wrong-echo"},
};

constexpr std::array kUniqueIdsFaults = {
    ObjectFault{"duplicate", "An id is given twice", told_by<&UniqueIdsModel::tell_duplicate>},
};

}  // namespace

ObjectType counter_type() {
  return {"counter", make_model<CounterModel>, kCounterFaults};
}

ObjectType fetch_and_add_type() {
  return {"fetch-and-add", make_model<FetchAndAddModel>, kFetchAndAddFaults};
}

ObjectType unique_ids_type() {
  return {"unique-ids", make_model<UniqueIdsModel>, kUniqueIdsFaults};
}

ObjectType echo_type() {
  return {"echo", make_model<EchoModel>, kEchoFaults};
}

}  // namespace elapid
