#include "engine/workloads/unique_ids/id_counts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/ir/call.h"

namespace elapid {

namespace {

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  const bool is_number = error == std::errc() && last == end && std::isfinite(double(number));
  return is_number ? std::optional(number) : std::nullopt;
}

/// The class of an id in canonical EDN. Only ids of one class are comparable: numbers (0), vectors,
/// texts, keywords, or names. Other ids (#) are not comparable.
char kind_of(std::string_view text) {
  constexpr std::string_view kKinds = "[\":";
  constexpr std::string_view kUnordered = "{#\\";
  const char first = text.empty() ? '{' : text.front();
  const bool is_other = kUnordered.find(first) != std::string_view::npos || text == "nil" ||
                        text == "true" || text == "false";
  return number_of<double>(text)                        ? '0'
         : is_other                                     ? '#'
         : kKinds.find(first) != std::string_view::npos ? first
                                                        : 'a';
}

/// A total order of ids. It equals Clojure's order if Clojure has one: for numbers and texts, and
/// for vectors by length, then by elements.
struct Compared {
  std::strong_ordering order = std::strong_ordering::equal;
  bool is_clojures = true;
};

Compared compare_texts(std::string_view a, std::string_view b) {
  const char kind = kind_of(a);
  if (a == b || kind != kind_of(b) || kind == '#') {
    return {kind == kind_of(b) ? a <=> b : kind <=> kind_of(b), a == b};
  }
  if (kind == '0') {
    const auto left = number_of<std::int64_t>(a);
    const auto right = number_of<std::int64_t>(b);
    return {left && right ? *left <=> *right
                          : std::strong_order(*number_of<double>(a), *number_of<double>(b))};
  }
  if (kind != '[') {
    return {a <=> b};
  }
  const auto left = elements_of(a);
  const auto right = elements_of(b);
  Compared compared = {left->size() <=> right->size()};
  for (std::size_t i = 0; compared.order == 0 && compared.is_clojures && i < left->size(); ++i) {
    compared = compare_texts((*left)[i], (*right)[i]);
  }
  return compared;
}

Compared compare_ids(const ValuePool& values, ValueId a, ValueId b) {
  const auto left = values.as_integer(a);
  const auto right = values.as_integer(b);
  return left && right ? Compared{*left <=> *right} : compare_texts(values.text(a), values.text(b));
}

class IdOrder {
 public:
  explicit IdOrder(const ValuePool& values) : values_(values) {}

  [[nodiscard]] bool operator()(ValueId a, ValueId b) const {
    return compare_ids(values_, a, b).order < 0;
  }

 private:
  const ValuePool& values_;
};

struct GivenId {
  ValueId id;
  std::int64_t count = 0;
};

/// The ids that one object gave more than once, sorted.
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

/// The most frequent ids, sorted.
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
  ResultValue range;
  if (!given.empty()) {
    ValueId least = given.front().value();
    ValueId greatest = least;
    for (const Op& op : given) {
      const Compared low = compare_ids(history.values(), least, op.value());
      const Compared high = compare_ids(history.values(), op.value(), greatest);
      if (!low.is_clojures || !high.is_clojures) {
        counts.problem = "ids such as " + history.shown_text(least) + " and " +
                         history.shown_text(op.value()) + " have no order";
        break;
      }
      least = low.order > 0 ? op.value() : least;
      greatest = high.order > 0 ? op.value() : greatest;
    }
    range = counts.problem
                ? range
                : ResultValue::vector({ResultValue::of(least), ResultValue::of(greatest)});
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
