#include "engine/certify/rows/live_rows.h"

#include <algorithm>

#include "engine/verdict/rows_evidence.h"

namespace elapid::certify {

using rows::ColumnId;
using rows::Field;
using rows::Known;
using rows::Predicate;
using rows::RowOp;

LiveRows::LiveRows(const History& history, bool lists_all, std::span<const PartAtFirst> beginning)
    : history_(history), rows_of_(*history.info().rows), rows_(history.key_count()) {
  choose_columns(lists_all);
  gather_marks(beginning);
}

/// Whether the number of matching rows, with the rows that are shown, tells everything about the
/// result.
bool LiveRows::is_countable(const RowOp& op) {
  const bool counts = op.known == Known::kCount || op.known == Known::kAny;
  return op.first == 0 && (op.names_rows() || (counts && op.is_read()));
}

void LiveRows::choose_columns(bool lists_all) {
  for (const RowOp& op : rows_of_.ops()) {
    const auto range = op.has_predicate() ? range_of(rows_of_.predicate(op)) : std::nullopt;
    if (!range) {
      continue;
    }
    Column& column = columns_[range->column];
    const bool is_counted =
        !lists_all && is_countable(op) && comparison(rows_of_.predicate(op)).has_value();
    column.is_counted = column.is_counted || is_counted;
    column.is_listed = column.is_listed || !is_counted;
  }
}

/// Notes the values that counted columns may ever hold.
void LiveRows::gather_marks(std::span<const PartAtFirst> beginning) {
  const auto note = [this](ColumnId column, ValueId value) {
    const auto found = columns_.find(column);
    if (found != columns_.end() && found->second.is_counted) {
      found->second.tally.note(mark(value));
    }
  };
  for (const RowOp& op : rows_of_.ops()) {
    for (const Field& field : rows_of_.written(op)) {
      note(field.column, field.value);
    }
  }
  for (const PartAtFirst& part : beginning) {
    if (part.part >= kFirstColumn && part.row.index() < rows_.size()) {
      note(ColumnId{part.part - kFirstColumn}, part.value);
    }
  }
  for (KeyId row{0}; row.index() < rows_.size(); ++row.value) {
    if (rows_of_.is_row(row)) {
      note(ColumnId::none(), rows_of_.key(row));
    }
  }
  for (auto& [name, column] : columns_) {
    column.tally.begin();
  }
}

LiveRows::Mark LiveRows::mark(ValueId value) const {
  const auto number = history_.values().as_integer(value);
  return number ? Mark{false, *number} : Mark{true, value.bits()};
}

/// The predicate as a range of one column.
std::optional<LiveRows::MarkRange> LiveRows::comparison(const Predicate& predicate) const {
  switch (predicate.kind) {
    case Predicate::Kind::kEqual:
      if (predicate.value.is_nil()) {
        return std::nullopt;  // null equals nothing
      }
      return MarkRange{predicate.column, mark(predicate.value), mark(predicate.value)};
    case Predicate::Kind::kRange:
      return MarkRange{predicate.column, {false, predicate.low}, {false, predicate.high}};
    case Predicate::Kind::kKeyRange:
      return MarkRange{ColumnId::none(), {false, predicate.low}, {false, predicate.high}};
    default:
      return std::nullopt;
  }
}

/// A range of one column that holds all rows that match.
std::optional<LiveRows::MarkRange> LiveRows::range_of(const Predicate& predicate) const {
  if (predicate.kind != Predicate::Kind::kAnd) {
    return comparison(predicate);
  }
  for (const Predicate& part : predicate.parts) {
    if (auto range = range_of(part)) {
      return range;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> LiveRows::count(const RowOp& op) const {
  const auto range = comparison(rows_of_.predicate(op));
  const auto column = range ? columns_.find(range->column) : columns_.end();
  if (column == columns_.end() || !column->second.is_counted) {
    return std::nullopt;
  }
  return column->second.tally.within(range->low, range->high);
}

void LiveRows::set(KeyId row, std::optional<LiveRow> after) {
  std::optional<LiveRow>& current = rows_[row.index()];
  const auto holds = [](const std::optional<LiveRow>& in, const Field& field) {
    return in && in->record.get(field.column) == field.value;
  };
  for (const Field& field : current ? current->record.fields() : std::span<const Field>()) {
    if (!holds(after, field)) {
      enter(row, field.column, field.value, false);
    }
  }
  for (const Field& field : after ? after->record.fields() : std::span<const Field>()) {
    if (!holds(current, field)) {
      enter(row, field.column, field.value, true);
    }
  }
  if (current.has_value() != after.has_value()) {
    enter(row, ColumnId::none(), rows_of_.key(row), after.has_value());
    if (after) {
      live_.insert(row);
    } else {
      live_.erase(row);
    }
  }
  current = std::move(after);
}

/// Adds the row to those that hold the value, or removes it.
void LiveRows::enter(KeyId row, ColumnId column, ValueId value, bool is_in) {
  const auto found = columns_.find(column);
  if (found == columns_.end()) {
    return;
  }
  const Mark held = mark(value);
  if (found->second.is_counted) {
    found->second.tally.change(held, is_in);
  }
  if (found->second.is_listed && is_in) {
    found->second.listed.insert({held, row});
  } else if (found->second.is_listed) {
    found->second.listed.erase({held, row});
  }
}

/// Sorts the marks that were noted. No row holds one yet.
void LiveRows::Tally::begin() {
  for (std::vector<std::int64_t>* numbers : {&integers, &others}) {
    std::ranges::sort(*numbers);
    numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
    numbers->shrink_to_fit();
  }
  sums.assign(integers.size() + others.size(), 0);
}

/// How many marks come before this one.
std::size_t LiveRows::Tally::place(Mark mark) const {
  const std::vector<std::int64_t>& numbers = mark.is_other ? others : integers;
  const auto at = std::ranges::lower_bound(numbers, mark.number) - numbers.begin();
  return (mark.is_other ? integers.size() : 0) + static_cast<std::size_t>(at);
}

/// How many marks come before this one, with itself.
std::size_t LiveRows::Tally::place_after(Mark mark) const {
  const std::vector<std::int64_t>& numbers = mark.is_other ? others : integers;
  const auto at = std::ranges::upper_bound(numbers, mark.number) - numbers.begin();
  return (mark.is_other ? integers.size() : 0) + static_cast<std::size_t>(at);
}

// Place i of the sums, counted from 1, holds those of the marks i - (i & -i) + 1 to i.

void LiveRows::Tally::change(Mark mark, bool is_more) {
  for (std::size_t i = place(mark) + 1; i <= sums.size(); i += i & -i) {
    sums[i - 1] = is_more ? sums[i - 1] + 1 : sums[i - 1] - 1;
  }
}

/// How many rows hold one of the first `place` marks.
std::size_t LiveRows::Tally::before(std::size_t place) const {
  std::size_t sum = 0;
  for (std::size_t i = place; i > 0; i -= i & -i) {
    sum += sums[i - 1];
  }
  return sum;
}

std::size_t LiveRows::Tally::within(Mark low, Mark high) const {
  const std::size_t begin = place(low);
  const std::size_t end = place_after(high);
  return begin < end ? before(end) - before(begin) : 0;
}

}  // namespace elapid::certify
