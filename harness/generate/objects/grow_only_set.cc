// A set to which each element is added once, and which is read as a whole.
//
//   add 1, add 2, read -> [1 2]
//
// Faults add elements of their own, or read them.
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
    return {.value = shown(elements_)};
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
    script.falsely(read(), shown(std::move(elements)));
  }

 private:
  static ObjectCall add(std::int64_t element) {
    return {.function = "add", .value = ObjectValue::number(element)};
  }

  static ObjectCall read() { return {.function = "read"}; }

  static ObjectValue shown(std::vector<std::int64_t> elements) {
    return {.shape = PlainValue::kElements, .elements = std::move(elements)};
  }

  [[nodiscard]] ObjectValue without(const ObjectCall& add) const {
    std::vector<std::int64_t> elements = elements_;
    std::erase(elements, add.value.numbers[0]);
    return shown(std::move(elements));
  }

  std::uint32_t reads_;
  std::int64_t fresh_ = 1;
  std::vector<std::int64_t> elements_ = {};
};

constexpr std::array kGrowOnlySetFaults = {
    ObjectFault{"lost", "An element that was added is not read",
                told_by<GrowOnlySetModel, &GrowOnlySetModel::tell_lost>},
    ObjectFault{"reappearing", "While an add is open its element is read, then not, then again",
                told_by<GrowOnlySetModel, &GrowOnlySetModel::tell_reappearing>},
    ObjectFault{"incomparable", "Each of two reads lacks an element that the other has",
                told_by<GrowOnlySetModel, &GrowOnlySetModel::tell_incomparable>},
    ObjectFault{"never-added", "An element is read that no operation adds",
                told_by<GrowOnlySetModel, &GrowOnlySetModel::tell_never_added>},
};

}  // namespace

ObjectType grow_only_set_type() {
  return {.name = "grow-only-set",
          .make = [](const WorkloadOptions& options) -> std::unique_ptr<ObjectModel> {
            return std::make_unique<GrowOnlySetModel>(options);
          },
          .faults = kGrowOnlySetFaults};
}

}  // namespace elapid
