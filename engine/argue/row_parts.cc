#include "engine/argue/row_parts.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace elapid::argue {

using rows::Field;
using rows::Known;
using rows::Predicate;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

namespace {

constexpr PartSet bit(std::uint32_t part) {
  return PartSet{1} << part;
}

/// Which truth values are possible: a bit each.
using Truths = unsigned;
constexpr Truths kNever = 1;
constexpr Truths kNull = 2;
constexpr Truths kAlways = 4;

Truths only(rows::Truth truth) {
  return truth == rows::Truth::kTrue ? kAlways : truth == rows::Truth::kFalse ? kNever : kNull;
}

class PartialTruth {
 public:
  PartialTruth(const ValuePool& values, ValueId key, const RowParts& row)
      : values_(values), key_(key), row_(row) {}

  [[nodiscard]] Truths of(const Predicate& predicate) const {
    using Kind = Predicate::Kind;
    switch (predicate.kind) {
      case Kind::kTrue:
      case Kind::kKeyRange:
        return only(predicate.evaluate(values_, key_, {}));
      case Kind::kNot: {
        const Truths inner = of(predicate.parts.front());
        return (inner & kNull) | ((inner & kNever) != 0 ? kAlways : 0U) |
               ((inner & kAlways) != 0 ? kNever : 0U);
      }
      case Kind::kAnd:
      case Kind::kOr:
        return of_parts(predicate);
      default:
        return of_column(predicate);
    }
  }

 private:
  [[nodiscard]] Truths of_column(const Predicate& predicate) const {
    if (!row_.knows(part_of(predicate.column))) {
      return predicate.kind == Predicate::Kind::kPresent ? kNever | kAlways
                                                         : kNever | kNull | kAlways;
    }
    rows::Record record;
    if (const ValueId value = row_.column(predicate.column); !value.is_none()) {
      record.set(predicate.column, value);
    }
    return only(predicate.evaluate(values_, key_, record));
  }

  /// The truths of a conjunction, the least of its parts', or of a disjunction, the greatest.
  [[nodiscard]] Truths of_parts(const Predicate& predicate) const {
    const bool is_and = predicate.kind == Predicate::Kind::kAnd;
    Truths result = is_and ? kAlways : kNever;
    for (const Predicate& part : predicate.parts) {
      const Truths truths = of(part);
      Truths next = 0;
      for (const Truths a : {kNever, kNull, kAlways}) {
        for (const Truths b : {kNever, kNull, kAlways}) {
          if ((result & a) != 0 && (truths & b) != 0) {
            next |= is_and ? std::min(a, b) : std::max(a, b);
          }
        }
      }
      result = next;
    }
    return result;
  }

  const ValuePool& values_;
  ValueId key_;
  const RowParts& row_;
};

/// Whether a row with these parts may exist.
bool may_exist(const RowParts& row) {
  return !row.knows(kRowExistence) || row.exists;
}

}  // namespace

ValueId RowParts::column(rows::ColumnId column) const {
  const auto found = std::ranges::find(columns, column, &std::pair<rows::ColumnId, ValueId>::first);
  return found == columns.end() ? ValueId::none() : found->second;
}

void RowParts::set_column(rows::ColumnId column, ValueId value) {
  const auto found = std::ranges::find(columns, column, &std::pair<rows::ColumnId, ValueId>::first);
  if (found == columns.end()) {
    columns.emplace_back(column, value);
  } else {
    found->second = value;
  }
  known |= bit(part_of(column));
}

ValueId RowParts::part(std::uint32_t part) const {
  return part == kRowExistence ? existence(exists)
         : part == kRowVersion ? version
                               : column(rows::ColumnId{part - kFirstColumn});
}

void RowParts::set_part(std::uint32_t part, ValueId value) {
  known |= bit(part);
  if (part == kRowExistence) {
    exists = is_there(value);
  } else if (part == kRowVersion) {
    version = value;
  } else {
    set_column(rows::ColumnId{part - kFirstColumn}, value);
  }
}

bool RowParts::must_exist() const {
  return (knows(kRowExistence) && exists) ||
         std::ranges::any_of(columns, [](const auto& column) { return !column.second.is_none(); });
}

