// AWDIT's test files: a history of registers as text, one operation a line.
//
//   w 1 1      function, key, value, and words without a meaning
//   r 2 0
//   ---        any number of `-` ends a transaction, of `=` also a session, in any place
//   r 1 1
//   =
//   w 2 2
#pragma once

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kAwditFormat;

/// Sessions and transactions without operations do not count; sessions are numbered from 0 on.
/// Values are initial only if a first transaction that writes every key wrote them. Errors:
/// kMalformed for a line that is no operation.
Result<History> read_awdit(Sources& sources, const std::string& dialect,
                           const ReadOptions& options);

/// An operation a line, `-` between transactions and `=` between sessions.
Status write_awdit(const Plan& plan, OutputFile& out);

}  // namespace elapid
