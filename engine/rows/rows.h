// The operations of transactions on the rows of tables. They belong to a History, whose operations
// of kind OpKind::kRow refer to them.
//
// A row is an object of the database and has a KeyId. At any moment it is unborn (not made yet),
// dead (deleted) or alive; alive, it is a Record: columns with values. Operations make, change and
// end rows; they read one row, or all rows that a predicate matches. A predicate read is one
// operation, and its result concerns every row there is: the rows in the result matched, and all
// others did not. docs/predicates.md has the meaning of everything here.
//
//   [:insert 7 {:name "Ida" :age 15}]        row 7 must not exist
//   [:update 7 {:age 16}]                    row 7 must exist; :name keeps its value
//   [:put 7 {:age 16}]                       inserts or updates row 7
//   [:delete 7]
//   [:r 7 {:age 16}]   [:r 7 nil]            some columns of row 7; row 7 did not exist
//   [:rp [:in :age 13 19] {7 {:age 16}}]     these rows and no others had 13 <= age <= 19
//   [:up [:in :age 13 19] {:age 20} #{7}]    UPDATE ... WHERE, which matched row 7
//   [:dp :true 3]                            DELETE ... WHERE, which matched three rows
//
// A RowsBuilder makes it; rows_builder.h has an example in code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/ir/growing_vector.h"
#include "engine/ir/history.h"
#include "engine/rows/predicate.h"

namespace elapid::rows {

/// A predicate of the history.
using PredicateId = Id<struct PredicateTag>;

enum class RowOpKind : std::uint8_t {
  kInsert,           ///< makes the row, which must not exist: unborn or dead
  kUpdate,           ///< changes some columns of the row, which must exist
  kPut,              ///< inserts the row, or updates it if it exists
  kDelete,           ///< ends the row; no effect if the row does not exist
  kRead,             ///< reads the row
  kPredicateRead,    ///< reads all rows that match
  kPredicateUpdate,  ///< changes some columns of all that match
  kPredicateDelete,  ///< ends all that match
};

/// The recorded part of the rows that an operation found.
enum class Known : std::uint8_t {
  kNothing,
  kVersions,  ///< the rows, and the version of each
  kValues,    ///< the rows, and some or all columns of each; a missing column is shown as null
  kKeys,      ///< the rows
  kBag,       ///< columns of each, the same ones for all, without the rows' keys
  kCount,     ///< the number of rows
  kAny,       ///< whether there were any rows
};

/// Whether operations of this kind write columns.
[[nodiscard]] constexpr bool writes_columns(RowOpKind kind) {
  return kind <= RowOpKind::kPut || kind == RowOpKind::kPredicateUpdate;
}

/// Whether a result of this kind names the rows found.
[[nodiscard]] constexpr bool names_rows(Known known) {
  return known == Known::kVersions || known == Known::kValues || known == Known::kKeys;
}

/// A row in a result.
struct ShownRow {
  KeyId row = KeyId::none();          ///< none() in a bag
  ValueId version = ValueId::none();  ///< kVersions: its name; nil() is the initial version
  std::uint32_t field_begin = 0;
  std::uint32_t field_count = 0;
};

/// An operation, 40 bytes.
struct RowOp {
  RowOpKind kind = RowOpKind::kRead;
  Known known = Known::kNothing;  ///< of reads and of operations with a predicate
  KeyId row = KeyId::none();      ///< of operations on one row
  PredicateId predicate = PredicateId::none();
  /// If it writes: the name of the versions that it makes, or none().
  ValueId version = ValueId::none();
  std::uint32_t first = 0;        ///< LIMIT: only the first so many matches by key; 0: all matches
  std::uint32_t count = 0;        ///< kCount: rows found; kAny: 1 or 0
  std::uint32_t field_begin = 0;  ///< the fields that it writes
  std::uint32_t field_count = 0;
  std::uint32_t shown_begin = 0;  ///< the rows that it found
  std::uint32_t shown_count = 0;

