// Cobra's histories: a directory with one binary log a session, as CobraBench, PolySI and
// VeriStrong write them. A log holds the records of committed transactions, see
// parsers/cobra/log_record.h; .debug files beside the logs tell of others.
#pragma once

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kCobraFormat;

/// Reads a directory of logs, or a single log. Dialects: `plain`, where every write has an id of
/// its own; `universal`, VeriStrong's, where the value alone tells writes apart, and may repeat;
/// `timestamps`, where transactions carry wall-clock times. Empty: the content tells.
///
/// Reads name the transaction they read from. If no log has that transaction, its write did not
/// happen, with two exceptions: a .debug file tells of the transaction, or ReadOptions::salvage
/// takes it for an indeterminate one whose log was lost. Errors: kMalformed with file and byte for
/// a log that breaks the rules or contradicts another one, or that lacks what its .debug file says
/// has committed.
Result<History> read_cobra(Sources& sources, const std::string& dialect,
                           const ReadOptions& options);

/// A file T<session>.log a session. Transactions are numbered from 1; a write's id is its value's
/// number, and so is its hash. A read of a value that was never written names a writer without a
/// log. In the dialect `universal` all ids are the one constant, and the hash alone tells; in
/// `timestamps` transactions carry the times of plan_times_ms(). A session with aborted
/// transactions has a file T<session>.debug as well, which tells their ids and their places among
/// the others; in the other dialects than `universal` reads of what they wrote name them.
Status write_cobra(const Plan& plan, OutputDirectory& out);

}  // namespace elapid
