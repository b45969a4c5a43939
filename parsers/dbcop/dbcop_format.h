// Histories of dbcop, Biswas and Enea's checker, and of its successors: registers, and transactions
// that committed or did not.
//
// Three dialects: `bincode`, binary files of 2019 (bincode_reader.h); `json` and `hist`, today's
// objects and text (json_reader.h, hist_reader.h), in which a read names the version that it saw.
#pragma once

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kDbcopFormat;

/// Reads one file, or the history.bincode of a directory. Dialects: `bincode`, `json`, `hist`; if
/// empty, the content tells. Errors: kMalformed with line and column, in bincode with a byte.
Result<History> read_dbcop(Sources& sources, const std::string& dialect,
                           const ReadOptions& options);

/// The bincode of 2019. The parameters hold totals, as PolySI writes them.
Status write_dbcop_bincode(const Plan& plan, OutputFile& out);

/// The wrapped form with compact events, which dbcop's program reads.
Status write_dbcop_json(const Plan& plan, OutputFile& out);

/// The `.hist` text: a transaction a line, `---` between sessions.
Status write_dbcop_hist(const Plan& plan, OutputFile& out);

}  // namespace elapid
