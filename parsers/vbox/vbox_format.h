// Vbox's histories: a directory with one binary log a client, as Vgen writes them. The logs
// have reads and writes of rows, reads by predicates, `SELECT ... WHERE low <= column <= high`, and
// the rows that an `UPDATE ... WHERE` matched.
#pragma once

#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/bytes/sources.h"
#include "parsers/convert/plan.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kVboxFormat;

/// Reads a directory of logs, or a single log. Without predicates the history is one of registers,
/// whose values are the versions that reads name. With predicates it is one of rows
/// (docs/predicates.md), unless ReadOptions::workload asks for the other. Transactions last from
/// BEGIN to COMMIT. Overlapping ones of one log are sessions of their own. Without COMMIT or
/// ROLLBACK a transaction is indeterminate, with a remark.
///
/// Errors: kMalformed with file and byte for a log that breaks the grammar (parsers/vbox/records.h)
/// or contradicts itself: an end before its start, an operation outside its transaction, a repeated
/// transaction id, a repeated row in a result, a read of a version that no log wrote.
Result<History> read_vbox(Sources& sources, const std::string& dialect, const ReadOptions& options);

/// Adds the losses of a history of rows. Error kUsage if logs cannot hold the history: see
/// parsers/vbox/row_records.h.
Status plan_vbox_rows(const Plan& plan, std::vector<Loss>& losses);

/// Writes a log a session.
Status write_vbox(const Plan& plan, OutputDirectory& out);

}  // namespace elapid
