// Schedules of Coo and 3TS: one a line, with the operations in the order of their execution.
//
//   R0a W0b R1b C0 W1a A1      transaction 0 reads a and writes b, 1 reads b; 0 commits, ...
//   W0a C0 S1 C1               S1: a scan, which reads all items with an even version
//
// Blanks between operations may be missing.
#pragma once

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kCooFormat;

/// Reads schedules as one history. The schedules of a file are independent, so each has items of
/// its own: item a of line 3 is key "s3/a". So the history violates a level iff one of its
/// schedules does. Each transaction is a session: transaction 1 of line 3 is session 31. The order
/// of operations is real time.
///
/// A schedule does not tell the results of its reads. The dialect is the policy that defines them,
/// see CooPolicy; if empty, the first policy. The n-th write to an item writes n; the initial value
/// is 0. With scans the history is one of rows (parsers/coo/coo_rows.h), unless
/// ReadOptions::workload asks for registers: then scans are left out.
///
/// Transactions that neither commit nor abort are indeterminate. Errors: kMalformed for an invalid
/// token, and for one after the end of its transaction.
Result<History> read_coo(Sources& sources, const std::string& dialect, const ReadOptions& options);

/// One schedule, with transactions one after the other as recorded. If they are too many for that:
/// a schedule, which is a line, for each group of transactions that share keys. A schedule has no
/// values, so that order must define the reads: each must see the latest write of an earlier
/// committed transaction, or its own. Error kUsage otherwise, and for a group of more than 10
/// transactions or 26 keys.
Status write_coo(const Plan& plan, OutputFile& out);

}  // namespace elapid
