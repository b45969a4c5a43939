// From a history of rows to Vbox's records, as far as these can say it.
//
// A record W writes numbers and says nothing of what was there before; P is a range of one column;
// R names a version. So that inserts, updates and reads of rows that do not exist say as much as
// before, each row gets a column that holds its key where that is needed and keys allow it: a P of
// this column says whether a row exists. (Where rows are put and read and nothing else, one that
// does not exist is one in its initial version, as in Vbox's own logs of that kind.) What a read by
// values saw is told by its version where one operation alone can have left them.
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

/// Error kUsage: deletes, values that are no whole numbers of 32 bits, rows that a predicate wrote
/// and nobody recorded. Requires a history of rows.
[[nodiscard]] Result<RowRecords> row_records(const Plan& plan);

}  // namespace elapid::vbox
