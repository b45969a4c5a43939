#include "harness/minimize/row_deletion.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>

#include "harness/minimize/deletion.h"

namespace elapid {

namespace {

/// Calls `visit` for each operation on rows.
template <class Visit>
void for_each_row_op(const Draft& draft, Visit visit) {
  const auto each = [&](const std::vector<DraftMop>& mops) {
    for (const DraftMop& mop : mops) {
      if (mop.row_op) {
        visit(*mop.row_op);
      }
    }
  };
  for (const auto& txn : draft.txns) {
    each(txn->mops);
    if (txn->invoked) {
      each(*txn->invoked);
    }
  }
}

/// Replaces each operation by the result of `change`; nothing removes it.
template <class Change>
void change_row_ops(Draft& draft, Change change) {
  const auto changed = [&](const std::vector<DraftMop>& mops) {
    std::vector<DraftMop> result;
    for (const DraftMop& mop : mops) {
      if (!mop.row_op) {
        result.push_back(mop);
        continue;
      }
      std::optional<DraftRowOp> op = change(*mop.row_op);
      if (op) {
        const bool is_same = *op == *mop.row_op;
        result.push_back(mop);
        result.back().row_op =
            is_same ? mop.row_op : std::make_shared<const DraftRowOp>(std::move(*op));
      }
    }
    return result;
  };
  for (std::size_t t = 0; t < draft.txns.size(); ++t) {
    const DraftTxn& txn = *draft.txns[t];
    std::vector<DraftMop> mops = changed(txn.mops);
    std::optional<std::vector<DraftMop>> invoked;
    if (txn.invoked) {
      invoked = changed(*txn.invoked);
    }
    if (mops != txn.mops || invoked != txn.invoked) {
      DraftTxn& edited = draft.edit(t);
      edited.mops = std::move(mops);
      edited.invoked = std::move(invoked);
    }
  }
}

class ForgettingRows {
 public:
  ForgettingRows(const RowWrites& before, const RowWrites& now, Orphans orphans)
      : before_(before), now_(now), orphans_(orphans) {}

  std::optional<DraftRowOp> operator()(const DraftRowOp& op) const {
    const bool is_on_gone_row = !op.has_predicate() && !op.makes_row() && !op.is_read();
    if (is_on_gone_row && is_gone(op.row)) {
      return std::nullopt;
    }
    if (op.known == rows::Known::kNothing) {
      return op;
    }
    return op.names_rows() ? of_named_rows(op) : of_unnamed_rows(op);
  }

 private:
  [[nodiscard]] bool is_gone(KeyId row) const { return before_.makes(row) && !now_.makes(row); }

  [[nodiscard]] bool is_gone(KeyId row, const rows::Field& field) const {
    return before_.writes(row, field) && !now_.writes(row, field);
  }

  [[nodiscard]] bool has_gone_contents(const DraftShownRow& shown) const {
    const bool is_named = !shown.version.is_none() && !shown.version.is_nil();
    return (is_named && before_.names(shown.row, shown.version) &&
            !now_.names(shown.row, shown.version)) ||
           std::ranges::any_of(shown.fields,
                               [&](const rows::Field& field) { return is_gone(shown.row, field); });
  }

  [[nodiscard]] std::optional<DraftRowOp> of_named_rows(const DraftRowOp& op) const {
    const auto is_orphan = [this](const DraftShownRow& shown) {
      return is_gone(shown.row) || has_gone_contents(shown);
    };
    if (std::ranges::none_of(op.shown, is_orphan)) {
      return op;
    }
    if (orphans_ == Orphans::kDropReads && op.is_read()) {
      return std::nullopt;
    }
    DraftRowOp rest = op;
    if (orphans_ != Orphans::kDropUncertain || op.known == rows::Known::kVersions) {
      std::erase_if(rest.shown, is_orphan);
      return rest;
    }
    std::erase_if(rest.shown, [this](const DraftShownRow& shown) { return is_gone(shown.row); });
    for (DraftShownRow& shown : rest.shown) {
      std::erase_if(shown.fields,
                    [&](const rows::Field& field) { return is_gone(shown.row, field); });
    }
    return rest;
  }

  [[nodiscard]] std::optional<DraftRowOp> of_unnamed_rows(const DraftRowOp& op) const {
    if (now_.count() == before_.count() || orphans_ == Orphans::kDropUncertain) {
      return op;
    }
    return op.is_read() ? std::nullopt : std::optional(as_asked(op));
  }

