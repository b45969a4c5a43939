// Stores that are judged only by their final contents.
//
//   add -> {:val 1, :sts 2}, read -> [{:val 1, :sts 2}]              monotonic-cockroach
//   write 1, read 1, refresh, strong-read -> #{1} on each node       dirty-read
//
// Most faults are in the store: the last read shows them.
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

/// Each row has a value, the greatest so far plus one, and the time.
class TimedRowsModel : public ObjectModel {
 public:
  ObjectCall next(Random& /*random*/, std::size_t /*session*/) override { return add(); }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    if (call.function == "read") {
      return {.value = ObjectValue::of(PlainTree::vector(rows_))};
    }
    rows_.push_back(next_row());
    return {.value = ObjectValue::of(rows_.back())};
  }

  void finish(FaultScript& script) override { script.really({.function = "read"}); }

  void tell_lost(FaultScript& script) { script.falsely(add(), ObjectValue::of(next_row())); }

  void tell_duplicate(FaultScript& script) {
    script.really(add());
    rows_.push_back(row(value_, now_ += kTick));
  }

  void tell_revived(FaultScript& script) {
    rows_.push_back(next_row());
    script.refused(add(), ObjectValue::of(rows_.back()));
  }

  void tell_order_by_error(FaultScript& script) {
    script.really(add());
    rows_.push_back(row(++value_, now_ - 1));
    script.falsely(add(), ObjectValue::of(rows_.back()));
  }

  void tell_value_reorder(FaultScript& script) {
    for (const std::int64_t value : {value_ + 2, value_ + 1}) {
      rows_.push_back(row(value, now_ += kTick));
      script.falsely(add(), ObjectValue::of(rows_.back()));
    }
    value_ += 2;
  }

 private:
  static constexpr std::int64_t kTick = 2;  // between timestamps

  static ObjectCall add() { return {.function = "add"}; }

  static PlainTree row(std::int64_t value, std::int64_t time) {
    return PlainTree::map({PlainTree::keyword("val"), PlainTree::number(value),
                           PlainTree::keyword("sts"), PlainTree::number(time)});
  }

  PlainTree next_row() { return row(++value_, now_ += kTick); }

  std::int64_t value_ = 0;
  std::int64_t now_ = 0;
  std::vector<PlainTree> rows_ = {};
};

class RefreshedSetModel : public ObjectModel {
 public:
  explicit RefreshedSetModel(const WorkloadOptions& options) : reads_(options.reads) {}

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    return fresh_ > 1 && random.per_million(reads_)
               ? element_call("read", 1 + static_cast<std::int64_t>(
                                              random.below(static_cast<std::size_t>(fresh_ - 1))))
               : element_call("write", fresh_++);
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    if (call.function == "strong-read") {
      return {.value = whole()};
    }
    const std::int64_t element = call.value.numbers[0];
    if (call.function == "write") {
      elements_.insert(element);
    }
    const bool is_found = elements_.contains(element);
    return {.kind = is_found ? ObjectReply::Kind::kDone : ObjectReply::Kind::kRefused,
            .value = call.value};
  }

  void finish(FaultScript& script) override {
    script.falsely({.function = "refresh"}, {});
    for (std::size_t node = 0; node < kNodes; ++node) {
      script.invoke(node, strong_read());
      script.complete(node, strong_read(), whole());
    }
  }

  void tell_lost(FaultScript& script) {
    const ObjectCall lost = element_call("write", fresh_++);
    script.falsely(lost, lost.value);
  }

  void tell_dirty(FaultScript& script) {
    const ObjectCall dirty = element_call("read", fresh_++);
    script.falsely(dirty, dirty.value);
  }

  void tell_disagreeing(FaultScript& script) {
    const ObjectCall late = element_call("write", fresh_++);
    script.really(late);
    script.really(strong_read());
    elements_.erase(late.value.numbers[0]);
    script.falsely(strong_read(), whole());
  }

 private:
  static constexpr std::size_t kNodes = 3;

  static ObjectCall element_call(std::string_view function, std::int64_t element) {
    return {.function = function, .value = ObjectValue::number(element)};
  }

  static ObjectCall strong_read() { return {.function = "strong-read"}; }

  [[nodiscard]] ObjectValue whole() const {
    PlainTree all = PlainTree::set();
    for (const std::int64_t element : elements_) {
      all.parts.push_back(PlainTree::number(element));
    }
    return ObjectValue::of(std::move(all));
  }

  std::uint32_t reads_;
  std::int64_t fresh_ = 1;
  std::set<std::int64_t> elements_ = {};
};

constexpr std::array kTimedRowFaults = {
    ObjectFault{"lost", "An acknowledged row is missing in the end",
                told_by<&TimedRowsModel::tell_lost>, "lost"},
    ObjectFault{"duplicate", "A read shows a value twice", told_by<&TimedRowsModel::tell_duplicate>,
                "duplicate"},
    ObjectFault{"revived", "A row is there whose addition failed",
                told_by<&TimedRowsModel::tell_revived>, "revived"},
    ObjectFault{"order-by-error", "Rows are not in the order of their timestamps",
                told_by<&TimedRowsModel::tell_order_by_error>, "order-by-error"},
    ObjectFault{"value-reorder", "A later timestamp has a smaller value",
                told_by<&TimedRowsModel::tell_value_reorder>, "value-reorder"},
};

constexpr std::array kRefreshedSetFaults = {
    ObjectFault{"lost", "No strong read shows an acknowledged element",
                told_by<&RefreshedSetModel::tell_lost>, "lost"},
    ObjectFault{"dirty-read", "No strong read shows an element that was read",
                told_by<&RefreshedSetModel::tell_dirty>, "dirty-read"},
    ObjectFault{.name = "nodes-disagree",
                .about = "A strong read does not show an element that others show",
                .tell = told_by<&RefreshedSetModel::tell_disagreeing>,
                .found_as = "nodes-disagree",
                .place = FaultPlace::kEnd},
};

}  // namespace

ObjectType monotonic_cockroach_type() {
  return {"monotonic-cockroach", make_model<TimedRowsModel>, kTimedRowFaults};
}

ObjectType dirty_read_type() {
  return {"dirty-read", make_model<RefreshedSetModel>, kRefreshedSetFaults};
}

}  // namespace elapid
