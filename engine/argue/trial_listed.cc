// Results that list rows, and operations on single rows.
#include <algorithm>

#include "engine/argue/trial_run.h"

namespace elapid::argue {

using replay::RowState;
using rows::Field;
using rows::Known;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

void Trial::fail_shown(TxnId txn, std::uint32_t mop, KeyId row, const Outcome& outcome,
                       const Parts& parts) {
  Explanation why = explanation();
  if (has_old_versions_) {
    why.add_own_write(txn, mop, row);
  }
  explain_shown(txn, mop, row, outcome, parts, why);
  const bool is_choice = outcome.as != kAsRecorded;
  tell({.txn = txn, .mop = mop, .row = is_choice ? row : KeyId::none(), .as = outcome.as}, why);
}

void Trial::explain_shown(TxnId txn, std::uint32_t mop, KeyId row, const Outcome& outcome,
                          const Parts& parts, Explanation& why) {
  const RowOp& op = writes_.op(txn, mop);
  const bool is_match = state_.matches(op, row, view(row));
  if (op.has_predicate() && is_match != outcome.is_found) {
    why.add_match(txn, mop, row);
  } else if (parts.front() >= kFirstColumn) {
    why.add_unlike(txn, mop, row, parts.front(), shown_value(*outcome.shown, parts.front()));
  } else {
    why.add(txn, mop, row, parts);
  }
}

ValueId Trial::shown_value(const ShownRow& shown, std::uint32_t part) const {
  const std::span<const Field> fields = rows_.fields(shown);
  return std::ranges::find(fields, part, [](const Field& field) { return part_of(field.column); })
      ->value;
}

void Trial::check_row(TxnId txn, std::uint32_t mop, const RowOp& op) {
  const bool is_alive = view(op.row).is_alive;
  switch (op.kind) {
    case RowOpKind::kInsert:
    case RowOpKind::kUpdate:
      if (is_alive != (op.kind == RowOpKind::kUpdate)) {
        fail(txn, mop, op.row, {kRowExistence});
      }
      break;
    case RowOpKind::kRead:
      if (are_of_reads(options_.old_versions)) {
        if (op.known != Known::kNothing) {
          check_match(txn, mop, op, op.row,
                      recorded(op.shown_count > 0 ? &rows_.shown(op).front() : nullptr));
        }
      } else if (op.known != Known::kNothing && is_alive == (op.shown_count == 0)) {
        fail(txn, mop, op.row, {kRowExistence});
      } else if (op.known != Known::kNothing && op.shown_count > 0) {
        const ShownRow& shown = rows_.shown(op).front();
        if (const Parts parts = unlike(op, shown, view(op.row)); !parts.empty()) {
          fail_shown(txn, mop, op.row, recorded(&shown), parts);
        }
      }
      break;
    case RowOpKind::kDelete:
      check_delete(txn, mop, op);
      break;
    default:
      break;
  }
}

bool Trial::misses_by_choice(TxnId txn, std::uint32_t mop, KeyId row) const {
  return deletes_may_be_old() && options_.choices != nullptr && !own_.contains(row) &&
         !options_.choices->get(txn, mop, row, kAsFound).value_or(true);
}

void Trial::check_delete(TxnId txn, std::uint32_t mop, const RowOp& op) {
  const auto chosen = options_.choices != nullptr
                          ? options_.choices->get(txn, mop, op.row, kAsFound)
                          : std::nullopt;
  if (!chosen || *chosen == view(op.row).is_alive) {
    return;
  }
  if (misses_by_choice(txn, mop, op.row)) {
    check_match(txn, mop, op, op.row, kMissed);
  } else if (deletes_may_be_old()) {
    fail_shown(txn, mop, op.row, *chosen ? kFound : kMissed, {kRowExistence});
  } else {
    fail(txn, mop, op.row, {kRowExistence}, *chosen ? kAsFound : kAsMissed);
  }
}

Parts Trial::unlike(const RowOp& op, const ShownRow& shown, const RowState& state) const {
  if (op.known == Known::kVersions) {
    return state.version == shown.version ? Parts() : Parts{kRowVersion};
  }
  for (const Field& field : rows_.fields(shown)) {
    if (held(state, field.column) != field.value) {
      return {part_of(field.column)};
    }
  }
  return {};
}

ValueId Trial::held(const RowState& state, rows::ColumnId column) {
  const ValueId value = state.record.get(column);
  return value.is_none() ? ValueId::nil() : value;
}

std::optional<Parts> Trial::misfit(const RowOp& op, KeyId row, const Outcome& outcome,
                                   const RowState& state) {
  if (state_.matches(op, row, state) != outcome.is_found) {
    return explanation().why(op, row, state);
  }
  Parts parts;
  if (outcome.shown != nullptr) {
    parts = unlike(op, *outcome.shown, state);
  }
  return parts.empty() ? std::nullopt : std::optional(std::move(parts));
}

std::int64_t Trial::number(KeyId row) const {
  return history_.values().as_integer(rows_.key(row)).value_or(0);
}

void Trial::check_listed(TxnId txn, std::uint32_t mop, const RowOp& op) {
  expected_.clear();
  for (const ShownRow& row : rows_.shown(op)) {
    expected_.push_back(row.row);
    check_match(txn, mop, op, row.row, recorded(&row));
  }
  std::ranges::sort(expected_);
  const std::optional<std::int64_t> last = last_key(history_, op);
  for (const KeyId row : found_) {
    if (!std::ranges::binary_search(expected_, row) && !(last && number(row) > *last)) {
      check_match(txn, mop, op, row, recorded(nullptr));
    }
  }
  if (has_one_state_) {
    look_wide({mop, recorded(nullptr), last, {expected_.begin(), expected_.end()}});
  }
}

void Trial::check_match(TxnId txn, std::uint32_t mop, const RowOp& op, KeyId row,
                        const Outcome& outcome) {
  const bool is_written = !op.is_read() && outcome.is_found;
  if (has_old_versions_ && !own_.contains(row)) {
    has_one_state_ ? looks_.push_back({mop, row, outcome}) : check_past(txn, mop, op, row, outcome);
    if (is_written && !view(row).is_alive) {
      fail(txn, mop, row, {kRowExistence}, outcome.as);
    }
  } else if (const auto parts = misfit(op, row, outcome, view(row))) {
    fail_shown(txn, mop, row, outcome, *parts);
  }
}

}  // namespace elapid::argue
