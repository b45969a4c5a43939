// A lock without owners, free at first: an :acquire waits until it is free.
//
//   acquire by session 1, acquire by session 2 (waits), release by session 1
//
// A session releases the locks that it holds, also those of acquires that never returned. So the
// lock becomes free again, even if clients crash.
//
// Faults are counted. Acquires and releases alternate, so at most one of the returned acquires may
// have no release; a release that never returned may have happened once. Visitors acquire until
// there is one acquire too many, or release likewise.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

class MutexModel : public ObjectModel {
 public:
  ObjectCall next(Random& /*random*/, std::size_t session) override {
    return {.function = holder_ == session ? "release" : "acquire"};
  }

  ObjectReply apply(const ObjectCall& call, std::size_t session) override {
    if (call.function == "release") {
      holder_.reset();
      return {};
    }
    if (holder_) {
      return {.kind = ObjectReply::Kind::kWaits};
    }
    holder_ = session;
    return {};
  }

  /// No call is late: a late acquire would belong to a session that waits itself.
  [[nodiscard]] bool may_be_late(const ObjectCall& /*call*/) const override { return false; }

  void invoked(const ObjectCall& call) override { ++counts_of(call).possible; }

  void returned(const ObjectCall& call, bool is_ok) override {
    is_ok ? ++counts_of(call).certain : --counts_of(call).possible;
  }

  void tell_two_holders(FaultScript& script) {
    do {
      script.falsely({.function = "acquire"}, {});
    } while (acquires_.certain <= releases_.possible + 1);
  }

  void tell_not_held(FaultScript& script) {
    do {
      script.falsely({.function = "release"}, {});
    } while (releases_.certain <= acquires_.possible);
  }

 private:
  struct Counts {
    std::int64_t certain = 0;   // returned
    std::int64_t possible = 0;  // invoked, and not failed
  };

  Counts& counts_of(const ObjectCall& call) {
    return call.function == "acquire" ? acquires_ : releases_;
  }

  std::optional<std::size_t> holder_ = std::nullopt;
  Counts acquires_ = {};
  Counts releases_ = {};
};

constexpr std::array kMutexFaults = {
    ObjectFault{"two-holders", "The lock is acquired while it is held",
                told_by<&MutexModel::tell_two_holders>},
    ObjectFault{"not-held", "The lock is released while it is free",
                told_by<&MutexModel::tell_not_held>},
};

}  // namespace

ObjectType mutex_type() {
  return {"mutex", make_model<MutexModel>, kMutexFaults};
}

}  // namespace elapid
