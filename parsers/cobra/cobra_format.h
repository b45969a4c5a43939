// Cobra's histories: a directory with one binary log a session, as CobraBench, PolySI and
// VeriStrong write them. A log has the records of committed transactions
// (parsers/cobra/log_record.h); .debug files beside the logs have those of others.
#pragma once

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kCobraFormat;

/// Reads a directory of logs, or a single log. Dialects: in `plain` every write has its own id;
/// in `universal`, VeriStrong's, only values tell writes apart, and values may repeat; in
/// `timestamps` transactions have wall-clock times. An empty dialect is recognised by the content.
///
/// Reads name the transaction they read from. If no log has that transaction, its write did not
/// happen. There are two exceptions: a .debug file has the transaction; or, under
/// ReadOptions::salvage, it counts as indeterminate, with a lost log. Error: kMalformed, with file
/// and byte, for a log that breaks the rules, contradicts another log, or lacks a transaction that
/// its .debug file calls committed.
Result<History> read_cobra(Sources& sources, const std::string& dialect,
                           const ReadOptions& options);

/// Each session has a file T<session>.log. Transactions are numbered from 1. The id of a write is
/// the number of its value, and so is its hash. A read of a value that was never written names a
/// writer that no log has. In the dialect `universal` all ids are one constant, and the hash alone
/// tells writes apart. In `timestamps` transactions have the times of plan_times_ms(). A session
/// with aborted transactions also has a file T<session>.debug with their ids and places; except in
/// `universal`, reads of their writes name them.
Status write_cobra(const Plan& plan, OutputDirectory& out);

}  // namespace elapid