void RowParts::forget(PartSet parts) {
  known &= ~parts;
  std::erase_if(columns,
                [&](const auto& column) { return (parts & bit(part_of(column.first))) != 0; });
}

std::optional<std::int64_t> last_key(const History& history, const RowOp& op) {
  std::optional<std::int64_t> last;
  const rows::Rows& rows = *history.info().rows;
  if (op.first > 0 && op.shown_count == op.first && op.known != Known::kBag) {
    for (const ShownRow& shown : rows.shown(op)) {
      const auto key = history.values().as_integer(rows.key(shown.row));
      last = std::max(last.value_or(key.value_or(0)), key.value_or(0));
    }
  }
  return last;
}

RowWrites::RowWrites(const History& history, WriteOptions options)
    : history_(history),
      rows_(*history.info().rows),
      part_count_(kFirstColumn + static_cast<std::uint32_t>(rows_.column_count())),
      deletes_newest_(options.knows_by_predicate),
      deletes_newest_by_key_(options.deletes_newest_by_key) {
  is_supported_ = part_count_ < 64;
  if (!is_supported_) {
    return;
  }
  writers_.resize(history.key_count() * part_count_);
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.status(txn) != TxnStatus::kAborted) {
      note(txn, options);
    }
  }
  std::ranges::sort(touches_);
}

void RowWrites::note(TxnId txn, WriteOptions options) {
  std::vector<KeyId> known;  // rows that exist as far as the transaction knows
  const auto ops = static_cast<std::uint32_t>(history_.ops(txn).size());
  for (std::uint32_t mop = 0; mop < ops; ++mop) {
    const RowOp& op = this->op(txn, mop);
    if (op.has_predicate()) {
      const bool is_bag = op.known == Known::kBag && op.shown_count > 0;
      const bool is_full = op.first > 0 && op.shown_count == op.first;
      has_choices_ = has_choices_ && !(is_bag && (is_full || !op.is_read()));
      is_supported_ = is_supported_ && (!op.writes_unnamed() || op.first == 0);
    }
    if (op.writes_unnamed()) {
      unnamed_.push_back({txn, mop});
      if (op.kind == RowOpKind::kPredicateDelete && options.deletes_may_miss) {
        known.clear();
      }
      continue;
    }
    const bool is_sure = !options.deletes_may_miss || op.kind != RowOpKind::kDelete ||
                         std::ranges::find(known, op.row) != known.end();
    const PartSet parts = written(op);
    for (const KeyId row : rows_of(txn, mop)) {
      touches_.push_back({txn, row, mop, is_sure});
      if (options.deletes_may_miss && op.ends_rows()) {
        std::erase(known, row);
      }
      for (std::uint32_t part = 0; part < part_count_; ++part) {
        std::vector<TxnId>& writers = writers_[row.index() * part_count_ + part];
        if ((parts & bit(part)) != 0 && (writers.empty() || writers.back() != txn)) {
          writers.push_back(txn);
        }
      }
    }
    if (!options.deletes_may_miss) {
      continue;
    }
    if (!op.has_predicate() && op.kind != RowOpKind::kDelete &&
        (op.kind != RowOpKind::kRead || (options.knows_by_read && op.shown_count > 0))) {
      known.push_back(op.row);
    }
    const bool tells = options.knows_by_predicate ? op.kind != RowOpKind::kPredicateDelete
                                                  : op.kind == RowOpKind::kPredicateUpdate;
    if (op.has_predicate() && op.known != Known::kBag && tells) {
      for (const ShownRow& row : rows_.shown(op)) {
        known.push_back(row.row);
      }
    }
  }
}

std::vector<KeyId> RowWrites::rows_of(TxnId txn, std::uint32_t mop) const {
  std::vector<KeyId> rows;
  const RowOp& op = this->op(txn, mop);
  if (op.is_read() || op.writes_unnamed()) {
    return rows;
  }
  if (!op.has_predicate()) {
    rows.push_back(op.row);
    return rows;
  }
  for (const ShownRow& shown : rows_.shown(op)) {
    rows.push_back(shown.row);
  }
  return rows;
}

std::vector<RowWrites::Touch>::const_iterator RowWrites::first_touch(TxnId txn, KeyId row) const {
  return std::ranges::lower_bound(touches_, Touch{txn, row, 0, false});
}

