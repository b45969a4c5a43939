// Tests of several keys in one store: pairs of insertions, ordered subkeys, and counters.
//
//   insert [7 [1 nil]], insert [7 [nil 2]] fails    g2: the second finds the other's row
//   write 7, read [7 nil] -> [7 [nil "7_1" "7_0"]]  sequential: of five subkeys, newest first
//   inc 0 -> {0 4}, read {0 nil} -> {0 4}           monotonic-tidb
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

ObjectValue keyed(std::int64_t key, PlainTree value) {
  return ObjectValue::of(PlainTree::vector({PlainTree::number(key), std::move(value)}));
}

std::int64_t key_of(const ObjectCall& call) {
  return call.value.tree.parts.front().integer;
}

class PairedInsertionsModel : public ObjectModel {
 public:
  /// Two insertions for each key, one after the other.
  ObjectCall next(Random& /*random*/, std::size_t /*session*/) override {
    const std::int64_t key = is_second_ ? keys_ : ++keys_;
    is_second_ = !is_second_;
    return insert(key, !is_second_);
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    return inserted_.insert(key_of(call)).second ? ObjectReply{.value = call.value}
                                                 : ObjectReply{.kind = ObjectReply::Kind::kRefused};
  }

  void tell_both(FaultScript& script) {
    const std::int64_t key = --foreign_;
    for (const bool is_second : {false, true}) {
      const ObjectCall call = insert(key, is_second);
      script.falsely(call, call.value);
    }
  }

 private:
  ObjectCall insert(std::int64_t key, bool is_second) {
    std::vector<PlainTree> ids = {PlainTree::number(++ids_), PlainTree::nil()};
    if (is_second) {
      std::swap(ids[0], ids[1]);
    }
    return {.function = "insert", .value = keyed(key, PlainTree::vector(std::move(ids)))};
  }

  std::int64_t keys_ = 0;
  bool is_second_ = false;
  std::int64_t foreign_ = 0;  // visitors use negative keys
  std::int64_t ids_ = 0;
  std::set<std::int64_t> inserted_ = {};
};

class SubkeysModel : public ObjectModel {
 public:
  explicit SubkeysModel(const WorkloadOptions& options) : reads_(options.reads) {}

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    if (fresh_ > 0 && random.per_million(reads_)) {
      const std::int64_t oldest = std::max<std::int64_t>(0, fresh_ - kRecentKeys);
      return read(oldest + static_cast<std::int64_t>(
                               random.below(static_cast<std::size_t>(fresh_ - oldest))));
    }
    return write(fresh_++);
  }

  /// A write adds one subkey.
  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    if (call.function == "read") {
      const std::int64_t key = key_of(call);
      return {.value = shown_subkeys(key, added_[key], kNoGap)};
    }
    const bool is_whole = ++added_[call.value.numbers[0]] >= kSubkeys;
    return {.kind = is_whole ? ObjectReply::Kind::kDone : ObjectReply::Kind::kGoesOn,
            .value = call.value};
  }

  void tell_gap(FaultScript& script) {
    const std::int64_t key = fresh_++;
    script.really(write(key));
    script.falsely(read(key), shown_subkeys(key, kSubkeys, kSubkeys / 2));
  }

 private:
  static constexpr std::int64_t kSubkeys = 5;
  static constexpr std::int64_t kRecentKeys = 10;
  static constexpr std::int64_t kNoGap = -1;

  static ObjectCall write(std::int64_t key) {
    return {.function = "write", .value = ObjectValue::number(key)};
  }

  static ObjectCall read(std::int64_t key) {
    return {.function = "read", .value = keyed(key, PlainTree::nil())};
  }

  /// The first `count` subkeys of a key, without the one at `gap`.
  static ObjectValue shown_subkeys(std::int64_t key, std::int64_t count, std::int64_t gap) {
    PlainTree subkeys = PlainTree::vector();
    for (std::int64_t i = kSubkeys - 1; i >= 0; --i) {
      subkeys.parts.push_back(i < count && i != gap
                                  ? PlainTree::text(std::to_string(key) + '_' + std::to_string(i))
                                  : PlainTree::nil());
    }
    return keyed(key, std::move(subkeys));
  }

  std::uint32_t reads_;
  std::int64_t fresh_ = 0;
  std::map<std::int64_t, std::int64_t> added_ = {};
};

class GrowingCountersModel : public ObjectModel {
 public:
  explicit GrowingCountersModel(const WorkloadOptions& options)
      : reads_(options.reads), counters_(std::max<std::size_t>(options.keys, 1), 0) {}

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    const std::size_t first = random.below(counters_.size());
    if (!random.per_million(reads_)) {
      return increment(first);
    }
    const std::size_t most = std::min<std::size_t>(counters_.size() - first, kMostRead);
    return read(first, 1 + random.below(most));
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    if (call.function == "inc") {
      const std::int64_t key = call.value.numbers[0];
      return {.value = counted(key, ++counters_[static_cast<std::size_t>(key)])};
    }
    ObjectValue value = call.value;
    for (std::size_t i = 0; i < value.tree.parts.size(); i += 2) {
      const auto key = static_cast<std::size_t>(value.tree.parts[i].integer);
      value.tree.parts[i + 1] = PlainTree::number(counters_[key]);
    }
    return {.value = std::move(value)};
  }

  void tell_falling(FaultScript& script) {
    script.really(increment(0));
    script.falsely(read(0, 1), counted(0, counters_[0] - 1));
  }

 private:
  static constexpr std::size_t kMostRead = 4;

  static ObjectValue counted(std::int64_t key, std::int64_t count) {
    return ObjectValue::of(PlainTree::map({PlainTree::number(key), PlainTree::number(count)}));
  }

  static ObjectCall increment(std::size_t key) {
    return {.function = "inc", .value = ObjectValue::number(static_cast<std::int64_t>(key))};
  }

  static ObjectCall read(std::size_t first, std::size_t count) {
    PlainTree asked = PlainTree::map();
    for (std::size_t key = first; key < first + count; ++key) {
      asked.parts.push_back(PlainTree::number(static_cast<std::int64_t>(key)));
      asked.parts.push_back(PlainTree::nil());
    }
    return {.function = "read", .value = ObjectValue::of(std::move(asked))};
  }

  std::uint32_t reads_;
  std::vector<std::int64_t> counters_;
};

constexpr std::array kPairedInsertionFaults = {
    ObjectFault{"G2", "Two insertions that must see each other's row succeed",
                told_by<&PairedInsertionsModel::tell_both>, "G2"},
};

constexpr std::array kSubkeyFaults = {
    ObjectFault{"missing-subkey", "A read shows a subkey and misses an older one",
                told_by<&SubkeysModel::tell_gap>, "missing-subkey"},
};

constexpr std::array kGrowingCounterFaults = {
    ObjectFault{"monotonic-cycle", "A read shows less than an operation that ended before it",
                told_by<&GrowingCountersModel::tell_falling>, "monotonic-cycle"},
};

}  // namespace

ObjectType g2_type() {
  return {"g2", make_model<PairedInsertionsModel>, kPairedInsertionFaults};
}

ObjectType sequential_type() {
  return {"sequential", make_model<SubkeysModel>, kSubkeyFaults};
}

ObjectType monotonic_tidb_type() {
  return {"monotonic-tidb", make_model<GrowingCountersModel>, kGrowingCounterFaults};
}

}  // namespace elapid
