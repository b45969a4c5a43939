#include "engine/argue/trial.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace elapid::argue {

using replay::RowState;
using replay::TableState;
using rows::Field;
using rows::Known;
using rows::Predicate;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;
using rows::Truth;

namespace {

class Trial {
 public:
  Trial(const History& history, const RowWrites& writes, bool has_two_events, std::size_t most)
      : history_(history),
        rows_(*history.info().rows),
        writes_(writes),
        has_two_events_(has_two_events),
        most_(most),
        table_(history),
        last_(history.key_count() * writes.part_count(), TxnId::none()) {}

  std::vector<Failure> run(std::span<const OrderEvent> order) {
    for (const OrderEvent event : order) {
      if (failures_.size() >= most_) {
        break;
      }
      if (!has_two_events_ || !event.is_commit) {
        read(event.txn);
      }
      if (event.is_commit) {
        commit(event.txn);
      }
    }
    return std::move(failures_);
  }

 private:
  struct Own {
    RowState state;
    PartSet parts = 0;
  };

  [[nodiscard]] const RowState& view(KeyId row) const {
    const auto own = own_.find(row);
    return own == own_.end() ? table_.row(row) : own->second.state;
  }

  /// The operations one after the other, each with what came before it.
  void read(TxnId txn) {
    own_.clear();
    const std::span<const Op> ops = history_.ops(txn);
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      const RowOp& op = rows_.op(ops[mop]);
      if (op.has_predicate()) {
        check_predicate(txn, mop, op);
      } else {
        check_row(txn, mop, op);
      }
      for (const KeyId row : writes_.rows_of(op)) {
        Own& own = own_.try_emplace(row, Own{view(row)}).first->second;
        own.parts |= writes_.written(op);
        apply(op, own.state);
      }
    }
    if (has_two_events_) {
      find_overlaps(txn);
    }
  }

  void find_overlaps(TxnId txn) {
    for (const auto& [other, written] : in_flight_) {
      for (const auto& [row, own] : own_) {
        if (written.contains(row)) {
          failures_.push_back({.txn = txn, .other = other, .row = row});
          break;
        }
      }
    }
    std::set<KeyId>& written = in_flight_[txn];
    for (const auto& [row, own] : own_) {
      written.insert(row);
    }
  }

  void commit(TxnId txn) {
    in_flight_.erase(txn);
    for (const Op place : history_.ops(txn)) {
      const RowOp& op = rows_.op(place);
      const PartSet parts = writes_.written(op);
      for (const KeyId row : writes_.rows_of(op)) {
        RowState state = table_.row(row);
        apply(op, state);
        table_.set(row, std::move(state));
        for (std::uint32_t part = 0; part < writes_.part_count(); ++part) {
          if ((parts >> part & 1U) != 0) {
            last_[row.index() * writes_.part_count() + part] = txn;
          }
        }
      }
    }
  }

  /// As RowWrites::apply().
  void apply(const RowOp& op, RowState& row) const {
    const bool ends = op.kind == RowOpKind::kDelete || op.kind == RowOpKind::kPredicateDelete;
    if (ends || op.kind == RowOpKind::kInsert) {
      row.record = {};
    }
    if (ends || op.kind == RowOpKind::kInsert || op.kind == RowOpKind::kPut) {
      row.is_alive = !ends;
    }
    row.version = ends ? ValueId::nil() : op.version;
    if (!ends) {
      row.record.set(rows_.written(op));
    }
  }

  void fail(TxnId txn, std::uint32_t mop, KeyId row, const std::vector<std::uint32_t>& parts) {
    Failure failure = {.txn = txn, .mop = mop};
    const auto own = own_.find(row);
    for (const std::uint32_t part : parts) {
      if (own != own_.end() && (own->second.parts >> part & 1U) != 0) {
        continue;
      }
      const LastWriter cause = {row, part, last_[row.index() * writes_.part_count() + part]};
      if (std::ranges::find(failure.causes, cause) == failure.causes.end()) {
        failure.causes.push_back(cause);
      }
    }
    failures_.push_back(std::move(failure));
  }

  void check_row(TxnId txn, std::uint32_t mop, const RowOp& op) {
    const bool is_alive = view(op.row).is_alive;
    switch (op.kind) {
      case RowOpKind::kInsert:
      case RowOpKind::kUpdate:
        if (is_alive != (op.kind == RowOpKind::kUpdate)) {
          fail(txn, mop, op.row, {kRowExistence});
        }
        break;
      case RowOpKind::kRead:
        if (op.known != Known::kNothing && is_alive == (op.shown_count == 0)) {
          fail(txn, mop, op.row, {kRowExistence});
        } else if (op.known != Known::kNothing && op.shown_count > 0) {
          check_shown(txn, mop, op, rows_.shown(op).front(), op.row);
        }
        break;
      default:
        break;
    }
  }

