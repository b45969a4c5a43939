#include "engine/workloads/unique_ids/id_counts.h"

#include <algorithm>
#include <utility>

namespace elapid {

namespace {

/// Ids of one of these classes have an order: that of numbers, or of texts.
bool has_order(ValueClass type) {
  return type == ValueClass::kLong || type == ValueClass::kString || type == ValueClass::kKeyword ||
         type == ValueClass::kSymbol;
}

class IdOrder {
 public:
  explicit IdOrder(const ValuePool& values) : values_(values) {}

  [[nodiscard]] bool operator()(ValueId a, ValueId b) const {
    const auto left = values_.as_integer(a);
    const auto right = values_.as_integer(b);
    return left && right   ? *left < *right
           : left || right ? left.has_value()
                           : values_.text(a) < values_.text(b);
  }

 private:
  const ValuePool& values_;
};

struct GivenId {
  ValueId id;
  std::int64_t count = 0;
};

/// The ids that were given more than once by the same object, in their order.
std::vector<GivenId> duplicates(const History& history, std::vector<Op> given) {
  std::ranges::sort(given, {}, [](const Op& op) { return packed(op.key(), op.value()); });
  std::vector<GivenId> found;
  for (auto begin = given.begin(); begin != given.end();) {
    const auto end = std::find_if(begin, given.end(), [&](const Op& op) { return op != *begin; });
    if (end - begin > 1) {
      found.push_back({begin->value(), end - begin});
    }
    begin = end;
  }
  std::ranges::sort(found, IdOrder(history.values()), &GivenId::id);
  return found;
}

/// The most frequent ones, in their order.
ResultValue most_frequent(const History& history, std::vector<GivenId> given) {
  constexpr std::size_t kMost = 48;
  std::ranges::stable_sort(given, {}, &GivenId::count);
  std::ranges::reverse(given);
  given.resize(std::min(given.size(), kMost));
  std::ranges::sort(given, IdOrder(history.values()), &GivenId::id);
  ResultValue map = ResultValue::map({});
  for (const GivenId& each : given) {
    map.add(ResultValue::of(each.id), each.count);
  }
  return map;
}

}  // namespace

IdCounts count_ids(const History& history) {
  IdCounts counts;
  std::int64_t attempted = 0;
  std::vector<Op> given;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    attempted += history.has_invocation(txn) ? 1 : 0;
    if (history.committed(txn) && !history.ops(txn).empty()) {
      given.push_back(history.ops(txn).front());
    }
  }
  const ValuePool& values = history.values();
  for (const Op& op : given) {
    const ValueClass type = values.class_of(op.value());
    if (!counts.problem && (!has_order(type) || type != values.class_of(given.front().value()))) {
      counts.problem = "ids such as " + history.shown_text(given.front().value()) + " and " +
                       history.shown_text(op.value()) + " have no order";
    }
  }
  ResultValue range;
  if (!counts.problem && !given.empty()) {
    const auto [least, greatest] = std::ranges::minmax_element(given, IdOrder(values), &Op::value);
    range =
        ResultValue::vector({ResultValue::of(least->value()), ResultValue::of(greatest->value())});
  }
  const std::vector<GivenId> duplicated = duplicates(history, given);
  counts.has_duplicates = !duplicated.empty();
  counts.entries = {{"attempted-count", attempted},
                    {"acknowledged-count", static_cast<std::int64_t>(given.size())},
                    {"duplicated-count", static_cast<std::int64_t>(duplicated.size())},
                    {"duplicated", most_frequent(history, duplicated)},
                    {"range", std::move(range)}};
  return counts;
}

}  // namespace elapid
