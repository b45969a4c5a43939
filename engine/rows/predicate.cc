#include "engine/rows/predicate.h"

#include <algorithm>
#include <optional>

namespace elapid::rows {

namespace {

Truth truth(bool holds) {
  return holds ? Truth::kTrue : Truth::kFalse;
}

Truth opposite(Truth of) {
  return of == Truth::kTrue ? Truth::kFalse : of == Truth::kFalse ? Truth::kTrue : of;
}

bool is_null(ValueId value) {
  return value.is_none() || value.is_nil();
}

Truth is_within(std::optional<std::int64_t> number, std::int64_t low, std::int64_t high) {
  return number ? truth(low <= *number && *number <= high) : Truth::kUnknown;
}

/// The remainder is never negative: -1 by 3 leaves 2.
std::int64_t remainder_of(std::int64_t number, std::int64_t by) {
  const std::int64_t rest = number % by;
  return rest < 0 ? rest + by : rest;
}

std::optional<std::int64_t> integer_in(const ValuePool& values, ValueId value) {
  return is_null(value) ? std::nullopt : values.as_integer(value);
}

}  // namespace

void Record::set(ColumnId column, ValueId value) {
  const std::span<const Field> all = fields();
  const auto at = std::ranges::lower_bound(all, column, {}, &Field::column);
  const auto place = at - all.begin();
  if (at != all.end() && at->column == column) {
    const auto held = static_cast<std::size_t>(place);
    (many_.empty() ? few_[held] : many_[held]).value = value;
    return;
  }
  if (many_.empty() && few_count_ < kFew) {
    const auto end = few_.begin() + few_count_++;
    std::copy_backward(few_.begin() + place, end, end + 1);
    few_[static_cast<std::size_t>(place)] = {column, value};
    return;
  }
  if (many_.empty()) {
    many_.assign(few_.begin(), few_.end());
    few_count_ = 0;
  }
  many_.insert(many_.begin() + place, {column, value});
}

Truth Predicate::evaluate(const ValuePool& values, ValueId key, const Record& row) const {
  switch (kind) {
    case Kind::kTrue:
      return Truth::kTrue;
    case Kind::kEqual: {
      const ValueId held = row.get(column);
      return is_null(held) || is_null(value) ? Truth::kUnknown : truth(held == value);
    }
    case Kind::kRange:
      return is_within(integer_in(values, row.get(column)), low, high);
    case Kind::kMod: {
      const auto number = integer_in(values, row.get(column));
      return number ? truth(remainder_of(*number, high) == low) : Truth::kUnknown;
    }
    case Kind::kKeyRange:
      return is_within(integer_in(values, key), low, high);
    case Kind::kPresent:
      return truth(!is_null(row.get(column)));
    case Kind::kNot:
      return opposite(parts.front().evaluate(values, key, row));
    case Kind::kAnd:
    case Kind::kOr:
      break;
  }
  const bool is_and = kind == Kind::kAnd;
  Truth result = truth(is_and);
  for (const Predicate& part : parts) {
    const Truth said = part.evaluate(values, key, row);
    result = is_and ? std::min(result, said) : std::max(result, said);
  }
  return result;
}

}  // namespace elapid::rows