  /// Whether the row holds what was shown of it; the first part that does not fails.
  void check_shown(TxnId txn, std::uint32_t mop, const RowOp& op, const ShownRow& shown,
                   KeyId row) {
    const RowState& state = view(row);
    if (op.known == Known::kVersions) {
      if (state.version != shown.version) {
        fail(txn, mop, row, {kRowVersion});
      }
      return;
    }
    for (const Field& field : rows_.fields(shown)) {
      const ValueId held = state.record.get(field.column);
      if ((held.is_none() ? ValueId::nil() : held) != field.value) {
        fail(txn, mop, row, {part_of(field.column)});
        return;
      }
    }
  }

  /// Parts that decide that the predicate is true of the record, or that it is not.
  void collect(const Predicate& predicate, KeyId row, const rows::Record& record, bool is_true,
               std::vector<std::uint32_t>& parts) const {
    using Kind = Predicate::Kind;
    switch (predicate.kind) {
      case Kind::kTrue:
      case Kind::kKeyRange:
        return;
      case Kind::kAnd:
      case Kind::kOr: {
        const bool needs_all = (predicate.kind == Kind::kAnd) == is_true;
        for (const Predicate& part : predicate.parts) {
          const bool holds = part.matches(history_.values(), rows_.key(row), record);
          if (needs_all || holds == is_true) {
            collect(part, row, record, is_true, parts);
            if (!needs_all) {
              return;
            }
          }
        }
        return;
      }
      case Kind::kNot:
        collect_all(predicate, parts);
        return;
      default:
        parts.push_back(part_of(predicate.column));
    }
  }

  static void collect_all(const Predicate& predicate, std::vector<std::uint32_t>& parts) {
    using Kind = Predicate::Kind;
    if (predicate.kind != Kind::kTrue && predicate.kind != Kind::kKeyRange &&
        predicate.parts.empty() && predicate.kind != Kind::kAnd && predicate.kind != Kind::kOr) {
      parts.push_back(part_of(predicate.column));
    }
    for (const Predicate& part : predicate.parts) {
      collect_all(part, parts);
    }
  }

  void check_predicate(TxnId txn, std::uint32_t mop, const RowOp& op) {
    if (op.known == Known::kNothing) {
      return;
    }
    const Predicate& predicate = rows_.predicate(op);
    const std::span<const ShownRow> shown = rows_.shown(op);
    const auto matches = [&](KeyId row) {
      const RowState& state = view(row);
      return state.is_alive && predicate.matches(history_.values(), rows_.key(row), state.record);
    };
    for (const ShownRow& row : shown) {
      if (matches(row.row)) {
        check_shown(txn, mop, op, row, row.row);
        continue;
      }
      std::vector<std::uint32_t> parts;
      if (view(row.row).is_alive) {
        collect(predicate, row.row, view(row.row).record, false, parts);
      } else {
        parts.push_back(kRowExistence);
      }
      fail(txn, mop, row.row, parts);
    }
    found_.clear();
    table_.find(op.table, predicate, found_);
    for (const auto& [row, own] : own_) {
      found_.push_back(row);
    }
    std::ranges::sort(found_);
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    expected_.clear();
    for (const ShownRow& row : shown) {
      expected_.push_back(row.row);
    }
    std::ranges::sort(expected_);
    for (const KeyId row : found_) {
      if (rows_.table(row) == op.table && !std::ranges::binary_search(expected_, row) &&
          matches(row)) {
        std::vector<std::uint32_t> parts;
        const RowState& state = view(row);
        collect(predicate, row, state.record, true, parts);
        const bool has_value = std::ranges::any_of(parts, [&](std::uint32_t part) {
          return !state.record.get(rows::ColumnId{part - kFirstColumn}).is_none();
        });
        if (!has_value) {
          parts.push_back(kRowExistence);
        }
        fail(txn, mop, row, parts);
      }
    }
  }

  const History& history_;
  const rows::Rows& rows_;
  const RowWrites& writes_;
  bool has_two_events_;
  std::size_t most_;
  TableState table_;
  std::vector<TxnId> last_;  // by row and part
  std::map<KeyId, Own> own_;
  std::map<TxnId, std::set<KeyId>> in_flight_;
  std::vector<KeyId> found_;
  std::vector<KeyId> expected_;
  std::vector<Failure> failures_;
};

}  // namespace

std::vector<Failure> try_order(const History& history, const RowWrites& writes,
                               std::span<const OrderEvent> order, bool has_two_events,
                               std::size_t most) {
  return Trial(history, writes, has_two_events, most).run(order);
}

}  // namespace elapid::argue
