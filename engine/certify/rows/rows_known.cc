#include "engine/certify/rows/rows_known.h"

#include <algorithm>
#include <set>
#include <utility>

namespace elapid::certify {

using rows::Known;
using rows::Predicate;
using rows::RowOp;
using rows::RowOpKind;
using rows::Truth;

namespace {

/// The truth values that are possible.
struct Possible {
  bool is_false = false;
  bool is_null = false;
  bool is_true = false;
};

Possible both(Possible a, Possible b) {
  return {.is_false = a.is_false || b.is_false,
          .is_null = (a.is_null && (b.is_null || b.is_true)) || (b.is_null && a.is_true),
          .is_true = a.is_true && b.is_true};
}

class PossibleTruth {
 public:
  PossibleTruth(const ValuePool& values, ValueId key, const KnownRow& row)
      : values_(values), key_(key), row_(row) {}

  [[nodiscard]] Possible of(const Predicate& predicate) const {
    const auto certain = [](Truth of) {
      return Possible{of == Truth::kFalse, of == Truth::kUnknown, of == Truth::kTrue};
    };
    switch (predicate.kind) {
      case Predicate::Kind::kTrue:
      case Predicate::Kind::kKeyRange:
        return certain(predicate.evaluate(values_, key_, {}));
      case Predicate::Kind::kNot: {
        const Possible inner = of(predicate.parts.front());
        return {inner.is_true, inner.is_null, inner.is_false};
      }
      case Predicate::Kind::kAnd: {
        Possible all = {.is_true = true};
        for (const Predicate& part : predicate.parts) {
          all = both(all, of(part));
        }
        return all;
      }
      case Predicate::Kind::kOr: {  // by De Morgan's law
        Possible none = {.is_true = true};
        for (const Predicate& part : predicate.parts) {
          const Possible one = of(part);
          none = both(none, {one.is_true, one.is_null, one.is_false});
        }
        return {none.is_true, none.is_null, none.is_false};
      }
      default:
        break;
    }
    const std::vector<ValueId> values = row_.column(predicate.column);
    if (values.size() != 1) {
      return {true, true, true};
    }
    rows::Record record;
    if (!values.front().is_none()) {
      record.set(predicate.column, values.front());
    }
    return certain(predicate.evaluate(values_, key_, record));
  }

 private:
  const ValuePool& values_;
  ValueId key_;
  const KnownRow& row_;
};

}  // namespace

KnownRow unborn_row() {
  return {.exists = false, .version = ValueId::nil(), .columns = {}, .has_all_columns = true};
}

void put_part(KnownRow& row, const KnownRow& from, std::uint32_t part) {
  if (part == kRowExistence) {
    row.exists = from.exists;
  } else if (part == kRowVersion) {
    row.version = from.version;
  } else if (auto values = from.column(rows::ColumnId{part - kFirstColumn}); !values.empty()) {
    row.columns[rows::ColumnId{part - kFirstColumn}] = std::move(values);
  }
}

bool must_exist(const KnownRow& row) {
  return row.exists.value_or(false) || std::ranges::any_of(row.columns, [](const auto& column) {
           return !column.second.empty() && std::ranges::none_of(column.second, &ValueId::is_none);
         });
}

namespace {

/// The most combinations of values that are tried for the columns of one row.
constexpr std::size_t kMostWays = 1000;

void note_columns(const Predicate& predicate, std::set<rows::ColumnId>& columns) {
  if (!predicate.column.is_none()) {
    columns.insert(predicate.column);
  }
  for (const Predicate& part : predicate.parts) {
    note_columns(part, columns);
  }
}

/// The row with each combination of the values that the predicate's columns may hold.
std::vector<KnownRow> ways_of(const KnownRow& row, const Predicate& predicate) {
  std::set<rows::ColumnId> columns;
  note_columns(predicate, columns);
  std::vector<KnownRow> ways = {row};
  for (const rows::ColumnId column : columns) {
    const std::vector<ValueId> values = row.column(column);
    if (values.size() < 2 || ways.size() * values.size() > kMostWays) {
      continue;
    }
    std::vector<KnownRow> more;
    for (const KnownRow& way : ways) {
      for (const ValueId value : values) {
        more.push_back(way);
        more.back().columns[column] = {value};
      }
    }
    ways = std::move(more);
  }
  return ways;
}

Certain matches_so(const History& history, const RowOp& op, KeyId key, const KnownRow& row) {
  const rows::Rows& rows = *history.info().rows;
  const Possible possible =
      PossibleTruth(history.values(), rows.key(key), row).of(rows.predicate(op));
  if (!possible.is_true || (!row.exists.value_or(true) && !must_exist(row))) {
    return Certain::kNo;
  }
  return possible.is_false || possible.is_null || !must_exist(row) ? Certain::kMaybe
                                                                   : Certain::kYes;
}

}  // namespace

Certain matches(const History& history, const RowOp& op, KeyId key, const KnownRow& row) {
  std::set<Certain> said;
  for (const KnownRow& way : ways_of(row, history.info().rows->predicate(op))) {
    said.insert(matches_so(history, op, key, way));
  }
  return said.size() == 1 ? *said.begin() : Certain::kMaybe;
}

}  // namespace elapid::certify