  [[nodiscard]] bool has_predicate() const { return kind >= RowOpKind::kPredicateRead; }

  [[nodiscard]] bool is_read() const {
    return kind == RowOpKind::kRead || kind == RowOpKind::kPredicateRead;
  }

  /// Whether it ends the rows that it concerns.
  [[nodiscard]] bool ends_rows() const {
    return kind == RowOpKind::kDelete || kind == RowOpKind::kPredicateDelete;
  }

  /// Whether the result names the rows found. There may be none.
  [[nodiscard]] bool names_rows() const { return rows::names_rows(known); }

  /// Whether the result says that no row was found.
  [[nodiscard]] bool found_none() const {
    return known != Known::kNothing && shown_count == 0 && count == 0;
  }

  /// Whether it has a predicate, and may have found rows that the result does not name.
  [[nodiscard]] bool finds_unnamed() const {
    return has_predicate() && !names_rows() && !found_none();
  }

  /// Whether it may have written rows that the result does not name.
  [[nodiscard]] bool writes_unnamed() const { return !is_read() && finds_unnamed(); }
};

/// Immutable; owns everything. About 50 bytes an operation, 16 a row shown and 8 a field.
class Rows {
 public:
  /// The row operation of an operation of kind OpKind::kRow.
  [[nodiscard]] const RowOp& op(Op op) const {
    return ops_[static_cast<std::size_t>(op.value().as_integer())];
  }

  [[nodiscard]] std::span<const RowOp> ops() const { return ops_; }

  /// The written fields, of kinds kInsert, kUpdate, kPut and kPredicateUpdate.
  [[nodiscard]] std::span<const Field> written(const RowOp& op) const {
    return std::span(fields_).subspan(op.field_begin, op.field_count);
  }

  /// The rows found: of Known::kVersions, kValues, kKeys and kBag. Of kRead at most one row.
  [[nodiscard]] std::span<const ShownRow> shown(const RowOp& op) const {
    return std::span(shown_).subspan(op.shown_begin, op.shown_count);
  }

  [[nodiscard]] std::span<const Field> fields(const ShownRow& row) const {
    return std::span(fields_).subspan(row.field_begin, row.field_count);
  }

  /// Requires op.has_predicate().
  [[nodiscard]] const Predicate& predicate(const RowOp& op) const {
    return predicates_[op.predicate.index()];
  }

  /// Whether a key of the history is a row. Operations with a predicate have one that is none.
  [[nodiscard]] bool is_row(KeyId key) const {
    return key.index() < row_keys_.size() && !row_keys_[key.index()].is_none();
  }

  /// The name of a row.
  [[nodiscard]] ValueId key(KeyId row) const { return row_keys_[row.index()]; }

  /// The name of a column; none() for the only column of histories whose rows are single values.
  [[nodiscard]] ValueId column_name(ColumnId column) const { return column_names_[column.index()]; }

  [[nodiscard]] std::size_t column_count() const { return column_names_.size(); }

  /// Whether rows that the history does not mention were unborn at the beginning. Otherwise they
  /// may have existed, with contents that were not recorded.
  [[nodiscard]] bool is_closed() const { return is_closed_; }

  /// For a universe that is not closed: whether rows that no operation names have keys too, as
  /// many as results without keys could have counted. Each of these has a key; its
  /// contents at the beginning are unknown. False if there would be too many. True for a closed
  /// universe.
  [[nodiscard]] bool names_all_rows() const { return names_all_rows_; }

  /// Operations that read or write by a predicate.
  [[nodiscard]] std::size_t predicate_count() const { return predicates_.size(); }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  friend class RowsBuilder;

  GrowingVector<RowOp> ops_;
  GrowingVector<Field> fields_;
  GrowingVector<ShownRow> shown_;
  std::vector<Predicate> predicates_;
  std::vector<ValueId> row_keys_;  // by KeyId; none() for what is no row
  std::vector<ValueId> column_names_;
  bool is_closed_ = false;
  bool names_all_rows_ = true;
};

}  // namespace elapid::rows
