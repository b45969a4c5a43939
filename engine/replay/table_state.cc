#include "engine/replay/table_state.h"

#include <utility>

namespace elapid::replay {

using rows::Field;
using rows::Predicate;
using rows::TableId;

TableState::TableState(const History& history)
    : history_(history),
      rows_(*history.info().rows),
      states_(history.key_count()),
      stamps_(history.key_count(), 0),
      columns_(rows_.column_count()),
      keys_(rows_.table_count()),
      alive_(rows_.table_count()) {}

void TableState::restore(KeyId row, RowState state, std::uint64_t stamp) {
  enter(row, false);
  states_[row.index()] = std::move(state);
  stamps_[row.index()] = stamp;
  enter(row, true);
}

/// Into the indices, or out of them.
void TableState::enter(KeyId row, bool is_in) {
  const RowState& state = states_[row.index()];
  if (!state.is_alive) {
    return;
  }
  const auto change = [&](auto& index, auto at) {
    if (is_in) {
      index[at].insert(row);
      return;
    }
    const auto found = index.find(at);
    found->second.erase(row);
    if (found->second.empty()) {
      index.erase(found);
    }
  };
  const TableId table = rows_.table(row);
  if (const auto number = history_.values().as_integer(rows_.key(row))) {
    change(keys_[table.index()], *number);
  }
  if (is_in) {
    alive_[table.index()].insert(row);
  } else {
    alive_[table.index()].erase(row);
  }
  for (const Field& field : state.record.fields()) {
    ColumnIndex& index = columns_[field.column.index()];
    if (const auto number = history_.values().as_integer(field.value)) {
      change(index.by_number, *number);
    } else {
      change(index.by_other, field.value);
    }
  }
}

/// The predicate or the part of a conjunction that an index answers; null if none does.
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

template <class Take>
void TableState::each_candidate(TableId table, const Predicate& predicate, Take take) const {
  const auto all = [&](const Keys& keys) {
    for (const KeyId row : keys) {
      take(row);
    }
  };
  const auto within = [&](const std::map<std::int64_t, Keys>& index, std::int64_t low,
                          std::int64_t high) {
    for (auto at = index.lower_bound(low); at != index.end() && at->first <= high; ++at) {
      all(at->second);
    }
  };
  const Predicate* served = served_by_index(predicate);
  if (served == nullptr) {
    all(alive_[table.index()]);
  } else if (served->kind == Predicate::Kind::kKeyRange) {
    within(keys_[table.index()], served->low, served->high);
  } else if (served->kind == Predicate::Kind::kRange) {
    within(columns_[served->column.index()].by_number, served->low, served->high);
  } else if (const auto number = history_.values().as_integer(served->value)) {
    within(columns_[served->column.index()].by_number, *number, *number);
  } else {
    const auto& others = columns_[served->column.index()].by_other;
    const auto found = others.find(served->value);
    if (found != others.end()) {
      all(found->second);
    }
  }
}

void TableState::find(TableId table, const Predicate& predicate, std::vector<KeyId>& found) const {
  // A range is answered by its index alone.
  const bool is_answered =
      predicate.kind == Predicate::Kind::kRange || predicate.kind == Predicate::Kind::kKeyRange;
  each_candidate(table, predicate, [&](KeyId row) {
    if (rows_.table(row) != table) {
      return;
    }
    if (is_answered ||
        predicate.matches(history_.values(), rows_.key(row), states_[row.index()].record)) {
      found.push_back(row);
    }
  });
}

}  // namespace elapid::replay
