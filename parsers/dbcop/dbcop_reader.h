// Histories of dbcop, Biswas and Enea's checker, and of its successors.
#ifndef ELAPID_PARSERS_DBCOP_DBCOP_READER_H_
#define ELAPID_PARSERS_DBCOP_DBCOP_READER_H_

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/options.h"

namespace elapid {

/// Reads one file, or the history.bincode of a directory. Dialects: `bincode`, `json`, `hist`; for
/// an empty one the content tells. Errors: kMalformed with line and column, in bincode with a byte.
Result<History> read_dbcop(Sources& sources, const std::string& dialect,
                           const ReadOptions& options);

}  // namespace elapid

#endif  // ELAPID_PARSERS_DBCOP_DBCOP_READER_H_