std::vector<RowWrites::Unnamed>::const_iterator RowWrites::first_unnamed(TxnId txn) const {
  return std::ranges::lower_bound(unnamed_, txn, {}, &Unnamed::txn);
}

/// Whether a predicate may match the row at some time, as its key tells.
bool RowWrites::may_match(const RowOp& op, KeyId row) const {
  return (PartialTruth(history_.values(), rows_.key(row), {}).of(rows_.predicate(op)) & kAlways) !=
         0;
}

PartSet RowWrites::written(const RowOp& op) const {
  PartSet parts = bit(kRowVersion);
  switch (op.kind) {
    case RowOpKind::kInsert:
    case RowOpKind::kDelete:
    case RowOpKind::kPredicateDelete:
      return bit(part_count_) - 1;
    case RowOpKind::kPut:
      parts |= bit(kRowExistence);
      break;
    case RowOpKind::kUpdate:
    case RowOpKind::kPredicateUpdate:
      break;
    default:
      return 0;
  }
  for (const Field& field : rows_.written(op)) {
    parts |= bit(part_of(field.column));
  }
  return parts;
}

void RowWrites::apply(const RowOp& op, RowParts& row) const {
  const bool ends = op.ends_rows();
  if (ends || op.kind == RowOpKind::kInsert) {
    row.columns.clear();
  }
  row.known |= written(op);
  if (ends || op.kind == RowOpKind::kInsert || op.kind == RowOpKind::kPut) {
    row.exists = !ends;
  }
  row.version = ends ? ValueId::nil() : op.version;
  if (!ends) {
    for (const Field& field : rows_.written(op)) {
      row.set_column(field.column, field.value);
    }
  }
}

