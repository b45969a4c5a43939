// Results without keys, counts and bags, if an operation finds the current rows.
#include <algorithm>

#include "engine/argue/trial_run.h"

namespace elapid::argue {

using replay::RowState;
using rows::Field;
using rows::Known;
using rows::RowOp;
using rows::ShownRow;

std::vector<KeyId> Trial::first_found(const RowOp& op) const {
  std::vector<KeyId> found = found_;
  if (op.first > 0) {
    std::ranges::sort(found, {}, [&](KeyId row) { return number(row); });
    found.resize(std::min<std::size_t>(found.size(), op.first));
  }
  return found;
}

bool Trial::fits_now(const RowOp& op) const {
  const std::vector<KeyId> found = first_found(op);
  return op.known == Known::kAny ? !found.empty()
         : op.known == Known::kBag
             ? found.size() == op.shown_count && missing_of_bag(op, found) == nullptr
             : found.size() == op.count;
}

void Trial::check_counted(TxnId txn, std::uint32_t mop, const RowOp& op) {
  std::vector<KeyId> found = first_found(op);
  const std::size_t expected = op.known == Known::kBag ? op.shown_count : op.count;
  if (op.known == Known::kNothing || (op.known == Known::kAny && !found.empty())) {
    return;
  }
  Explanation why = explanation();
  if (found.size() > expected) {
    found.resize(expected + 1);
    for (const KeyId row : found) {
      why.add_match(txn, mop, row);
    }
  } else if (found.size() < expected) {
    explain_others(txn, mop, op, nullptr, why);
  } else if (op.known != Known::kBag) {
    return;
  } else if (const ShownRow* missing = missing_of_bag(op, found); missing == nullptr) {
    return;
  } else if (op.first == 0 || expected < op.first) {
    explain_others(txn, mop, op, missing, why);
  } else {
    explain_first(txn, mop, op, found, why);
  }
  tell({.txn = txn, .mop = mop}, why);
}

const ShownRow* Trial::missing_of_bag(const RowOp& op, const std::vector<KeyId>& found) const {
  const std::span<const ShownRow> shown = rows_.shown(op);
  std::vector<bool> is_taken(found.size(), false);
  for (const ShownRow& one : shown) {
    bool is_there = false;
    for (std::size_t i = 0; i < found.size() && !is_there; ++i) {
      if (!is_taken[i] && unlike(op, one, view(found[i])).empty()) {
        is_taken[i] = true;
        is_there = true;
      }
    }
    if (!is_there) {
      return &one;
    }
  }
  return nullptr;
}

void Trial::explain_others(TxnId txn, std::uint32_t mop, const RowOp& op, const ShownRow* missing,
                           Explanation& why) {
  writes_.note_looked(history_.key_count());
  for (KeyId row{0}; row.index() < history_.key_count() && !why.is_too_long(); ++row.value) {
    if (!rows_.is_row(row)) {
      continue;
    }
    const RowState& state = view(row);
    if (!state_.matches(op, row, state)) {
      why.add_match(txn, mop, row);
    } else if (missing != nullptr) {
      if (const Parts parts = unlike(op, *missing, state); !parts.empty()) {
        explain_shown(txn, mop, row, recorded(missing), parts, why);
      }
    }
  }
}

void Trial::explain_first(TxnId txn, std::uint32_t mop, const RowOp& op,
                          const std::vector<KeyId>& found, Explanation& why) {
  writes_.note_looked(history_.key_count());
  for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
    if (!rows_.is_row(row) || number(row) > number(found.back())) {
      continue;
    }
    why.add_match(txn, mop, row);
    if (std::ranges::find(found, row) != found.end()) {
      for (const Field& field : rows_.fields(rows_.shown(op).front())) {
        why.add_unlike(txn, mop, row, part_of(field.column), held(view(row), field.column));
      }
    }
  }
}

}  // namespace elapid::argue
