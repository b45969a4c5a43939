// Converts a history of rows to Vbox's records, as far as these can express it.
//
// A record W writes numbers and has no state before the write. P is a range of one column. R
// names a version. So inserts, updates and reads of absent rows need more: each row gets a column
// with its key, if keys allow it, and a P of this column shows whether the row exists. If rows
// are only put and read by key, an absent row is one in its initial version, as in Vbox's own
// logs of that kind. A read with values names the version, if only one operation can have written
// them.
#pragma once

#include <vector>

#include "engine/ir/result.h"
#include "parsers/convert/plan.h"
#include "parsers/vbox/records.h"

namespace elapid::vbox {

struct RowRecords {
  std::vector<Transaction> transactions = {};  ///< of Plan::txns()
  std::vector<Loss> losses = {};
};

/// Error kUsage: deletes, values that are no integers of 32 bits, unrecorded rows of a write by a
/// predicate. Requires a history of rows.
[[nodiscard]] Result<RowRecords> row_records(const Plan& plan);

}  // namespace elapid::vbox
