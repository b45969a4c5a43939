// Compares results of operations with the current rows.
#include <algorithm>

#include "engine/certify/rows/rows_replay.h"

namespace elapid::certify {

using rows::ColumnId;
using rows::Field;
using rows::Known;
using rows::RowOp;
using rows::ShownRow;

std::vector<KeyId> RowsReplay::rows_shown(const RowOp& op) const {
  std::vector<KeyId> rows;
  if (!op.is_read()) {
    for (const ShownRow& row : rows_.shown(op)) {
      rows.push_back(row.row);
    }
  }
  return rows;
}

std::optional<std::size_t> RowsReplay::counted(const RowOp& op, const RowChanges& changes) const {
  std::optional<std::size_t> count = live_.count(op);
  for (auto change = changes.begin(); count && change != changes.end(); ++change) {
    const auto& [row, after] = *change;
    const LiveRow* before = live_.find(row);
    *count -= before != nullptr && live_.is_match(op, row, *before) ? 1U : 0U;
    *count += after && live_.is_match(op, row, *after) ? 1U : 0U;
  }
  return count;
}

bool RowsReplay::is_result(const RowOp& op, std::size_t count, const RowChanges& changes) const {
  if (op.known == Known::kCount || op.known == Known::kAny) {
    return op.known == Known::kCount ? count == op.count : (count == 0) == (op.count == 0);
  }
  const std::span<const ShownRow> shown = rows_.shown(op);
  if (count != shown.size()) {
    return false;
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i + kAhead < shown.size()) {
      live_.prefetch(shown[i + kAhead].row);
    }
    const LiveRow* content = seen(shown[i].row, changes);
    if (content == nullptr || !live_.is_match(op, shown[i].row, *content) ||
        !agrees(op, shown[i], *content)) {
      return false;
    }
  }
  return true;
}

bool RowsReplay::is_result(const RowOp& op, const std::vector<KeyId>& found,
                           const RowChanges& changes) const {
  const std::span<const ShownRow> shown = rows_.shown(op);
  switch (op.known) {
    case Known::kNothing:
      return true;
    case Known::kCount:
      return found.size() == op.count;
    case Known::kAny:
      return found.empty() == (op.count == 0);
    case Known::kBag:
      return found.size() == shown.size() && is_bag(shown, found, changes);
    default:
      break;
  }
  return found.size() == shown.size() && std::ranges::all_of(shown, [&](const ShownRow& row) {
           return std::ranges::binary_search(found, row.row) &&
                  agrees(op, row, *seen(row.row, changes));
         });
}

std::vector<KeyId> RowsReplay::matching(const RowOp& op, const RowChanges& changes) const {
  std::vector<KeyId> found;
  live_.each_near(op, [&](KeyId row, const LiveRow& content) {
    if (!changes.contains(row) && live_.is_match(op, row, content)) {
      found.push_back(row);
    }
  });
  for (const auto& [row, content] : changes) {
    if (content && live_.is_match(op, row, *content)) {
      found.push_back(row);
    }
  }
  std::ranges::sort(found);
  return found;
}

std::vector<KeyId> RowsReplay::first_of(std::vector<KeyId> found, std::size_t count) const {
  const auto key = [this](KeyId row) { return history_.values().as_integer(rows_.key(row)); };
  std::ranges::stable_sort(found, {}, key);
  found.resize(std::min(count, found.size()));
  std::ranges::sort(found);
  return found;
}

bool RowsReplay::is_bag(std::span<const ShownRow> shown, const std::vector<KeyId>& found,
                        const RowChanges& changes) const {
  std::map<std::vector<ValueId>, std::int64_t> balance;
  for (const ShownRow& row : shown) {
    std::vector<ValueId> values;
    for (const Field& field : rows_.fields(row)) {
      values.push_back(field.value);
    }
    ++balance[values];
  }
  for (const KeyId row : found) {
    std::vector<ValueId> values;
    for (const Field& field : rows_.fields(shown.front())) {
      values.push_back(column_of(*seen(row, changes), field.column));
    }
    --balance[values];
  }
  return std::ranges::all_of(balance, [](const auto& entry) { return entry.second == 0; });
}

bool RowsReplay::agrees(const RowOp& op, const ShownRow& shown, const LiveRow& row) const {
  if (op.known == Known::kKeys) {
    return true;
  }
  if (op.known == Known::kVersions) {
    return shown.version == row.version;
  }
  return std::ranges::all_of(rows_.fields(shown), [&](const Field& field) {
    return column_of(row, field.column) == field.value;
  });
}

ValueId RowsReplay::column_of(const LiveRow& row, ColumnId column) {
  const ValueId value = row.record.get(column);
  return value.is_none() ? ValueId::nil() : value;
}

}  // namespace elapid::certify
