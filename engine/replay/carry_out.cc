#include "engine/replay/carry_out.h"

#include <algorithm>

namespace elapid::replay {

using rows::Field;
using rows::Known;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

namespace {

/// A column that is missing is read as null.
ValueId shown_value(const RowState& row, rows::ColumnId column) {
  const ValueId held = row.record.get(column);
  return held.is_none() ? ValueId::nil() : held;
}

bool lists_rows(Known known) {
  return known == Known::kVersions || known == Known::kValues || known == Known::kKeys;
}

}  // namespace

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

const RowState& CarryOut::view(KeyId row) const {
  return has_written(row) ? own_[own_place_[row.index()]].second : table_.row(row);
}

/// Always false.
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

/// What the operation makes of the row.
void CarryOut::apply(const RowOp& op, KeyId row) {
  if (op.kind == RowOpKind::kDelete || op.kind == RowOpKind::kPredicateDelete) {
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

/// An operation on one row.
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

/// Fills matches_ with what the operation's predicate matches, own writes included.
void CarryOut::match(const RowOp& op) {
  const rows::Predicate& predicate = rows_.predicate(op);
  matches_.clear();
  table_.find(op.table, predicate, matches_);
  if (!own_.empty()) {
    std::erase_if(matches_, [&](KeyId row) { return has_written(row); });
    for (const auto& [row, state] : own_) {
      if (state.is_alive && rows_.table(row) == op.table &&
          predicate.matches(history_.values(), rows_.key(row), state.record)) {
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

/// An operation with a predicate.
bool CarryOut::find(const RowOp& op) {
  match(op);
  const bool is_found = op.known == Known::kNothing ? true
                        : op.known == Known::kCount ? matches_.size() == op.count
                        : op.known == Known::kAny   ? matches_.empty() == (op.count == 0)
                        : op.known == Known::kBag   ? finds_bag(op)
                                                    : finds_shown(op);
  if (!is_found) {
    return false;
  }
  if (op.kind != RowOpKind::kPredicateRead) {
    depends_on_more_ = depends_on_more_ || !lists_rows(op.known);
    const std::vector<KeyId> written = matches_;
    for (const KeyId row : written) {
      apply(op, row);
    }
  }
  return true;
}

/// Whether the rows that match are those shown, with what was shown of them.
bool CarryOut::finds_shown(const RowOp& op) {
  const std::span<const ShownRow> shown = rows_.shown(op);
  const bool is_complete = op.first == 0;
  for (const ShownRow& row : shown) {
    const bool is_match = std::ranges::binary_search(matches_, row.row);
    if (!is_match || !shows(op, row, view(row.row))) {
      return is_complete || is_match ? blame(row.row) : false;
    }
  }
  if (matches_.size() == shown.size()) {
    return true;
  }
  for (const KeyId row : matches_) {
    if (is_complete && std::ranges::find(shown, row, &ShownRow::row) == shown.end()) {
      return blame(row);
    }
  }
  return false;
}

bool CarryOut::finds_bag(const RowOp& op) const {
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
