#include "engine/argue/trial.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
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
  Trial(const History& history, const RowWrites& writes, TrialOptions options)
      : history_(history),
        rows_(*history.info().rows),
        writes_(writes),
        options_(options),
        table_(history),
        last_(history.key_count() * writes.part_count(), TxnId::none()) {}

  std::vector<Failure> run(std::span<const OrderEvent> order) {
    for (const OrderEvent event : order) {
      if (failures_.size() >= options_.most) {
        break;
      }
      if (!options_.has_two_events || !event.is_commit) {
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
    if (options_.has_two_events) {
      find_overlaps(txn);
    }
  }

  void find_overlaps(TxnId txn) {
    for (const auto& [other, written] : in_flight_) {
      for (const auto& [row, own] : own_) {
        if (written.contains(row)) {
          failures_.push_back(
              {.kind = Failure::Kind::kOverlap, .txn = txn, .other = other, .row = row});
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
    changed_.clear();
    for (const Op place : history_.ops(txn)) {
      const RowOp& op = rows_.op(place);
      const PartSet parts = writes_.written(op);
      for (const KeyId row : writes_.rows_of(op)) {
        RowState state = table_.row(row);
        apply(op, state);
        table_.set(row, std::move(state));
        changed_.push_back(row);
        for (std::uint32_t part = 0; part < writes_.part_count(); ++part) {
          if ((parts >> part & 1U) != 0) {
            last_[slot(row, part)] = txn;
          }
        }
      }
    }
    if (options_.is_repeatable) {
      remember(txn);
    }
  }

  /// Keeps what the rows that changed are by now.
  void remember(TxnId txn) {
    std::ranges::sort(changed_);
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
    for (const KeyId row : changed_) {
      const auto first = last_.begin() + static_cast<std::ptrdiff_t>(slot(row, 0));
      past_[row].push_back(
          {.writer = txn, .state = table_.row(row), .last = {first, first + writes_.part_count()}});
    }
  }

  [[nodiscard]] std::size_t slot(KeyId row, std::uint32_t part) const {
    return row.index() * writes_.part_count() + part;
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
      const LastWriter cause = {row, part, last_[slot(row, part)]};
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
          check_shown(txn, mop, op, rows_.shown(op).front());
        }
        break;
      default:
        break;
    }
  }

  void check_shown(TxnId txn, std::uint32_t mop, const RowOp& op, const ShownRow& shown) {
    const std::vector<std::uint32_t> parts = unlike(op, shown, view(shown.row));
    if (!parts.empty()) {
      fail(txn, mop, shown.row, parts);
    }
  }

  /// The first part of the row that is not as it was shown; none if all are.
  [[nodiscard]] std::vector<std::uint32_t> unlike(const RowOp& op, const ShownRow& shown,
                                                  const RowState& state) const {
    if (op.known == Known::kVersions) {
      return state.version == shown.version ? std::vector<std::uint32_t>()
                                            : std::vector{kRowVersion};
    }
    for (const Field& field : rows_.fields(shown)) {
      const ValueId held = state.record.get(field.column);
      if ((held.is_none() ? ValueId::nil() : held) != field.value) {
        return {part_of(field.column)};
      }
    }
    return {};
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

  [[nodiscard]] bool matches(const RowOp& op, KeyId row, const RowState& state) const {
    return state.is_alive &&
           rows_.predicate(op).matches(history_.values(), rows_.key(row), state.record);
  }

  /// Parts that tell that an operation with a predicate, which was shown the row like this or was
  /// not shown it, cannot have found it in this state; nothing if it can.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> misfit(const RowOp& op, KeyId row,
                                                                 const ShownRow* shown,
                                                                 const RowState& state) const {
    const bool is_match = matches(op, row, state);
    if (is_match == (shown != nullptr)) {
      std::vector<std::uint32_t> parts;
      if (is_match) {
        parts = unlike(op, *shown, state);
      }
      return parts.empty() ? std::nullopt : std::optional(std::move(parts));
    }
    std::vector<std::uint32_t> parts;
    if (!state.is_alive) {
      parts.push_back(kRowExistence);
      return parts;
    }
    collect(rows_.predicate(op), row, state.record, is_match, parts);
    const bool has_value = std::ranges::any_of(parts, [&](std::uint32_t part) {
      return !state.record.get(rows::ColumnId{part - kFirstColumn}).is_none();
    });
    if (is_match && !has_value) {
      parts.push_back(kRowExistence);
    }
    return parts;
  }

  void check_predicate(TxnId txn, std::uint32_t mop, const RowOp& op) {
    if (op.known == Known::kNothing) {
      return;
    }
    const std::span<const ShownRow> shown = rows_.shown(op);
    for (const ShownRow& row : shown) {
      check_match(txn, mop, op, row.row, &row);
    }
    found_.clear();
    table_.find(op.table, rows_.predicate(op), found_);
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
      if (rows_.table(row) == op.table && !std::ranges::binary_search(expected_, row)) {
        check_match(txn, mop, op, row, nullptr);
      }
    }
  }

  /// Of a row that is shown, or may match and is not.
  void check_match(TxnId txn, std::uint32_t mop, const RowOp& op, KeyId row,
                   const ShownRow* shown) {
    const auto parts = misfit(op, row, shown, view(row));
    const bool is_written = !op.is_read() && shown != nullptr;
    if (options_.is_repeatable && !own_.contains(row)) {
      if (parts) {
        check_past(txn, mop, op, row, shown);
      }
      if (is_written && !view(row).is_alive) {
        fail(txn, mop, row, {kRowExistence});
      }
    } else if (parts) {
      fail(txn, mop, row, *parts);
    }
  }

  /// Whether some version that the row had before is one that the operation can have concerned.
  void check_past(TxnId txn, std::uint32_t mop, const RowOp& op, KeyId row, const ShownRow* shown) {
    const auto found = past_.find(row);
    const bool was_unborn =
        found == past_.end() || found->second.front().writer != certain_initial(history_);
    Failure failure = {.kind = Failure::Kind::kVersions, .txn = txn, .mop = mop, .row = row};
    if (was_unborn && !misfit(op, row, shown, {})) {
      return;
    }
    if (found != past_.end()) {
      for (const Former& former : found->second) {
        const auto parts = misfit(op, row, shown, former.state);
        if (!parts) {
          return;
        }
        FormerVersion& version = failure.versions.emplace_back(former.writer);
        for (const std::uint32_t part : *parts) {
          if (former.last[part] != former.writer) {
            version.causes.push_back({row, part, former.last[part]});
          }
        }
      }
    }
    failures_.push_back(std::move(failure));
  }

  const History& history_;
  const rows::Rows& rows_;
  const RowWrites& writes_;
  TrialOptions options_;
  TableState table_;
  std::vector<TxnId> last_;  // by row and part
  std::map<KeyId, Own> own_;
  std::map<TxnId, std::set<KeyId>> in_flight_;

  /// A version that a row had: who made it, and who by then was the last to write each part.
  struct Former {
    TxnId writer;
    RowState state;
    std::vector<TxnId> last;
  };

  std::unordered_map<KeyId, std::vector<Former>> past_;  // oldest first; without unborn rows
  std::vector<KeyId> changed_;
  std::vector<KeyId> found_;
  std::vector<KeyId> expected_;
  std::vector<Failure> failures_;
};

}  // namespace

std::vector<Failure> try_order(const History& history, const RowWrites& writes,
                               std::span<const OrderEvent> order, TrialOptions options) {
  return Trial(history, writes, options).run(order);
}

}  // namespace elapid::argue
