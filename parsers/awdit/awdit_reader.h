// AWDIT's test files.
//
//   w 1 1      one operation a line: function, key, value, and words that mean nothing
//   r 2 0
//   ---        `-` ends a transaction, `=` a session as well, wherever they stand and however many
//   r 1 1
//   =
//   w 2 2
#ifndef ELAPID_PARSERS_AWDIT_AWDIT_READER_H_
#define ELAPID_PARSERS_AWDIT_AWDIT_READER_H_

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/options.h"

namespace elapid {

/// Reads such a file. Sessions and transactions without operations do not count; sessions are
/// numbered from 0 on. No value is initial but what a first transaction that writes every key
/// wrote. Errors: kMalformed for a line that is no operation.
Result<History> read_awdit(Sources& sources, const std::string& dialect,
                           const ReadOptions& options);

}  // namespace elapid

#endif  // ELAPID_PARSERS_AWDIT_AWDIT_READER_H_
