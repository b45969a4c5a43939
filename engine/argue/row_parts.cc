#include "engine/argue/row_parts.h"

#include <algorithm>

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

  /// The least of the parts' truths, or the greatest.
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

bool lists_rows(const RowOp& op) {
  return op.known == Known::kVersions || op.known == Known::kValues || op.known == Known::kKeys ||
         (op.known != Known::kNothing && op.known != Known::kBag && op.count == 0) ||
         (op.known == Known::kBag && op.shown_count == 0);
}

/// Whether a row with these parts may exist, and whether it must.
bool may_exist(const RowParts& row) {
  return !row.knows(kRowExistence) || row.exists;
}

bool must_exist(const RowParts& row) {
  const bool has_column =
      std::ranges::any_of(row.columns, [](const auto& column) { return !column.second.is_none(); });
  return (row.knows(kRowExistence) && row.exists) || has_column;
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

RowWrites::RowWrites(const History& history, bool knows_by_predicate)
    : history_(history),
      rows_(*history.info().rows),
      part_count_(kFirstColumn + static_cast<std::uint32_t>(rows_.column_count())) {
  is_supported_ = part_count_ < 64 && rows_.is_closed();
  if (!is_supported_) {
    return;
  }
  writers_.resize(history.key_count() * part_count_);
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.status(txn) != TxnStatus::kAborted) {
      note(txn, knows_by_predicate);
    }
  }
}

void RowWrites::note(TxnId txn, bool knows_by_predicate) {
  std::vector<KeyId> known;  // rows that exist as far as the transaction knows
  for (const Op place : history_.ops(txn)) {
    const RowOp& op = rows_.op(place);
    if (op.has_predicate()) {
      const bool says_nothing = op.known == Known::kNothing && op.kind == RowOpKind::kPredicateRead;
      is_supported_ = is_supported_ && op.first == 0 && (lists_rows(op) || says_nothing);
    }
    const bool is_vague =
        op.kind == RowOpKind::kDelete && std::ranges::find(known, op.row) == known.end();
    has_vague_deletes_ = has_vague_deletes_ || is_vague;
    if (!op.has_predicate() && op.kind != RowOpKind::kDelete &&
        (op.kind != RowOpKind::kRead || op.shown_count > 0)) {
      known.push_back(op.row);
    }
    const bool tells = knows_by_predicate ? op.kind != RowOpKind::kPredicateDelete
                                          : op.kind == RowOpKind::kPredicateUpdate;
    if (op.has_predicate() && tells) {
      for (const ShownRow& row : rows_.shown(op)) {
        known.push_back(row.row);
      }
    }
    const PartSet parts = written(op);
    for (const KeyId row : rows_of(op)) {
      if (op.kind == RowOpKind::kDelete || op.kind == RowOpKind::kPredicateDelete) {
        std::erase(known, row);
      }
      for (std::uint32_t part = 0; part < part_count_; ++part) {
        std::vector<TxnId>& writers = writers_[row.index() * part_count_ + part];
        if ((parts & bit(part)) != 0 && (writers.empty() || writers.back() != txn)) {
          writers.push_back(txn);
        }
      }
    }
  }
}

std::vector<KeyId> RowWrites::rows_of(const RowOp& op) const {
  std::vector<KeyId> rows;
  if (op.is_read()) {
    return rows;
  }
  if (!op.has_predicate()) {
    rows.push_back(op.row);
  } else if (op.known != Known::kBag) {
    for (const ShownRow& shown : rows_.shown(op)) {
      rows.push_back(shown.row);
    }
  }
  return rows;
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
  const bool ends = op.kind == RowOpKind::kDelete || op.kind == RowOpKind::kPredicateDelete;
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

std::span<const TxnId> RowWrites::writers(KeyId row, std::uint32_t part) const {
  return writers_[row.index() * part_count_ + part];
}

RowParts RowWrites::left_by(TxnId txn, KeyId row) const {
  if (txn.is_none()) {
    return {.known = bit(part_count_) - 1};
  }
  return own(txn, static_cast<std::uint32_t>(history_.ops(txn).size()), row);
}

bool RowWrites::writes_all(TxnId txn, KeyId row) const {
  const RowParts left = left_by(txn, row);
  // Who changes no more than columns finds the row, and leaves it.
  const bool must_exist = std::ranges::any_of(
      left.columns, [](const auto& column) { return !column.second.is_none(); });
  return (left.known | (must_exist ? bit(kRowExistence) : 0)) == bit(part_count_) - 1;
}

RowParts RowWrites::own(TxnId txn, std::uint32_t mop, KeyId row) const {
  RowParts parts;
  for (const Op place : history_.ops(txn).first(mop)) {
    const RowOp& op = rows_.op(place);
    for (const KeyId written : rows_of(op)) {
      if (written == row) {
        apply(op, parts);
      }
    }
  }
  return parts;
}

bool RowWrites::may_find(TxnId txn, std::uint32_t mop,
                         const std::map<KeyId, RowParts>& known) const {
  const RowOp& op = rows_.op(history_.ops(txn)[mop]);
  const auto shows = [&](const ShownRow& shown, const RowParts& row) {
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
  };
  for (const auto& [key, row] : known) {
    if (op.has_predicate()) {
      if (op.known == Known::kNothing || rows_.table(key) != op.table) {
        continue;
      }
      const Truths truths =
          PartialTruth(history_.values(), rows_.key(key), row).of(rows_.predicate(op));
      const std::span<const ShownRow> shown = rows_.shown(op);
      const auto found = std::ranges::find(shown, key, &ShownRow::row);
      if (found == shown.end()
              ? truths == kAlways && must_exist(row)
              : (truths & kAlways) == 0 || !may_exist(row) || !shows(*found, row)) {
        return false;
      }
      continue;
    }
    if (key != op.row) {
      continue;
    }
    switch (op.kind) {
      case RowOpKind::kInsert:
        if (must_exist(row)) {
          return false;
        }
        break;
      case RowOpKind::kUpdate:
        if (!may_exist(row)) {
          return false;
        }
        break;
      case RowOpKind::kRead:
        if (op.known != Known::kNothing &&
            (op.shown_count == 0 ? must_exist(row)
                                 : !may_exist(row) || !shows(rows_.shown(op).front(), row))) {
          return false;
        }
        break;
      default:
        break;
    }
  }
  return true;
}

}  // namespace elapid::argue
