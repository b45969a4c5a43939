// Parses operations on rows: the text of engine/rows/text.h, and that of Elle's closed-predicate
// histories.
//
// ```cpp
// using namespace rows;
// HistoryBuilder history;
// RowsBuilder rows(history);
// RowParser parser(history, rows);
// CHECK(parser.operation("[:insert 7 {:age 15}]", {}).ok());
// CHECK(parser.operation("[:rp [:and [:in :age 13 19] [:key 1 9]] {7 {:age 15}}]", {}).ok());
// CHECK(parser.operation("[:rp [:in :age 13] {}]", {}).error().message ==
//       "expected [:in COLUMN LOW HIGH] as a predicate, found [:in :age 13]");
// ```
//
// The notation is that of engine/rows/rows.h, and further:
//
//   [:w 7 15]  [:insert 7 15]  [:r 7 15]       rows that are single values: one column without name
//   [:rp [:= 15] {7 15}]  [:rp [:mod 2 1] {}]  predicates over that column
//   [:rp PREDICATE #{7 8}]                     the rows alone
//   [:rp PREDICATE [{:age 15} {:age 15}]]      columns without the rows' keys
//   [:rp PREDICATE 2]  [:rp PREDICATE true]    how many, whether any; false: none
//   [:rp PREDICATE {7 15} {:first 5}]          the first five matches by key
//   [:insert 7 {:age 15} #v 3]  [:r 7 #v 3]    versions have names; #v nil is the initial one.
//                                              A result has the versions of all rows, or columns
//   [:up PREDICATE {:age 20} #{7}]  [:dp PREDICATE #{7}]
//
// Predicates: :true, [:= COLUMN VALUE], [:in COLUMN LOW HIGH] (both included), [:mod COLUMN BY
// REMAINDER], [:key LOW HIGH] (both included), [:present COLUMN], [:not P], [:and P...], [:or
// P...].
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "engine/rows/rows_builder.h"

namespace elapid::rows {

class RowParser {
 public:
  /// Borrows both arguments.
  RowParser(HistoryBuilder& history, RowsBuilder& rows) : history_(history), rows_(rows) {}

  /// The meaning of what the text leaves open.
  struct Reading {
    SourcePosition position = {};
    /// A result of nil is not recorded; otherwise a row of nil does not exist.
    bool nil_is_unknown = false;
    ValueId version = ValueId::none();  ///< of a write that names none
  };

  /// Parses an operation in canonical EDN (ValuePool::text). Error kMalformed: the expected form,
  /// or the RowsBuilder's error.
  Result<MopInput> operation(std::string_view text, const Reading& reading);

  /// The inserts that make the initial contents. The text is a map `{7 15, 8 {:age 3}}`, or the
  /// inserts themselves. Rows without a named version have the initial one, nil.
  Result<std::vector<MopInput>> contents(std::string_view text, Reading reading);

 private:
  using Forms = std::vector<std::string_view>;

  Result<MopInput> parse(Forms forms, std::string_view text, const Reading& reading);
  bool read_operation(Forms forms, std::string_view text, const Reading& reading,
                      RowOpInput& input);
  bool read_predicate(std::string_view text, Predicate& predicate, std::size_t depth);
  bool read_numbers(std::string_view low, std::string_view high, Predicate& predicate);
  bool read_fields(std::string_view text, std::vector<Field>& fields);
  bool read_result(std::string_view text, RowOpInput& input, bool is_unknown_if_nil);
  bool read_shown(std::string_view text, RowOpInput& input, ShownRowInput& row);
  bool read_options(Forms& forms, RowOpInput& input);
  bool expect(std::string_view what, std::string_view found);
  std::optional<ColumnId> column(std::string_view text);

  ColumnId only_column() { return rows_.column(ValueId::none()); }

  ValueId value(std::string_view text) { return history_.values().intern(text); }

  HistoryBuilder& history_;
  RowsBuilder& rows_;
  std::vector<Field> written_;
  std::vector<ShownRowInput> shown_;
  std::deque<std::vector<Field>> fields_;  // that shown_ refers to
  std::string problem_;
};

}  // namespace elapid::rows
