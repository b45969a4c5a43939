#include "engine/certify/rows/rows_findings.h"

#include <algorithm>
#include <span>

namespace elapid::certify {

using rows::Known;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

bool RowsFindings::is_impossible_as(const RowOp& op, KeyId key, const KnownRow& row,
                                    std::uint32_t as) const {
  if (!op.has_predicate()) {
    return as == kAsMissed ? must_exist(row) : !row.exists.value_or(true);
  }
  const Certain match = matches(history_, op, key, row);
  if (as == kAsMissed) {
    return match == Certain::kYes;
  }
  return match == Certain::kNo || (as != kAsFound && contradicts(op, rows_.shown(op)[as], row));
}

bool RowsFindings::is_impossible(const RowOp& op, KeyId key, const KnownRow& row,
                                 std::uint32_t as) const {
  if (as != kAsRecorded) {
    return is_impossible_as(op, key, row, as);
  }
  if (!op.has_predicate()) {
    if (op.row != key) {
      return false;
    }
    switch (op.kind) {
      case RowOpKind::kInsert:
        return must_exist(row);
      case RowOpKind::kUpdate:
        return !row.exists.value_or(true);
      case RowOpKind::kRead:
        return op.known != Known::kNothing &&
               (op.shown_count == 0 ? must_exist(row)
                                    : contradicts(op, rows_.shown(op).front(), row));
      default:
        return false;
    }
  }
  if (op.finds_unnamed()) {
    return false;
  }
  const std::span<const ShownRow> shown = rows_.shown(op);
  const auto found = std::ranges::find(shown, key, &ShownRow::row);
  const Certain match = matches(history_, op, key, row);
  return found == shown.end() ? match == Certain::kYes && !is_beyond(op, key)
                              : match == Certain::kNo || contradicts(op, *found, row);
}

bool RowsFindings::contradicts(const RowOp& op, const ShownRow& shown, const KnownRow& row) const {
  if (!row.exists.value_or(true)) {
    return true;
  }
  if (op.known == Known::kVersions) {
    return row.version && *row.version != shown.version;
  }
  return std::ranges::any_of(rows_.fields(shown), [&](const rows::Field& field) {
    const std::vector<ValueId> held = row.column(field.column);
    return !held.empty() && std::ranges::none_of(held, [&](ValueId value) {
      return (value.is_none() ? ValueId::nil() : value) == field.value;
    });
  });
}

std::int64_t RowsFindings::number(KeyId row) const {
  return history_.values().as_integer(rows_.key(row)).value_or(0);
}

bool RowsFindings::is_beyond(const RowOp& op, KeyId key) const {
  const std::span<const ShownRow> shown = rows_.shown(op);
  return op.first > 0 && shown.size() == op.first &&
         std::ranges::all_of(shown,
                             [&](const ShownRow& row) { return number(row.row) < number(key); });
}

bool RowsFindings::is_miscounted(const RowOp& op, const KnownOf& known) const {
  if (!op.finds_unnamed() || op.known == Known::kNothing) {
    return false;
  }
  const std::span<const ShownRow> shown = rows_.shown(op);
  const std::size_t expected = op.known == Known::kBag ? shown.size() : op.count;
  std::vector<KeyId> rows;
  for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
    if (rows_.is_row(row)) {
      rows.push_back(row);
    }
  }
  std::size_t sure = 0;
  std::size_t possible = 0;
  std::vector<std::size_t> holders(shown.size(), 0);  // rows that may hold what is shown
  for (const KeyId row : rows) {
    const KnownRow now = known(row);
    const Certain match = matches(history_, op, row, now);
    sure += match == Certain::kYes ? 1U : 0U;
    possible += match == Certain::kNo ? 0U : 1U;
    for (std::size_t i = 0; i < shown.size() && match != Certain::kNo; ++i) {
      holders[i] += contradicts(op, shown[i], now) ? 0U : 1U;
    }
  }
  const bool is_all = op.first == 0 || expected < op.first;
  if (possible < expected || (is_all && op.known != Known::kAny && sure > expected)) {
    return true;
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto same = static_cast<std::size_t>(std::ranges::count_if(
        shown, [&](const ShownRow& other) { return values(other) == values(shown[i]); }));
    if (holders[i] < same) {
      return true;
    }
  }
  return op.known == Known::kBag && !is_all && is_other_beginning(op, rows, known);
}

std::vector<ValueId> RowsFindings::values(const ShownRow& row) const {
  std::vector<ValueId> all;
  for (const rows::Field& field : rows_.fields(row)) {
    all.push_back(field.value);
  }
  return all;
}

bool RowsFindings::is_other_beginning(const RowOp& op, std::vector<KeyId> rows,
                                      const KnownOf& known) const {
  std::ranges::sort(rows, {}, [&](KeyId row) { return number(row); });
  const std::span<const ShownRow> shown = rows_.shown(op);
  std::vector<std::vector<ValueId>> found;
  std::vector<std::vector<ValueId>> expected;
  for (const ShownRow& row : shown) {
    expected.push_back(values(row));
  }
  for (const KeyId row : rows) {
    const KnownRow now = known(row);
    const Certain match = matches(history_, op, row, now);
    if (match == Certain::kNo || found.size() == op.first) {
      continue;
    }
    std::vector<ValueId>& all = found.emplace_back();
    for (const rows::Field& field : rows_.fields(shown.front())) {
      const std::vector<ValueId> values = now.column(field.column);
      if (values.size() != 1 || match == Certain::kMaybe) {
        return false;
      }
      all.push_back(values.front().is_none() ? ValueId::nil() : values.front());
    }
    if (match == Certain::kMaybe) {
      return false;
    }
  }
  std::ranges::sort(found);
  std::ranges::sort(expected);
  return found.size() == op.first && found != expected;
}

}  // namespace elapid::certify
