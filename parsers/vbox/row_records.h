// From a history of rows to Vbox's records, as far as these can say it.
//
// A record W writes numbers and says nothing of the state before. P is a range of one column. R
// names a version. So inserts, updates and reads of absent rows need more: each row gets a column
// that holds its key, where keys allow it, and a P of this column says whether the row exists.
// Where rows are only put and read by key, an absent row is one in its initial version, as in
// Vbox's own logs of that kind. A read that shows values names the version, if only one operation
// can have left them.
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

/// Error kUsage: deletes, values that are no whole numbers of 32 bits, unrecorded rows of a write
/// by a predicate. Requires a history of rows.
[[nodiscard]] Result<RowRecords> row_records(const Plan& plan);

}  // namespace elapid::vbox
