// A register in a causal chain: one client, whose operations link to the position of their
// predecessor.
//
//   read-init -> 0 at 1, write 1 (link 1) at 2, read (link 2) -> 1 at 3
//
// The n-th write writes n. A crashed operation has no effect, so the chain goes on as before.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

class CausalChainModel : public ObjectModel {
 public:
  explicit CausalChainModel(const WorkloadOptions& options) : reads_(options.reads) {}

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    return position_ == 0               ? read("read-init")
           : random.per_million(reads_) ? read("read")
                                        : write(value_ + 1);
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    if (call.function == "write") {
      value_ = call.value.numbers[0];
    }
    return {.value = answer(call, value_)};
  }

  [[nodiscard]] bool may_be_unheard(const ObjectCall& /*call*/) const override { return false; }

  void tell_broken_link(FaultScript& script) {
    ObjectCall call = read("read");
    call.value.fields = {{"link", PlainTree::number(-1)}};
    script.falsely(call, answer(call, value_));
  }

  /// A failed write could explain a missing number; these writes were not tried.
  void tell_unexpected_write(FaultScript& script) {
    const ObjectCall call = write(value_ + 3);
    script.falsely(call, answer(call, value_ + 3));
  }

  void tell_bad_init(FaultScript& script) {
    const ObjectCall call = read("read-init");
    script.falsely(call, answer(call, 1));
  }

  void tell_unwritten(FaultScript& script) {
    if (position_ == 0) {
      script.really(read("read-init"));
    }
    const ObjectCall call = read("read");
    script.falsely(call, answer(call, value_ + 3));
  }

 private:
  ObjectCall linked(ObjectCall call) const {
    call.value.fields = {
        {"link", position_ == 0 ? PlainTree::keyword("init") : PlainTree::number(position_)}};
    return call;
  }

  [[nodiscard]] ObjectCall read(std::string_view function) const {
    return linked({.function = function});
  }

  [[nodiscard]] ObjectCall write(std::int64_t value) const {
    return linked({.function = "write", .value = ObjectValue::number(value)});
  }

  ObjectValue answer(const ObjectCall& call, std::int64_t value) {
    ObjectValue shown = ObjectValue::number(value);
    shown.fields = call.value.fields;
    shown.fields.push_back({"position", PlainTree::number(++position_)});
    return shown;
  }

  std::uint32_t reads_;
  std::int64_t value_ = 0;
  std::int64_t position_ = 0;  // of the operation that took effect last
};

constexpr std::array kCausalChainFaults = {
    ObjectFault{"broken-link", "An operation does not link to the one before it",
                told_by<&CausalChainModel::tell_broken_link>, "broken-link"},
    ObjectFault{"unexpected-write", "The n-th write does not write n",
                told_by<&CausalChainModel::tell_unexpected_write>, "unexpected-write"},
    ObjectFault{.name = "bad-init",
                .about = "The first read does not show 0",
                .tell = told_by<&CausalChainModel::tell_bad_init>,
                .found_as = "bad-init",
                .place = FaultPlace::kBegin},
    ObjectFault{"stale-or-unwritten-read", "A read does not show the last write",
                told_by<&CausalChainModel::tell_unwritten>, "stale-or-unwritten-read"},
};

}  // namespace

ObjectType causal_type() {
  return {.name = "causal",
          .make = make_model<CausalChainModel>,
          .faults = kCausalChainFaults,
          .has_one_client = true};
}

}  // namespace elapid
