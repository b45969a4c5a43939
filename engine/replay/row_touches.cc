#include "engine/replay/row_touches.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "engine/replay/carry_out.h"

namespace elapid::replay {

using rows::Predicate;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

RowTouches::RowTouches(const History& history, const Needs& needs)
    : touches_(history.key_count()), first_(history.key_count(), 0) {
  const rows::Rows& rows = *history.info().rows;
  std::map<std::int64_t, KeyId> by_number;
  for (KeyId row{0}; row.index() < history.key_count(); ++row.value) {
    if (rows.is_row(row) && rows.key(row).is_integer()) {
      by_number.emplace(rows.key(row).as_integer(), row);
    }
  }
  const auto note = [&](TxnId txn, KeyId row, bool is_insert) {
    touches_[row.index()].push_back({history.completion_id(txn), txn, is_insert});
  };
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    std::size_t place = history.first_op(txn);
    for (const Op number : history.committed(txn) ? history.ops(txn) : std::span<const Op>()) {
      const RowOp& op = rows.op(number);
      const Predicate* predicate = op.has_predicate() ? &rows.predicate(op) : nullptr;
      if (op.kind == RowOpKind::kInsert || op.kind == RowOpKind::kUpdate) {
        note(txn, op.row, op.kind == RowOpKind::kInsert);
      } else if (op.kind > RowOpKind::kPredicateRead && op.names_rows()) {
        for (const ShownRow& shown : rows.shown(op)) {
          note(txn, shown.row, false);
        }
      } else if (op.kind > RowOpKind::kPredicateRead && op.count > 0 &&
                 predicate->kind == Predicate::Kind::kKeyRange &&
                 predicate->low == predicate->high) {
        if (const auto row = by_number.find(predicate->low); row != by_number.end()) {
          note(txn, row->second, false);
        }
      } else if (op.kind > RowOpKind::kPredicateRead) {
        for (const KeyId row : needs.rows_written_by(place)) {
          note(txn, row, false);
        }
      }
      ++place;
    }
  }
  for (std::vector<Touch>& touches : touches_) {
    std::ranges::stable_sort(touches, {}, &Touch::at);
  }
}

}  // namespace elapid::replay
