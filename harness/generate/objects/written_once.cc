// Pairs of keys. Each key is written once, in a write of its own; the pair is read together.
//
//   write [[:w 4 1]], read [[:r 4 nil] [:r 5 nil]] -> [[:r 4 1] [:r 5 nil]]     long-fork
//
// A fault has a pair of its own, which only visitors use.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

PlainTree mop_of(std::string_view function, std::int64_t key, PlainTree value = {}) {
  return PlainTree::vector(
      {PlainTree::keyword(function), PlainTree::number(key), std::move(value)});
}

ObjectCall txn_of(std::string_view function, std::vector<PlainTree> mops) {
  return {.function = function, .value = ObjectValue::of(PlainTree::vector(std::move(mops)))};
}

/// Pairs of keys, each written once.
class WrittenOnceModel : public ObjectModel {
 public:
  explicit WrittenOnceModel(const WorkloadOptions& options) : reads_(options.reads) {}

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    if (next_key_ == 0 || !random.per_million(reads_)) {
      return write_of(next_key_++);
    }
    const std::int64_t pair = (next_key_ - 1) / 2;
    const std::int64_t oldest = std::max<std::int64_t>(0, pair + 1 - kRecentPairs);
    return read_pair(oldest + static_cast<std::int64_t>(
                                  random.below(static_cast<std::size_t>(pair + 1 - oldest))),
                     random.percent(50));
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    ObjectValue done = call.value;
    for (PlainTree& mop : done.tree.parts) {
      const std::int64_t key = mop.parts[1].integer;
      if (call.function == "write") {
        written_.insert(key);
      } else if (written_.contains(key)) {
        mop.parts[2] = PlainTree::number(1);
      }
    }
    return {.value = std::move(done)};
  }

  void tell_fork(FaultScript& script) {
    const std::int64_t pair = --foreign_pair_;
    script.really(write_of(2 * pair));
    script.really(write_of(2 * pair + 1));
    for (const std::int64_t seen : {0, 1}) {
      const ObjectCall read = read_pair(pair, false);
      ObjectValue shown = read.value;
      shown.tree.parts[static_cast<std::size_t>(seen)].parts[2] = PlainTree::number(1);
      script.falsely(read, std::move(shown));
    }
  }

 private:
  static constexpr std::int64_t kRecentPairs = 5;

  static ObjectCall write_of(std::int64_t key) {
    return txn_of("write", {mop_of("w", key, PlainTree::number(1))});
  }

  static ObjectCall read_pair(std::int64_t pair, bool is_backwards) {
    std::vector<PlainTree> mops = {mop_of("r", 2 * pair), mop_of("r", 2 * pair + 1)};
    if (is_backwards) {
      std::swap(mops[0], mops[1]);
    }
    return txn_of("read", std::move(mops));
  }

  std::uint32_t reads_;
  std::int64_t next_key_ = 0;
  std::int64_t foreign_pair_ = 0;  // visitors use negative pairs
  std::set<std::int64_t> written_ = {};
};

constexpr std::array kWrittenOnceFaults = {
    ObjectFault{"long-fork", "Two reads show opposite orders of two writes",
                told_by<&WrittenOnceModel::tell_fork>, "long-fork"},
};

}  // namespace

ObjectType long_fork_type() {
  return {"long-fork", make_model<WrittenOnceModel>, kWrittenOnceFaults};
}

}  // namespace elapid
