// The operations of events on rows (workload rows).
#pragma once

#include <cstddef>
#include <string_view>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "engine/rows/parse.h"
#include "engine/rows/rows_builder.h"
#include "parsers/jepsen/op_map.h"

namespace elapid {

/// Whether a micro-operation of this name, with its colon, shows that a history is one of rows.
[[nodiscard]] bool is_row_operation(std::string_view name);

class RowEvents {
 public:
  /// Borrows the builder of the history.
  explicit RowEvents(HistoryBuilder& history);

  /// Makes operations of the event's :value, which is text: micro-operations, or in an event `:f
  /// :init` the initial contents of rows, as a map or as inserts. The operations get their keys.
  /// Errors have the event's byte offset.
  Status convert(OpMap& op);

  /// Adds the row operations to `info`, and the initial transaction if there is one; `is_closed`:
  /// see rows::Rows.
  void finish(HistoryInfo& info, bool is_closed) &&;

 private:
  Status add_init(OpMap& op);

  rows::RowsBuilder rows_;
  rows::RowParser parser_;
  ValueId init_;  // the name of :f :init
  std::size_t completions_ = 0;
  bool has_init_ = false;  // its first completed event
};

/// Error: kMalformed if a transaction completed before the initial one. The order of lines does not
/// tell where events are ordered by their times.
Status refuse_late_init(const History& history);

}  // namespace elapid
