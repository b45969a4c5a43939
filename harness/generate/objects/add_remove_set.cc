// A set of a few elements, with repeated adds, removes and tests. An add and a remove return
// whether they changed the set.
//
//   add 1 -> true, add 1 -> false, contains 1 -> true, remove 1 -> true
//
// Faults have elements of their own: elements are independent.
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

class AddRemoveSetModel : public ObjectModel {
 public:
  explicit AddRemoveSetModel(const WorkloadOptions& options)
      : reads_(options.reads), elements_(options.keys), fresh_(elements_) {}

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    const std::size_t element = random.below(elements_);
    return random.per_million(reads_) ? contains(element)
           : random.percent(50)       ? add(element)
                                      : remove(element);
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    const std::int64_t element = call.value.numbers[0];
    const bool result = call.function == "add"      ? inside_.insert(element).second
                        : call.function == "remove" ? inside_.erase(element) > 0
                                                    : inside_.contains(element);
    return {.value = answer(call, result)};
  }

  void tell_lost(FaultScript& script) {
    const std::size_t element = fresh_++;
    script.really(add(element));
    script.falsely(contains(element), answer(contains(element), false));
  }

  void tell_reappearing(FaultScript& script) {
    const std::size_t element = add_and_remove(script);
    script.falsely(contains(element), answer(contains(element), true));
  }

  void tell_never_added(FaultScript& script) {
    const std::size_t element = fresh_++;
    script.falsely(contains(element), answer(contains(element), true));
  }

  void tell_added_twice(FaultScript& script) {
    const std::size_t element = fresh_++;
    script.really(add(element));
    script.falsely(add(element), answer(add(element), true));
  }

  void tell_removed_twice(FaultScript& script) {
    const std::size_t element = add_and_remove(script);
    script.falsely(remove(element), answer(remove(element), true));
  }

 private:
  static ObjectCall call_of(std::string_view function, std::size_t element) {
    return {
        .function = function,
        .value = {.shape = PlainValue::kAsked, .numbers = {static_cast<std::int64_t>(element)}}};
  }

  static ObjectCall add(std::size_t element) { return call_of("add", element); }

  static ObjectCall remove(std::size_t element) { return call_of("remove", element); }

  static ObjectCall contains(std::size_t element) { return call_of("contains", element); }

  static ObjectValue answer(const ObjectCall& call, bool result) {
    ObjectValue value = call.value;
    value.shape = result ? PlainValue::kAffirmed : PlainValue::kDenied;
    return value;
  }

  std::size_t add_and_remove(FaultScript& script) {
    const std::size_t element = fresh_++;
    script.really(add(element));
    script.really(remove(element));
    return element;
  }

  std::uint32_t reads_;
  std::size_t elements_;
  std::size_t fresh_;
  std::set<std::int64_t> inside_ = {};
};

constexpr std::array kAddRemoveSetFaults = {
    ObjectFault{"lost", "An element that was added is not found",
                told_by<&AddRemoveSetModel::tell_lost>},
    ObjectFault{"reappearing", "An element that was removed is found",
                told_by<&AddRemoveSetModel::tell_reappearing>},
    ObjectFault{"never-added", "An element is found that no operation adds",
                told_by<&AddRemoveSetModel::tell_never_added>},
    ObjectFault{"added-twice", "An element is added anew while it is inside",
                told_by<&AddRemoveSetModel::tell_added_twice>},
    ObjectFault{"removed-twice", "An element that was added once is removed twice",
                told_by<&AddRemoveSetModel::tell_removed_twice>},
};

}  // namespace

ObjectType add_remove_set_type() {
  return {"add-remove-set", make_model<AddRemoveSetModel>, kAddRemoveSetFaults};
}

}  // namespace elapid
