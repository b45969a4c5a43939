// Several registers that transactions read and write at one instant; nil at first.
//
//   [[:write 0 3] [:read 1 nil]] -> [[:write 0 3] [:read 1 7]]
//
// Faults write values of their own, which no session writes: a read of one of them tells which
// write it saw.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

PlainTree step_of(std::string_view function, std::int64_t key, PlainTree value = {}) {
  return PlainTree::vector(
      {PlainTree::keyword(function), PlainTree::number(key), std::move(value)});
}

PlainTree write_to(std::int64_t key, std::int64_t value) {
  return step_of("write", key, PlainTree::number(value));
}

PlainTree read_of(std::int64_t key) {
  return step_of("read", key);
}

ObjectCall steps(std::vector<PlainTree> parts) {
  return {.function = "txn", .value = ObjectValue::of(PlainTree::vector(std::move(parts)))};
}

class MultiRegisterModel : public ObjectModel {
 public:
  explicit MultiRegisterModel(const WorkloadOptions& options)
      : reads_(options.reads),
        values_(options.values == 0 ? kUsualValues : static_cast<std::int64_t>(options.values)),
        fresh_(values_),
        held_(options.keys) {}

  /// Uses each register at most once.
  ObjectCall next(Random& random, std::size_t /*session*/) override {
    std::vector<PlainTree> parts;
    for (std::size_t key = random.below(held_.size()); key < held_.size();
         key += 1 + random.below(3)) {
      const auto number = static_cast<std::int64_t>(key);
      parts.push_back(random.per_million(reads_)
                          ? read_of(number)
                          : write_to(number, static_cast<std::int64_t>(
                                                 random.below(static_cast<std::size_t>(values_)))));
    }
    return steps(std::move(parts));
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    ObjectValue done = call.value;
    for (PlainTree& part : done.tree.parts) {
      std::optional<std::int64_t>& held = held_[static_cast<std::size_t>(part.parts[1].integer)];
      if (part.parts[0].word == "write") {
        held = part.parts[2].integer;
      } else if (held) {
        part.parts[2] = PlainTree::number(*held);
      }
    }
    return {.value = std::move(done)};
  }

  void tell_stale_read(FaultScript& script) {
    const std::int64_t old = fresh_++;
    script.really(steps({write_to(0, old)}));
    script.really(steps({write_to(0, fresh_++)}));
    script.falsely(steps({read_of(0)}), shown({{0, old}}));
  }

  void tell_fractured_read(FaultScript& script) {
    const auto last = static_cast<std::int64_t>(held_.size()) - 1;
    const std::int64_t old = fresh_++;
    script.really(steps({write_to(0, old), write_to(last, old)}));
    const std::int64_t later = fresh_++;
    script.really(steps({write_to(0, later), write_to(last, later)}));
    script.falsely(steps({read_of(0), read_of(last)}), shown({{0, later}, {last, old}}));
  }

  /// Follows a write, since the initial values of registers may be unknown.
  void tell_never_written(FaultScript& script) {
    script.really(steps({write_to(0, fresh_++)}));
    script.falsely(steps({read_of(0)}), shown({{0, fresh_++}}));
  }

 private:
  static constexpr std::int64_t kUsualValues = 5;

  /// The answer of reads of these registers.
  static ObjectValue shown(const std::vector<std::pair<std::int64_t, std::int64_t>>& values) {
    std::vector<PlainTree> parts;
    for (const auto& [key, value] : values) {
      parts.push_back(step_of("read", key, PlainTree::number(value)));
    }
    return ObjectValue::of(PlainTree::vector(std::move(parts)));
  }

  std::uint32_t reads_;
  std::int64_t values_;
  std::int64_t fresh_;
  std::vector<std::optional<std::int64_t>> held_;  // by register
};

constexpr std::array kMultiRegisterFaults = {
    ObjectFault{"stale-read", "A value is read that was overwritten before",
                told_by<&MultiRegisterModel::tell_stale_read>},
    ObjectFault{"fractured-read", "One of two registers that were written together is read too old",
                told_by<&MultiRegisterModel::tell_fractured_read>},
    ObjectFault{"never-written", "A value is read that no transaction writes",
                told_by<&MultiRegisterModel::tell_never_written>},
};

}  // namespace

ObjectType multi_register_type() {
  return {"multi-register", make_model<MultiRegisterModel>, kMultiRegisterFaults};
}

}  // namespace elapid
