// Cobra's histories: a directory with one binary log a session, as CobraBench, PolySI and
// VeriStrong write them. Only committed transactions are logged; .debug files beside the logs tell
// of others.
#ifndef ELAPID_PARSERS_COBRA_COBRA_READER_H_
#define ELAPID_PARSERS_COBRA_COBRA_READER_H_

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/options.h"

namespace elapid {

/// Reads a directory of logs, or a single log. Dialects: `plain`, where every write has an id of
/// its own; `universal`, VeriStrong's, where the value alone tells writes apart, and may repeat;
/// `timestamps`, where transactions carry wall-clock times. Empty: the content tells.
///
/// Reads name the transaction they read from. What one that no log has should have written, nobody
/// wrote, unless a .debug file tells of it; ReadOptions::salvage takes it for an indeterminate
/// transaction whose log was lost. Errors: kMalformed with file and byte for a log that breaks
/// the rules or contradicts another one, or that lacks what its .debug file says has committed.
Result<History> read_cobra(Sources& sources, const std::string& dialect,
                           const ReadOptions& options);

}  // namespace elapid

#endif  // ELAPID_PARSERS_COBRA_COBRA_READER_H_
