// Other initial values, of columns that no transaction wrote, with which an explanation holds.
#include <algorithm>

#include "engine/argue/explanation.h"

namespace elapid::argue {

using replay::RowState;

namespace {

/// The most combinations of values that are tried for the columns of one row.
constexpr std::size_t kMostWays = 200;

}  // namespace

std::vector<Alike> Explanation::all_alike(const FirstContents& contents) {
  std::map<KeyId, std::vector<Alike>> by_row;
  for (const LastWriter& cause : causes_) {
    if (cause.writer.is_none() && cause.part >= kFirstColumn) {
      std::vector<Alike>& columns = by_row[cause.row];
      if (std::ranges::find(columns, cause.part, &Alike::part) == columns.end()) {
        columns.push_back({cause.row, cause.part, {held_at_first(cause.row, cause.part)}});
      }
    }
  }
  std::vector<Alike> all;
  for (auto& [row, columns] : by_row) {
    widen(contents, columns);
    for (Alike& column : columns) {
      std::ranges::sort(column.values);
      all.push_back(std::move(column));
    }
  }
  return all;
}

ValueId Explanation::held_at_first(KeyId row, std::uint32_t part) const {
  return state_.at_first(row).record.get(rows::ColumnId{part - kFirstColumn});
}

void Explanation::widen(const FirstContents& contents, std::vector<Alike>& columns) {
  const KeyId row = columns.front().row;
  std::vector<std::pair<const Look*, bool>> looks;
  for (const Look& look : looks_) {
    if (look.row == row) {
      looks.emplace_back(&look, outcome(look));
    }
  }
  std::size_t ways = 1;
  for (Alike& column : columns) {
    const std::span<const ValueId> values =
        contents.values(rows::ColumnId{column.part - kFirstColumn});
    for (const ValueId value : ways* values.size() <= kMostWays ? values : values.first(0)) {
      if (value != column.values.front() && is_alike(columns, column, value, looks)) {
        column.values.push_back(value);
      }
    }
    ways *= column.values.size();
  }
  state_.pretend_nothing();
}

bool Explanation::is_alike(const std::vector<Alike>& columns, const Alike& of, ValueId value,
                           const std::vector<std::pair<const Look*, bool>>& looks) {
  std::vector<std::size_t> chosen(columns.size(), 0);
  while (true) {
    state_.pretend_nothing();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      state_.pretend(of.row, rows::ColumnId{columns[i].part - kFirstColumn},
                     &columns[i] == &of ? value : columns[i].values[chosen[i]]);
    }
    for (const auto& [look, before] : looks) {
      if (outcome(*look) != before || !is_decided(*look)) {
        return false;
      }
    }
    std::size_t next = 0;
    while (next < columns.size() &&
           (&columns[next] == &of || ++chosen[next] == columns[next].values.size())) {
      chosen[next++] = 0;
    }
    if (next == columns.size()) {
      return true;
    }
  }
}

bool Explanation::outcome(const Look& look) const {
  const RowState state = state_.view(look.reader, look.mop, look.row);
  if (look.shown) {
    const ValueId value = state.record.get(rows::ColumnId{look.parts.front() - kFirstColumn});
    return (value.is_none() ? ValueId::nil() : value) == *look.shown;
  }
  return state_.matches(writes_.op(look.reader, look.mop), look.row, state);
}

bool Explanation::is_decided(const Look& look) const {
  if (look.shown) {
    return true;
  }
  const Parts parts = why(writes_.op(look.reader, look.mop), look.row,
                          state_.view(look.reader, look.mop, look.row));
  return std::ranges::all_of(parts, [&](std::uint32_t part) {
    return std::ranges::find(look.parts, part) != look.parts.end();
  });
}

}  // namespace elapid::argue
