// The only way to make Rows: it works beside a HistoryBuilder, while a history is read.
//
// ```cpp
// using namespace rows;
// HistoryBuilder history;
// RowsBuilder rows(history);
// const ColumnId age = rows.column(history.values().intern(":age"));
// const KeyId ida = rows.row(ValueId::integer(7));
// const Field fifteen{age, ValueId::integer(15)};
// const auto insert =
//     rows.add({.kind = RowOpKind::kInsert, .row = ida, .written = {&fifteen, 1}});
// const ShownRowInput found{.row = ida, .fields = {&fifteen, 1}};
// const auto read = rows.add({.kind = RowOpKind::kPredicateRead,
//                             .predicate = Predicate::range(age, 13, 19),
//                             .known = Known::kValues,
//                             .shown = {&found, 1}});
// REQUIRE(insert.ok());
// REQUIRE(read.ok());
// const std::array mops = {insert.value(), read.value()};
// CHECK(history.add_transaction({.session = 0, .mops = mops}).ok());
// const auto built = std::move(history).build(
//     {.format = "example", .workload = Workload::kRows, .rows = std::move(rows).build(true)});
// REQUIRE(built.ok());
// CHECK(built.value().info().rows->predicate_count() == 1);
// ```
//
// Input that contradicts itself is malformed, and refused with the position of the operation. A
// fault of the database is not refused, such as a row in a result that does not match the
// predicate: the check decides on it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "engine/rows/rows.h"

namespace elapid::rows {

/// A row of a result as a reader hands it over; see ShownRow.
struct ShownRowInput {
  KeyId row = KeyId::none();
  ValueId version = ValueId::none();
  std::span<const Field> fields = {};
};

/// An operation as a reader hands it over; see RowOp. Spans are used during the call only.
struct RowOpInput {
  RowOpKind kind = RowOpKind::kRead;
  SourcePosition position = {};
  KeyId row = KeyId::none();  ///< of operations on one row
  Predicate predicate = {};   ///< of the others
  ValueId version = ValueId::none();
  std::span<const Field> written = {};
  Known known = Known::kNothing;
  std::span<const ShownRowInput> shown = {};
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

class RowsBuilder {
 public:
  /// Refers to the builder of the history.
  explicit RowsBuilder(HistoryBuilder& history) : history_(history) {}

  /// The column of this name; a new one if needed. none(): the only column of single-value rows.
  ColumnId column(ValueId name);
  /// The row with this key; a new one if needed.
  KeyId row(ValueId key);

  /// Makes an operation for a transaction of the HistoryBuilder. Error kMalformed with the
  /// operation's offset: a column twice among the written or shown, a row twice in a result,
  /// different columns within a bag, more rows than the limit, a result that the kind of operation
  /// cannot have, an impossible remainder, or expressions nested too deeply. Also values other than
  /// integers, in columns with ranges or remainders and in keys with ranges or limits: databases
  /// differ in how they compare these.
  Result<MopInput> add(const RowOpInput& input);

  /// The finished rows, for HistoryInfo::rows. `is_closed`: see Rows::is_closed(). If false, rows
  /// that no operation names get keys of the history; see Rows::names_all_rows().
  [[nodiscard]] std::shared_ptr<const Rows> build(bool is_closed) &&;

 private:
  /// Kinds of values that exclude each other in a column, or in the keys.
  struct Ordered {
    bool is_compared = false;
    bool has_others = false;  // than integers and null
  };

  Status check(const RowOpInput& input);
  Status check_fields(const RowOpInput& input, std::span<const Field> fields);
  Status check_shown(const RowOpInput& input);
  Status check_predicate(const RowOpInput& input, const Predicate& predicate, std::size_t depth);
  Status check_rows_differ(const RowOpInput& input);
  Status note(Ordered& ordered, const RowOpInput& input, std::string_view what);
  Status note_key(const RowOpInput& input, KeyId row);

  /// Whether note_key() has nothing to note about the row.
  [[nodiscard]] bool has_plain_key(KeyId row) const {
    return rows_.is_row(row) && rows_.key(row).is_integer();
  }

  void append_fields(std::span<const Field> fields, std::uint32_t& begin, std::uint32_t& count);
  void name_other_rows();
  void forget_reads_of_none();

  HistoryBuilder& history_;
  Rows rows_;
  std::map<ValueId, ColumnId> columns_;
  std::vector<Ordered> ordered_columns_;  // by ColumnId
  Ordered ordered_keys_;
  std::uint32_t results_ = 0;
  std::vector<std::uint32_t> last_result_;  // by KeyId: number of the last one that had it
  bool has_null_rows_ = false;              // a row that is a single value was written as null
};

}  // namespace elapid::rows
