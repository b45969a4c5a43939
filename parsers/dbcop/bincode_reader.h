// dbcop's histories of 2019: Rust's bincode, that is, little-endian 64-bit numbers, counts before
// what they count, and bools of one byte.
//
//   id nodes variables transactions events     hints of the generator, which may be wrong
//   info start end                             texts
//   sessions of transactions of events (is_write variable value success), each with success
#pragma once

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/options.h"

namespace elapid {

/// Reads file 0. Reads of 0 saw the initial state; if the first session is one transaction that
/// writes 0 to every key, it is the initial transaction. Failed operations are left out. Errors:
/// kMalformed with a byte offset.
Result<History> read_dbcop_bincode(Sources& sources, const ReadOptions& options);

}  // namespace elapid
