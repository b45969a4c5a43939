#include "engine/replay/carry_out.h"

#include <algorithm>

namespace elapid::replay {

using rows::Field;
using rows::Known;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

namespace {

constexpr std::size_t kStatesAhead = 8;  // rows shown, prefetched ahead

/// A missing column is read as null.
ValueId shown_value(const RowState& row, rows::ColumnId column) {
  const ValueId held = row.record.get(column);
  return held.is_none() ? ValueId::nil() : held;
}

}  // namespace

bool writes_nothing(const History& history, TxnId txn) {
  return std::ranges::all_of(history.ops(txn), [&](Op number) {
    const RowOp& op = history.info().rows->op(number);
    return op.is_read() || (op.has_predicate() && op.known != Known::kNothing &&
                            op.shown_count == 0 && op.count == 0);
  });
}

CarryOut::CarryOut(const History& history, const TableState& table)
    : history_(history),
      rows_(*history.info().rows),
      table_(table),
      written_in_(history.key_count(), 0),
      own_place_(history.key_count(), 0) {}

bool CarryOut::fits(TxnId txn) {
  own_.clear();
  ++turn_;
  obstacle_.reset();
  depends_on_more_ = false;
  return std::ranges::all_of(history_.ops(txn), [&](Op op) {
    const RowOp& done = rows_.op(op);
    return done.has_predicate() ? find(done) : act(done);
  });
}

/// Begins one more operation of a transaction that has these effects so far.
void CarryOut::begin(const Effects& before) {
  own_.clear();
  ++turn_;
  obstacle_.reset();
  depends_on_more_ = false;
  for (const auto& [row, state] : before) {
    write(row, state);
  }
}

bool CarryOut::fits(const RowOp& op, const Effects& before) {
  begin(before);
  return op.has_predicate() ? find(op) : act(op);
}

void CarryOut::write(const RowOp& op, const Effects& before, std::span<const KeyId> rows) {
  begin(before);
  std::ranges::for_each(rows, [&](KeyId row) { apply(op, row); });
}

const std::vector<KeyId>& CarryOut::matches(const RowOp& op, const Effects& before) {
  begin(before);
  match(op);
  return matches_;
}

const RowState& CarryOut::view(KeyId row) const {
  return has_written(row) ? own_[own_place_[row.index()]].second : table_.row(row);
}

/// Notes the row as the obstacle. Always returns false.
bool CarryOut::blame(KeyId row) {
  if (!depends_on_more_) {
    obstacle_ = row;
  }
  return false;
}

void CarryOut::write(KeyId row, RowState state) {
  if (has_written(row)) {
    own_[own_place_[row.index()]].second = std::move(state);
    return;
  }
  written_in_[row.index()] = turn_;
  own_place_[row.index()] = static_cast<std::uint32_t>(own_.size());
  own_.emplace_back(row, std::move(state));
}

/// Applies the write of the operation to the row.
void CarryOut::apply(const RowOp& op, KeyId row) {
  if (op.ends_rows()) {
    if (view(row).is_alive) {
      write(row, {});
    }
    return;
  }
  RowState after = view(row);
  after.is_alive = true;
  after.version = op.version;
  after.record.set(rows_.written(op));
  write(row, std::move(after));
}

/// Carries out an operation on one row.
bool CarryOut::act(const RowOp& op) {
  const RowState& current = view(op.row);
  const std::span<const ShownRow> shown = rows_.shown(op);
  bool is_possible = true;
  switch (op.kind) {
    case RowOpKind::kInsert:
      is_possible = !current.is_alive;
      break;
    case RowOpKind::kUpdate:
      is_possible = current.is_alive;
      break;
    case RowOpKind::kRead:
      is_possible = op.known == Known::kNothing || current.is_alive == !shown.empty();
      is_possible = is_possible && (shown.empty() || shows(op, shown.front(), current));
      return is_possible || blame(op.row);
    default:
      break;
  }
  if (!is_possible) {
    return blame(op.row);
  }
  apply(op, op.row);
  return true;
}

bool CarryOut::shows(const RowOp& op, const ShownRow& shown, const RowState& row) const {
  if (op.known == Known::kVersions) {
    return shown.version == row.version;
  }
  return std::ranges::all_of(rows_.fields(shown), [&](const Field& field) {
    return shown_value(row, field.column) == field.value;
  });
}

bool CarryOut::agrees(const RowOp& op, KeyId row, const RowState& state) const {
  switch (op.kind) {
    case RowOpKind::kInsert:
      return !state.is_alive;
    case RowOpKind::kUpdate:
      return state.is_alive;
    case RowOpKind::kPut:
    case RowOpKind::kDelete:
      return true;
    case RowOpKind::kRead: {
      const std::span<const ShownRow> shown = rows_.shown(op);
      return op.known == Known::kNothing || (state.is_alive == !shown.empty() &&
                                             (shown.empty() || shows(op, shown.front(), state)));
    }
    default: {
      const std::span<const ShownRow> all = rows_.shown(op);
      const auto shown = std::ranges::find(all, row, &ShownRow::row);
      const bool is_match = table_.is_match(rows_.predicate(op), row, state);
      return shown == all.end() ? !is_match : is_match && shows(op, *shown, state);
    }
  }
}

/// Fills matches_ with the rows that match the operation's predicate, own writes included.
void CarryOut::match(const RowOp& op) {
  const rows::Predicate& predicate = rows_.predicate(op);
  matches_.clear();
  table_.find(predicate, matches_);
  if (!own_.empty()) {
    std::erase_if(matches_, [&](KeyId row) { return has_written(row); });
    for (const auto& [row, state] : own_) {
      if (table_.is_match(predicate, row, state)) {
        matches_.push_back(row);
      }
    }
  }
  if (op.first > 0 && matches_.size() > op.first) {
    const auto key = [&](KeyId row) { return history_.values().as_integer(rows_.key(row)); };
    std::ranges::nth_element(matches_, matches_.begin() + op.first, {}, key);
    matches_.resize(op.first);
  }
  std::ranges::sort(matches_);
}

/// Carries out an operation with a predicate.
bool CarryOut::find(const RowOp& op) {
  const bool is_found = op.known == Known::kNothing ? true
                        : op.known == Known::kCount ? count(op) == op.count
                        : op.known == Known::kAny   ? (count(op) == 0) == (op.count == 0)
                        : op.known == Known::kBag   ? finds_bag(op)
                        : op.first == 0             ? finds_shown(op)
                                                    : finds_first(op);
  if (!is_found) {
    return false;
  }
  if (op.kind != RowOpKind::kPredicateRead) {
    depends_on_more_ = depends_on_more_ || !op.names_rows();
    match(op);
    const std::vector<KeyId> written = matches_;
    for (const KeyId row : written) {
      apply(op, row);
    }
  }
  return true;
}

/// The number of rows that match the operation's predicate, own writes included.
std::size_t CarryOut::count(const RowOp& op) const {
  const rows::Predicate& predicate = rows_.predicate(op);
  std::size_t count = table_.count(predicate);
  for (const auto& [row, state] : own_) {
    count -= table_.is_match(predicate, row, table_.row(row)) ? 1U : 0U;
    count += table_.is_match(predicate, row, state) ? 1U : 0U;
  }
  return op.first > 0 ? std::min<std::size_t>(count, op.first) : count;
}

/// Whether the rows that match are the rows shown, with the values shown: each row shown matches,
/// and there are no others.
bool CarryOut::finds_shown(const RowOp& op) {
  const rows::Predicate& predicate = rows_.predicate(op);
  const std::span<const ShownRow> shown = rows_.shown(op);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i + kStatesAhead < shown.size()) {
      table_.prefetch(shown[i + kStatesAhead].row);
    }
    const ShownRow& row = shown[i];
    const RowState& state = own_.empty() ? table_.row(row.row) : view(row.row);
    if (!table_.is_match(predicate, row.row, state) || !shows(op, row, state)) {
      return blame(row.row);
    }
  }
  if (count(op) == shown.size()) {
    return true;
  }
  match(op);
  std::vector<KeyId> rows;
  for (const ShownRow& row : shown) {
    rows.push_back(row.row);
  }
  std::ranges::sort(rows);
  return blame(*std::ranges::mismatch(matches_, rows).in1);
}

/// As finds_shown(), for the first rows of a limit.
bool CarryOut::finds_first(const RowOp& op) {
  match(op);
  for (const ShownRow& row : rows_.shown(op)) {
    if (!std::ranges::binary_search(matches_, row.row)) {
      return false;
    }
    if (!shows(op, row, view(row.row))) {
      return blame(row.row);
    }
  }
  return matches_.size() == rows_.shown(op).size();
}

bool CarryOut::finds_bag(const RowOp& op) {
  match(op);
  const std::span<const ShownRow> shown = rows_.shown(op);
  if (shown.size() != matches_.size()) {
    return false;
  }
  std::vector<std::vector<ValueId>> expected;
  std::vector<std::vector<ValueId>> found;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    expected.emplace_back();
    found.emplace_back();
    for (const Field& field : rows_.fields(shown[i])) {
      expected.back().push_back(field.value);
      found.back().push_back(shown_value(view(matches_[i]), field.column));
    }
  }
  std::ranges::sort(expected);
  std::ranges::sort(found);
  return expected == found;
}

}  // namespace elapid::replay