const std::vector<TxnId>& RowWrites::writers(KeyId row, std::uint32_t part) const {
  const std::size_t place = row.index() * part_count_ + part;
  if (unnamed_.empty()) {
    looked_ += writers_[place].size();
    return writers_[place];
  }
  const auto [known, is_new] = all_writers_.try_emplace(place);
  std::vector<TxnId>& all = known->second;
  if (is_new) {
    all = writers_[place];
    for (const Unnamed& one : unnamed_of(row)) {
      if ((written(op(one.txn, one.mop)) & bit(part)) != 0) {
        all.push_back(one.txn);
      }
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
  looked_ += all.size();
  return all;
}

const std::vector<RowWrites::Unnamed>& RowWrites::unnamed_of(KeyId row) const {
  const auto [known, is_new] = unnamed_of_.try_emplace(row.value);
  if (is_new) {
    looked_ += unnamed_.size();
    std::ranges::copy_if(unnamed_, std::back_inserter(known->second),
                         [&](const Unnamed& one) { return may_match(op(one.txn, one.mop), row); });
  }
  return known->second;
}

void RowWrites::carry_out(TxnId txn, std::uint32_t count, KeyId row, RowParts& known) const {
  bool is_own = false;
  each_write(txn, count, row, [&](std::uint32_t /*mop*/, const RowOp& op, bool is_sure) {
    if (is_sure || ends(op, row)) {
      apply(op, known);
      is_own = true;
      return;
    }
    const bool may_be_there = may_exist(known) || known.must_exist();
    Truths truths = known.must_exist() ? kAlways : may_be_there ? kNever | kAlways : kNever;
    const bool may_be_old = op.has_predicate() ? !deletes_newest_ : !deletes_newest_by_key_;
    if (may_be_old && !is_own) {
      truths = may_be_there ? kNever | kAlways : kNever;
    } else if (op.has_predicate() && may_be_there) {
      const Truths match =
          PartialTruth(history_.values(), rows_.key(row), known).of(rows_.predicate(op));
      truths = (match & kAlways) == 0 ? kNever : match == kAlways ? truths : truths | kNever;
    }
    if (truths == kAlways) {
      apply(op, known);
      is_own = true;
    } else if ((truths & kAlways) != 0) {
      known.forget(written(op));
    }
  });
}

bool RowWrites::ends(const RowOp& op, KeyId row) const {
  if (!deletes_newest_ || op.first > 0) {
    return false;
  }
  return op.kind == RowOpKind::kPredicateDelete
             ? op.writes_unnamed() &&
                   PartialTruth(history_.values(), rows_.key(row), {}).of(rows_.predicate(op)) ==
                       kAlways
             : op.kind == RowOpKind::kDelete && op.row == row;
}

RowParts RowWrites::left_by(TxnId txn, KeyId row) const {
  if (txn.is_none()) {
    return at_first();
  }
  RowParts parts;
  carry_out(txn, static_cast<std::uint32_t>(history_.ops(txn).size()), row, parts);
  return parts;
}

RowParts RowWrites::at_first() const {
  return {.known = rows_.is_closed() ? bit(part_count_) - 1 : bit(kRowVersion)};
}

bool RowWrites::writes_all(TxnId txn, KeyId row) const {
  const RowParts left = left_by(txn, row);
  // A transaction that changes only columns finds the row, and leaves it in existence.
  return (left.known | (left.must_exist() ? bit(kRowExistence) : 0)) == bit(part_count_) - 1;
}

std::vector<ValueId> RowWrites::may_leave(TxnId txn, KeyId row, std::uint32_t part) const {
  std::vector<ValueId> values;
  each_write(txn, static_cast<std::uint32_t>(history_.ops(txn).size()), row,
             [&](std::uint32_t /*mop*/, const RowOp& op, bool is_sure) {
               if ((written(op) & bit(part)) == 0) {
                 return;
               }
               RowParts made;
               apply(op, made);
               if (is_sure) {
                 values.clear();
               }
               values.push_back(made.part(part));
             });
  return values;
}

bool RowWrites::may_show(const RowOp& op, const ShownRow& shown, const RowParts& row) const {
  if (op.known == Known::kVersions) {
    return !row.knows(kRowVersion) || row.version == shown.version;
  }
  return std::ranges::all_of(rows_.fields(shown), [&](const Field& field) {
    if (!row.knows(part_of(field.column))) {
      return true;
    }
    const ValueId held = row.column(field.column);
    return (held.is_none() ? ValueId::nil() : held) == field.value;
  });
}

bool RowWrites::may_match(const RowOp& op, KeyId key, const RowParts& row,
                          const ShownRow* shown) const {
  const Truths truths =
      PartialTruth(history_.values(), rows_.key(key), row).of(rows_.predicate(op));
  return (truths & kAlways) != 0 && may_exist(row) &&
         (shown == nullptr || may_show(op, *shown, row));
}

bool RowWrites::may_miss(const RowOp& op, KeyId key, const RowParts& row) const {
  return !row.must_exist() ||
         PartialTruth(history_.values(), rows_.key(key), row).of(rows_.predicate(op)) != kAlways;
}

bool RowWrites::may_find(TxnId txn, std::uint32_t mop, KeyId key, const RowParts& row,
                         std::uint32_t as) const {
  const RowOp& op = this->op(txn, mop);
  if (op.has_predicate() && as != kAsRecorded) {
    return as == kAsMissed
               ? may_miss(op, key, row)
               : may_match(op, key, row, as == kAsFound ? nullptr : &rows_.shown(op)[as]);
  }
  if (op.has_predicate()) {
    if (op.finds_unnamed()) {
      return true;
    }
    const std::span<const ShownRow> shown = rows_.shown(op);
    const auto found = std::ranges::find(shown, key, &ShownRow::row);
    if (const auto last = last_key(history_, op);
        found == shown.end() && last &&
        history_.values().as_integer(rows_.key(key)).value_or(0) > *last) {
      return true;
    }
    return found == shown.end() ? may_miss(op, key, row) : may_match(op, key, row, &*found);
  }
  if (key != op.row) {
    return true;
  }
  switch (op.kind) {
    case RowOpKind::kInsert:
      return !row.must_exist();
    case RowOpKind::kUpdate:
      return may_exist(row);
    case RowOpKind::kRead:
      return op.known == Known::kNothing ||
             (op.shown_count == 0 ? !row.must_exist()
                                  : may_exist(row) && may_show(op, rows_.shown(op).front(), row));
    case RowOpKind::kDelete:
      return deletes_newest_by_key_ || as != kAsMissed || !row.must_exist();
    default:
      return true;
  }
}

}  // namespace elapid::argue
