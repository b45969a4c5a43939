#include "engine/replay/table_state.h"

#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "engine/verdict/rows_evidence.h"

namespace elapid::replay {

using rows::Field;
using rows::Predicate;
using rows::RowOp;

namespace {

std::span<const Field> fields_of(const RowState& row) {
  return row.is_alive ? row.record.fields() : std::span<const Field>();
}

}  // namespace

std::vector<PartAtFirst> parts_at_first(const RowContents& contents) {
  std::vector<PartAtFirst> parts;
  for (const auto& [row, state] : contents) {
    parts.push_back({row, kRowExistence, ValueId::integer(1)});
    for (const rows::Field& field : state.record.fields()) {
      parts.push_back({row, kFirstColumn + field.column.value, field.value});
    }
  }
  return parts;
}

TableState::TableState(const History& history)
    : history_(history),
      rows_(*history.info().rows),
      states_(history.key_count()),
      stamps_(history.key_count(), 0),
      columns_(rows_.column_count()) {
  keep_indices();
}

void TableState::keep_indices() {
  for (const RowOp& op : rows_.ops()) {
    if (!op.has_predicate()) {
      continue;
    }
    const Predicate* served = served_by_index(rows_.predicate(op));
    if (served == nullptr) {
      keeps_all_ = true;
    } else if (served->kind == Predicate::Kind::kKeyRange) {
      keeps_keys_ = true;
    } else {
      columns_[served->column.index()].is_kept = true;
    }
  }
}

RowState TableState::restore(KeyId row, RowState state, std::uint64_t stamp) {
  RowState& current = states_[row.index()];
  if (current.is_alive != state.is_alive) {
    enter(row, state.is_alive);
  }
  const auto holds = [](const RowState& in, const Field& field) {
    return in.is_alive && in.record.get(field.column) == field.value;
  };
  for (const Field& field : fields_of(current)) {
    ColumnIndex& index = columns_[field.column.index()];
    if (index.is_kept && !holds(state, field)) {
      enter(index, field.value, row, false);
    }
  }
  for (const Field& field : fields_of(state)) {
    ColumnIndex& index = columns_[field.column.index()];
    if (index.is_kept && !holds(current, field)) {
      enter(index, field.value, row, true);
    }
  }
  std::swap(current, state);
  stamps_[row.index()] = stamp;
  return state;
}

/// Adds the row to the index, or removes it.
void TableState::enter(ColumnIndex& index, ValueId value, KeyId row, bool is_in) const {
  const auto number = history_.values().as_integer(value);
  SortedRows& rows = number ? index.by_number : index.by_other;
  const std::int64_t at = number ? *number : value.bits();
  is_in ? rows.insert(at, row) : rows.erase(at, row);
}

/// Adds the row to the rows that are alive, or removes it.
void TableState::enter(KeyId row, bool is_in) {
  if (keeps_all_) {
    is_in ? all_.insert(row.value, row) : all_.erase(row.value, row);
  }
  const auto key = keeps_keys_ ? history_.values().as_integer(rows_.key(row)) : std::nullopt;
  if (key) {
    is_in ? by_key_.insert(*key, row) : by_key_.erase(*key, row);
  }
}

/// The predicate, or a part of a conjunction, that an index can answer; null if there is none.
const Predicate* TableState::served_by_index(const Predicate& predicate) const {
  switch (predicate.kind) {
    case Predicate::Kind::kEqual:
    case Predicate::Kind::kRange:
    case Predicate::Kind::kKeyRange:
      return &predicate;
    case Predicate::Kind::kAnd:
      for (const Predicate& part : predicate.parts) {
        if (const Predicate* served = served_by_index(part)) {
          return served;
        }
      }
      return nullptr;
    default:
      return nullptr;
  }
}

/// Calls `take(row)` for all rows that may match.
template <class Take>
void TableState::each_candidate(const Predicate& predicate, Take take) const {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
  const Predicate* served = served_by_index(predicate);
  const bool is_of_key = served != nullptr && served->kind == Predicate::Kind::kKeyRange;
  if (is_of_key && keeps_keys_) {
    by_key_.each_within(served->low, served->high, take);
  } else if (served != nullptr && !is_of_key && columns_[served->column.index()].is_kept) {
    const ColumnIndex& index = columns_[served->column.index()];
    if (served->kind == Predicate::Kind::kRange) {
      index.by_number.each_within(served->low, served->high, take);
    } else if (const auto number = history_.values().as_integer(served->value)) {
      index.by_number.each_within(*number, *number, take);
    } else {
      index.by_other.each_within(served->value.bits(), served->value.bits(), take);
    }
  } else if (keeps_all_) {
    all_.each_within(kLowest, kHighest, take);
  } else {
    for (KeyId row{0}; row.index() < states_.size(); ++row.value) {
      take(row);
    }
  }
}

template <class Take>
void TableState::each_match(const Predicate& predicate, Take take) const {
  each_candidate(predicate, [&](KeyId row) {
    if (is_match(predicate, row, states_[row.index()])) {
      take(row);
    }
  });
}

void TableState::find(const Predicate& predicate, std::vector<KeyId>& found) const {
  each_match(predicate, [&](KeyId row) { found.push_back(row); });
}

std::size_t TableState::count(const Predicate& predicate) const {
  if (predicate.kind == Predicate::Kind::kKeyRange && keeps_keys_) {
    return by_key_.count_within(predicate.low, predicate.high);
  }
  if (predicate.kind == Predicate::Kind::kRange && columns_[predicate.column.index()].is_kept) {
    return columns_[predicate.column.index()].by_number.count_within(predicate.low, predicate.high);
  }
  std::size_t count = 0;
  each_match(predicate, [&](KeyId) { ++count; });
  return count;
}

}  // namespace elapid::replay
