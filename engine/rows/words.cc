#include "engine/rows/words.h"

#include <string_view>
#include <vector>

namespace elapid::rows {

std::string column_words(const History& history, ColumnId column) {
  const ValueId name = history.info().rows->column_name(column);
  return name.is_none() ? "its value" : history.shown_text(name);
}

namespace {

/// `(:a = 1 or :a = 2)`: encloses a condition of several parts, so that the reader sees its end.
std::string enclosed(const History& history, const Predicate& is) {
  const bool is_several =
      (is.kind == Predicate::Kind::kAnd || is.kind == Predicate::Kind::kOr) && is.parts.size() > 1;
  const std::string words = condition_words(history, is);
  return is_several ? "(" + words + ")" : words;
}

std::string joined(const History& history, const Predicate& is, std::string_view word,
                   std::string_view of_none) {
  if (is.parts.size() == 1) {
    return condition_words(history, is.parts.front());
  }
  std::string all;
  for (const Predicate& part : is.parts) {
    all.append(all.empty() ? "" : word).append(enclosed(history, part));
  }
  return all.empty() ? std::string(of_none) : all;
}

}  // namespace

std::string condition_words(const History& history, const Predicate& is) {
  using Kind = Predicate::Kind;
  const auto column = [&] { return column_words(history, is.column); };
  const std::string low = std::to_string(is.low);
  const std::string high = std::to_string(is.high);
  switch (is.kind) {
    case Kind::kTrue:
      return "any columns";
    case Kind::kEqual:
      return column() + " = " + history.shown_text(is.value);
    case Kind::kRange:
      return low + " <= " + column() + " <= " + high;
    case Kind::kMod:
      return column() + " mod " + high + " = " + low;
    case Kind::kKeyRange:
      return low + " <= key <= " + high;
    case Kind::kPresent:
      return "a " + column();
    case Kind::kNot:
      return "not (" + condition_words(history, is.parts.front()) + ")";
    case Kind::kAnd:
      return joined(history, is, " and ", "any columns");
    case Kind::kOr:
      return joined(history, is, " or ", "what no row has");
  }
  return {};
}

std::size_t named_rows(const History& history) {
  const Rows& rows = *history.info().rows;
  std::vector<bool> is_named(history.key_count());
  std::size_t count = 0;
  const auto name = [&](KeyId row) {
    if (!row.is_none() && !is_named[row.index()]) {
      is_named[row.index()] = true;
      ++count;
    }
  };
  for (const Op place : history.all_ops()) {
    const RowOp& op = rows.op(place);
    if (!op.has_predicate()) {
      name(op.row);
    }
    for (const ShownRow& shown : rows.shown(op)) {
      name(shown.row);
    }
  }
  return count;
}

std::string extent_words(const Rows& rows, std::size_t named) {
  const std::size_t columns = rows.column_count();
  return std::to_string(named) + " with " + std::to_string(columns) +
         (columns == 1 ? " column" : " columns");
}

}  // namespace elapid::rows
