// A set to which each element is added once. It is read as a whole, at any time or only at the
// end.
//
//   add 1, add 2, read -> [1 2]
//
// Faults add elements of their own, or read such elements.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

class GrowOnlySetModel : public ObjectModel {
 public:
  explicit GrowOnlySetModel(const WorkloadOptions& options) : reads_(options.reads) {}

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    return random.per_million(reads_) ? read() : add(fresh_++);
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    if (call.function == "add") {
      elements_.push_back(call.value.numbers[0]);
      return {.value = call.value};
    }
    return {.value = ObjectValue::list(elements_)};
  }

  void tell_lost(FaultScript& script) {
    const ObjectCall lost = add(fresh_++);
    script.really(lost);
    script.falsely(read(), without(lost));
  }

  void tell_reappearing(FaultScript& script) {
    const ObjectCall open = add(fresh_++);
    script.invoke(1, open);
    apply(open, kVisitor);
    script.really(read());
    script.falsely(read(), without(open));
    script.really(read());
    script.complete(1, open, open.value);
  }

  void tell_incomparable(FaultScript& script) {
    const ObjectCall one = add(fresh_++);
    const ObjectCall other = add(fresh_++);
    script.invoke(1, one);
    script.invoke(2, other);
    apply(one, kVisitor);
    apply(other, kVisitor);
    script.falsely(read(), without(other));
    script.falsely(read(), without(one));
    script.complete(1, one, one.value);
    script.complete(2, other, other.value);
  }

  void tell_never_added(FaultScript& script) {
    std::vector<std::int64_t> elements = elements_;
    elements.push_back(fresh_++);
    script.falsely(read(), ObjectValue::list(std::move(elements)));
  }

  void tell_lost_for_ever(FaultScript& script) {
    const ObjectCall lost = add(fresh_++);
    script.falsely(lost, lost.value);
    script.really(read());
  }

  void tell_stale(FaultScript& script) {
    const ObjectCall late = add(fresh_++);
    script.really(late);
    script.falsely(read(), without(late));
    script.really(read());
  }

  void tell_duplicated(FaultScript& script) {
    script.really(add(fresh_++));
    std::vector<std::int64_t> elements = elements_;
    elements.push_back(elements.back());
    script.falsely(read(), ObjectValue::list(std::move(elements)));
  }

  void tell_never_read(FaultScript& script) { script.really(add(fresh_++)); }

  void tell_unexpected(FaultScript& script) {
    elements_.push_back(fresh_++);
    script.really(read());
  }

  void tell_recovered(FaultScript& script) {
    const ObjectCall open = add(fresh_++);
    script.invoke(0, open);
    apply(open, kVisitor);
  }

 private:
  static ObjectCall add(std::int64_t element) {
    return {.function = "add", .value = ObjectValue::number(element)};
  }

  static ObjectCall read() { return {.function = "read"}; }

  [[nodiscard]] ObjectValue without(const ObjectCall& add) const {
    std::vector<std::int64_t> elements = elements_;
    std::erase(elements, add.value.numbers[0]);
    return ObjectValue::list(std::move(elements));
  }

  std::uint32_t reads_;
  std::int64_t fresh_ = 1;
  std::vector<std::int64_t> elements_ = {};
};

/// A set that is also read at the end.
class FinallyReadSetModel : public GrowOnlySetModel {
 public:
  explicit FinallyReadSetModel(const WorkloadOptions& options) : GrowOnlySetModel(options) {}

  void finish(FaultScript& script) override { script.really({.function = "read"}); }
};

constexpr std::array kGrowOnlySetFaults = {
    ObjectFault{"lost", "An element that was added is not read",
                told_by<&GrowOnlySetModel::tell_lost>},
    ObjectFault{"reappearing", "While an add is open its element is read, then not, then again",
                told_by<&GrowOnlySetModel::tell_reappearing>},
    ObjectFault{"incomparable", "Each of two reads lacks an element that the other has",
                told_by<&GrowOnlySetModel::tell_incomparable>},
    ObjectFault{"never-added", "An element is read that no operation adds",
                told_by<&GrowOnlySetModel::tell_never_added>},
};

constexpr std::array kSetFullFaults = {
    ObjectFault{"lost", "An element that was added is not read any more",
                told_by<&GrowOnlySetModel::tell_lost_for_ever>, "lost"},
    ObjectFault{.name = "stale",
                .about = "An element that was added is read later than it must be",
                .tell = told_by<&GrowOnlySetModel::tell_stale>,
                .found_as = "stale",
                .only_with = "linearizable-elements"},
    ObjectFault{"duplicated", "A read shows an element twice",
                told_by<&GrowOnlySetModel::tell_duplicated>, "duplicated"},
    ObjectFault{"unexpected", "An element is read that no operation adds",
                told_by<&GrowOnlySetModel::tell_never_added>, "unexpected"},
    ObjectFault{.name = "never-read",
                .about = "An element is added after the last read",
                .tell = told_by<&GrowOnlySetModel::tell_never_read>,
                .is_allowed = true,
                .place = FaultPlace::kEnd},
};

constexpr std::array kSetFaults = {
    ObjectFault{"lost", "An element that was added is not read in the end",
                told_by<&GrowOnlySetModel::tell_lost_for_ever>, "lost"},
    ObjectFault{"unexpected", "An element is read in the end that no operation adds",
                told_by<&GrowOnlySetModel::tell_unexpected>, "unexpected"},
    ObjectFault{.name = "recovered",
                .about = "An element is read in the end whose add never returned",
                .tell = told_by<&GrowOnlySetModel::tell_recovered>,
                .is_allowed = true},
};

}  // namespace

ObjectType set_type() {
  return {.name = "set",
          .make = [](const WorkloadOptions& options) -> std::unique_ptr<ObjectModel> {
            WorkloadOptions adds = options;
            adds.reads = 0;
            return std::make_unique<FinallyReadSetModel>(adds);
          },
          .faults = kSetFaults};
}

ObjectType set_full_type() {
  return {"set-full", make_model<FinallyReadSetModel>, kSetFullFaults};
}

ObjectType grow_only_set_type() {
  return {"grow-only-set", make_model<GrowOnlySetModel>, kGrowOnlySetFaults};
}

}  // namespace elapid
