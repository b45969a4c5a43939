#include "engine/evidence/row_words.h"

#include <algorithm>
#include <vector>

#include "engine/rows/rows.h"
#include "engine/rows/words.h"

namespace elapid {

namespace {

using rows::column_words;
using rows::RowOpKind;

/// The result of a transaction's operations for one row.
struct RowLeft {
  std::optional<std::int32_t> last = {};  ///< the last operation that wrote the row
  bool is_inserted = false;               ///< and not deleted after that
  bool is_deleted = false;
  bool is_certain = true;  ///< whether the row surely holds the record
  rows::Record record = {};
};

/// Whether all columns that a predicate asks about are in the record.
bool is_known(const rows::Predicate& predicate, const rows::Record& record) {
  return !(predicate.has_column() && record.get(predicate.column).is_none()) &&
         std::ranges::all_of(predicate.parts,
                             [&](const rows::Predicate& part) { return is_known(part, record); });
}

/// Whether no row with this key matches that has at least the columns of the record.
bool excludes(const rows::Predicate& predicate, const ValuePool& values, ValueId key,
              const rows::Record& record) {
  const auto part_excludes = [&](const rows::Predicate& part) {
    return excludes(part, values, key, record);
  };
  if (is_known(predicate, record)) {
    return !predicate.matches(values, key, record);
  }
  switch (predicate.kind) {
    case rows::Predicate::Kind::kAnd:
      return std::ranges::any_of(predicate.parts, part_excludes);
    case rows::Predicate::Kind::kOr:
      return std::ranges::all_of(predicate.parts, part_excludes);
    default:
      return false;
  }
}

/// Whether a later operation of the transaction wrote the row. If its result names no rows, it may
/// have written each that can match. Of a row that the transaction inserted, all columns are known;
/// of another one, the key and the columns that the transaction surely wrote.
bool writes(const History& history, const rows::RowOp& op, KeyId row, const RowLeft& left) {
  const rows::Rows& rows = *history.info().rows;
  if (!op.has_predicate() || op.is_read()) {
    return !op.is_read() && op.row == row;
  }
  if (!op.writes_unnamed()) {
    const auto shown = rows.shown(op);
    return std::ranges::find(shown, row, &rows::ShownRow::row) != shown.end();
  }
  const rows::Predicate& predicate = rows.predicate(op);
  return !left.is_deleted &&
         (left.is_inserted ? predicate.matches(history.values(), rows.key(row), left.record)
                           : !excludes(predicate, history.values(), rows.key(row),
                                       left.is_certain ? left.record : rows::Record()));
}

RowLeft what_is_left(const History& history, TxnId writer, KeyId row) {
  const rows::Rows& rows = *history.info().rows;
  RowLeft left;
  const std::span<const Op> ops = history.ops(writer);
  for (std::size_t mop = 0; mop < ops.size(); ++mop) {
    const rows::RowOp& op = rows.op(ops[mop]);
    if (!writes(history, op, row, left)) {
      continue;
    }
    left.last = static_cast<std::int32_t>(mop);
    left.is_certain = op.kind == RowOpKind::kInsert ||
                      (left.is_certain && (left.is_inserted || !op.writes_unnamed()));
    left.is_deleted = op.ends_rows();
    left.is_inserted = op.kind == RowOpKind::kInsert || (left.is_inserted && !left.is_deleted);
    if (left.is_deleted || op.kind == RowOpKind::kInsert) {
      left.record = {};
    }
    left.record.set(rows.written(op));
  }
  return left;
}

}  // namespace

std::optional<std::uint32_t> last_write(const History& history, TxnId txn, KeyId row) {
  const std::optional<std::int32_t> last = what_is_left(history, txn, row).last;
  return last ? std::optional(static_cast<std::uint32_t>(*last)) : std::nullopt;
}

SeriesPart record_words(const History& history, std::span<const rows::Field> fields) {
  return Story::series(fields, [&](const rows::Field& field) {
    const std::string name = column_words(history, field.column);
    return field.value.is_none() ? as_phrase("no " + name)
                                 : phrase("{} {}", name, ValuePart{field.value});
  });
}

Phrase left_words(std::span<const LastWriter> parts, Story& story) {
  const LastWriter& first = parts.front();
  if (first.writer.is_none()) {
    return as_phrase(story.history().info().rows->is_closed() ? "which was not there at first"
                                                              : "as it was at the beginning");
  }
  const History& history = story.history();
  const RowLeft left = what_is_left(history, first.writer, first.row);
  const ActorPart writer = story.actor(first.writer, left.last.value_or(-1));
  if (left.is_deleted) {
    return phrase("which {} had deleted", writer);
  }
  std::vector<rows::Field> fields;
  bool is_version = false;
  for (const LastWriter& part : parts) {
    if (part.part >= kFirstColumn) {
      const rows::ColumnId column{part.part - kFirstColumn};
      fields.push_back({column, left.record.get(column)});
    }
    is_version = is_version || part.part == kRowVersion;
  }
  const SeriesPart given = record_words(history, fields);
  if (left.is_inserted) {
    return fields.empty() ? phrase("which {} had inserted", writer)
                          : phrase("which {} had inserted with {}", writer, given);
  }
  if (!fields.empty()) {
    return phrase("to which {} had given {}", writer, given);
  }
  return is_version ? phrase("to which {} had given another version", writer)
                    : phrase("which {} had made", writer);
}

}  // namespace elapid
