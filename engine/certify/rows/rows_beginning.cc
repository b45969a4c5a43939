#include "engine/certify/rows/rows_beginning.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/certify/rows/rows_causes.h"

namespace elapid::certify {

using rows::ColumnId;
using rows::Predicate;
using rows::RowOp;
using rows::ShownRow;

namespace {

/// The largest period of remainders that is looked at.
constexpr std::int64_t kMostPeriods = 10'000;

RowsChoice exists_at_first(KeyId row) {
  return {.kind = RowsChoice::Kind::kAtFirst,
          .row = row,
          .part = kRowExistence,
          .values = {ValueId::integer(1)}};
}

bool is_of_column(const RowsChoice& choice) {
  return choice.kind == RowsChoice::Kind::kAtFirst && choice.part >= kFirstColumn;
}

}  // namespace

RowsBeginning::RowsBeginning(const History& history)
    : history_(history), rows_(*history.info().rows), columns_(rows_.column_count()) {
  if (!is_open()) {
    return;
  }
  for (const RowOp& op : rows_.ops()) {
    for (const ShownRow& shown : rows_.shown(op)) {
      for (const rows::Field& field : rows_.fields(shown)) {
        columns_[field.column.index()].mentioned.insert(field.value);
      }
    }
    if (op.has_predicate()) {
      note(rows_.predicate(op));
    }
  }
  for (Column& column : columns_) {
    column.mentioned.erase(ValueId::nil());
    for (const ValueId value : column.mentioned) {
      if (const auto number = history.values().as_integer(value)) {
        column.numbers.insert(*number);
      }
    }
  }
}

void RowsBeginning::note(const Predicate& predicate) {
  switch (predicate.kind) {
    case Predicate::Kind::kEqual:
      columns_[predicate.column.index()].mentioned.insert(predicate.value);
      break;
    case Predicate::Kind::kRange:
      columns_[predicate.column.index()].ranges.push_back(&predicate);
      break;
    case Predicate::Kind::kMod:
      columns_[predicate.column.index()].remainders.push_back(&predicate);
      break;
    default:
      for (const Predicate& part : predicate.parts) {
        note(part);
      }
  }
}

KnownRow RowsBeginning::any_row() const {
  return is_open() ? KnownRow{.version = ValueId::nil()} : unborn_row();
}

KnownRow RowsBeginning::assumed_row(const RowsProofStep& step, KeyId row) const {
  KnownRow known = any_row();
  for (const RowsChoice& choice : step.clause) {
    if (choice.kind != RowsChoice::Kind::kAtFirst || choice.row != row) {
      continue;
    }
    if (choice.part == kRowExistence) {
      known.exists = !choice.holds;
    } else if (!choice.holds) {
      known.columns[ColumnId{choice.part - kFirstColumn}] = choice.values;
    }
  }
  return known;
}

bool RowsBeginning::is_meant(const RowsProofStep& step) const {
  for (const RowsChoice& choice : step.clause) {
    if (!is_of_column(choice) || choice.holds) {
      continue;
    }
    // A row that holds a value exists.
    if (std::ranges::none_of(choice.values, &ValueId::is_none) &&
        has(step, exists_at_first(choice.row))) {
      return true;
    }
    // Each value of the one choice is of the same kind as a value of the other.
    const Column& column = columns_[choice.part - kFirstColumn];
    for (const RowsChoice& other : step.clause) {
      const auto is_among = [&](ValueId value) {
        return std::ranges::any_of(other.values,
                                   [&](ValueId one) { return is_one_kind(column, one, value); });
      };
      if (is_of_column(other) && other.holds && other.row == choice.row &&
          other.part == choice.part && std::ranges::all_of(choice.values, is_among)) {
        return true;
      }
    }
  }
  return false;
}

bool RowsBeginning::names_all_kinds(const RowsProofStep& step) const {
  const auto is_named = [](const RowsChoice& choice) {
    return is_of_column(choice) && choice.holds;
  };
  const auto first = std::ranges::find_if(step.clause, is_named);
  if (first == step.clause.end()) {
    return false;
  }
  std::vector<ValueId> values;
  for (const RowsChoice& choice : step.clause) {
    if (is_named(choice) && choice.row == first->row && choice.part == first->part) {
      values.insert(values.end(), choice.values.begin(), choice.values.end());
    }
  }
  return covers(columns_[first->part - kFirstColumn], values);
}

RowsBeginning::Kind RowsBeginning::kind_of(const Column& column,
                                           std::optional<std::int64_t> number) {
  if (!number) {
    return std::nullopt;
  }
  std::vector<bool> kind;
  for (const Predicate* range : column.ranges) {
    kind.push_back(*number >= range->low && *number <= range->high);
  }
  for (const Predicate* is : column.remainders) {
    const std::int64_t rest = *number % is->high;
    kind.push_back((rest < 0 ? rest + is->high : rest) == is->low);
  }
  return kind;
}

bool RowsBeginning::is_one_kind(const Column& column, ValueId a, ValueId b) const {
  if (a == b) {
    return true;
  }
  const auto is_other = [&](ValueId value) {
    return !value.is_none() && !value.is_nil() && !column.mentioned.contains(value);
  };
  const auto number = [&](ValueId value) { return history_.values().as_integer(value); };
  const bool asks_numbers = !column.ranges.empty() || !column.remainders.empty();
  return is_other(a) && is_other(b) &&
         (!asks_numbers || kind_of(column, number(a)) == kind_of(column, number(b)));
}

bool RowsBeginning::covers(const Column& column, std::span<const ValueId> values) const {
  const auto names = [&](ValueId value) {
    return std::ranges::find(values, value) != values.end();
  };
  if (!names(ValueId::none()) || !std::ranges::all_of(column.mentioned, names)) {
    return false;
  }
  std::set<Kind> kinds;  // of values that are not mentioned
  for (const ValueId value : values) {
    if (!value.is_none() && !value.is_nil() && !column.mentioned.contains(value)) {
      kinds.insert(kind_of(column, history_.values().as_integer(value)));
    }
  }
  if (column.ranges.empty() && column.remainders.empty()) {
    return !kinds.empty();
  }
  return kinds.contains(std::nullopt) && covers_numbers(column, kinds);
}

/// Between two places where a range begins or has ended, or a number is mentioned, numbers differ
/// by their remainders alone.
bool RowsBeginning::covers_numbers(const Column& column, const std::set<Kind>& kinds) {
  using Limits = std::numeric_limits<std::int64_t>;
  std::int64_t period = 1;
  for (const Predicate* is : column.remainders) {
    if (is->high > kMostPeriods) {
      return false;
    }
    period = std::lcm(period, is->high);
    if (period > kMostPeriods) {
      return false;
    }
  }
  std::set<std::int64_t> places = {Limits::min()};
  const auto mark = [&](std::int64_t from, std::int64_t to) {
    places.insert(from);
    if (to < Limits::max()) {
      places.insert(to + 1);
    }
  };
  for (const Predicate* range : column.ranges) {
    if (range->low <= range->high) {
      mark(range->low, range->high);
    }
  }
  for (const std::int64_t number : column.numbers) {
    mark(number, number);
  }
  for (auto place = places.begin(); place != places.end(); ++place) {
    const auto next = std::next(place);
    std::int64_t number = *place;
    for (std::int64_t i = 0; i < period; ++i, ++number) {
      if (!column.numbers.contains(number) && !kinds.contains(kind_of(column, number))) {
        return false;
      }
      const bool is_last = number == Limits::max();
      if (is_last || (next != places.end() && number + 1 == *next)) {
        break;
      }
    }
  }
  return true;
}

}  // namespace elapid::certify