  const RowWrites& before_;
  const RowWrites& now_;
  Orphans orphans_;
};

template <class Item>
void add_new(std::vector<Item>& items, Item item) {
  if (std::ranges::find(items, item) == items.end()) {
    items.push_back(item);
  }
}

}  // namespace

RowWrites::RowWrites(const Draft& draft) {
  for_each_row_op(draft, [this](const DraftRowOp& op) { add(op); });
}

RowWrites::RowWrites(const History& history) {
  const auto add_all = [&](std::span<const Op> ops) {
    for (const Op op : ops) {
      if (op.kind() == OpKind::kRow) {
        add(draft_row_op(history, op));
      }
    }
  };
  if (history.info().rows == nullptr) {
    return;
  }
  add_all(history.all_ops());
  for (std::uint32_t txn = 0; txn < history.txn_count(); ++txn) {
    if (const auto invoked = history.differing_invocation({txn})) {
      add_all(*invoked);
    }
  }
}

void RowWrites::add(const DraftRowOp& op) {
  if (op.is_read()) {
    return;
  }
  ++count_;
  if (op.makes_row()) {
    ++written_[{op.row.value, kMaking, 0}];
  }
  if (!op.version.is_none()) {
    ++written_[{op.row.value, kNaming, op.version.bits()}];
  }
  for (const rows::Field& field : op.written) {
    ++written_[{op.row.value, field.column.value, field.value.bits()}];
  }
}

void forget_deleted_rows(Draft& draft, const RowWrites& before, Orphans orphans) {
  // Operations that depended on a deleted one may be deleted too. Each round leaves fewer writes.
  for (std::size_t last = before.count() + 1;;) {
    const RowWrites now(draft);
    if (now.count() >= last || now.count() == before.count()) {
      return;
    }
    last = now.count();
    change_row_ops(draft, ForgettingRows(before, now, orphans));
  }
}

std::vector<KeyId> rows_of(const Draft& draft) {
  std::vector<KeyId> rows;
  std::unordered_set<KeyId> known;
  const auto add = [&](KeyId row) {
    if (!row.is_none() && known.insert(row).second) {
      rows.push_back(row);
    }
  };
  for_each_row_op(draft, [&](const DraftRowOp& op) {
    add(op.row);
    for (const DraftShownRow& shown : op.shown) {
      add(shown.row);
    }
  });
  return rows;
}

std::vector<rows::ColumnId> idle_columns_of(const Draft& draft) {
  std::vector<rows::ColumnId> columns;
  for_each_row_op(draft, [&](const DraftRowOp& op) {
    for (const rows::Field& field : op.written) {
      add_new(columns, field.column);
    }
    for (const DraftShownRow& shown : op.shown) {
      for (const rows::Field& field : shown.fields) {
        add_new(columns, field.column);
      }
    }
  });
  for_each_row_op(draft, [&](const DraftRowOp& op) {
    std::erase_if(columns, [&](rows::ColumnId column) { return mentions(op.predicate, column); });
  });
  // A row that is a single value has one column without a name, and needs it.
  std::erase_if(columns, [&](rows::ColumnId column) {
    return draft.info.rows->column_name(column).is_none();
  });
  return columns;
}

Draft without_rows(const Draft& draft, const std::vector<KeyId>& rows) {
  const std::unordered_set<KeyId> deleted(rows.begin(), rows.end());
  const auto is_deleted = [&](KeyId row) { return deleted.contains(row); };
  Draft rest = draft;
  change_row_ops(rest, [&](const DraftRowOp& op) -> std::optional<DraftRowOp> {
    if (!op.row.is_none() && is_deleted(op.row)) {
      return std::nullopt;
    }
    DraftRowOp left = op;
    std::erase_if(left.shown, [&](const DraftShownRow& shown) {
      return !shown.row.is_none() && is_deleted(shown.row);
    });
    return left;
  });
  return rest;
}

Draft without_columns(const Draft& draft, const std::vector<rows::ColumnId>& columns) {
  const auto is_deleted = [&](const rows::Field& field) {
    return std::ranges::find(columns, field.column) != columns.end();
  };
  Draft rest = draft;
  change_row_ops(rest, [&](const DraftRowOp& op) -> std::optional<DraftRowOp> {
    DraftRowOp left = op;
    std::erase_if(left.written, is_deleted);
    for (DraftShownRow& shown : left.shown) {
      std::erase_if(shown.fields, is_deleted);
    }
    return left;
  });
  return rest;
}

}  // namespace elapid
