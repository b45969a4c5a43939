// Schedules of Coo and 3TS: one a line, operations in the order in which they happened.
//
//   R0a W0b R1b C0 W1a A1      transaction 0 reads a and writes b, 1 reads b; 0 commits, ...
//   W0a C0 S1 C1               S1: a scan, which reads all items whose version is even
//
// Blanks between operations may be left out.
#pragma once

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kCooFormat;

/// Reads schedules as one history. Those of a file have nothing to do with one another, so each
/// has items of its own, item a of line 3 being key "s3/a": what is wrong with the history is wrong
/// with one of them, and a history that is right has no schedule that is not. Each transaction is
/// a session, transaction 1 of line 3 being session 31, and the order of operations is real time.
///
/// A schedule does not say what its reads saw. The dialect is the policy by which they saw it, see
/// CooPolicy; the first of them if it is empty. The n-th write to an item writes n; initially it
/// is 0. With scans the history is one of rows (parsers/coo/coo_rows.h), unless
/// ReadOptions::workload asks for registers: then they are left out.
///
/// Transactions that neither commit nor abort are indeterminate. Errors: kMalformed for a token
/// that is none, and for one behind the end of its transaction.
Result<History> read_coo(Sources& sources, const std::string& dialect, const ReadOptions& options);

/// One schedule, transactions one after the other as they were recorded; where they are too many
/// for that, a schedule, which is a line, for each group of them that share keys. A schedule has no
/// values: that order must say what each read saw, which is the latest write of a committed
/// transaction before it, or its own. Error kUsage otherwise, and beyond 10 transactions or 26 keys
/// that belong together.
Status write_coo(const Plan& plan, OutputFile& out);

}  // namespace elapid
