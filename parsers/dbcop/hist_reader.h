// dbcop's histories of today: text, one session of transactions after another.
//
//   // a comment
//   [x:=1 y:=1] [y==1 x:=2]
//   [x:=9]!
//   ---
//   [x==1 z==?]
#pragma once

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/options.h"

namespace elapid {

/// Reads file 0. `?` is the initial state, and so is 0 if no transaction writes 0 to the variable.
/// `!` follows a transaction that did not commit. Errors: kMalformed with line and column. Carriage
/// returns and a last line without newline, which dbcop refuses, are remarks.
Result<History> read_dbcop_hist(Sources& sources, const ReadOptions& options);

}  // namespace elapid
