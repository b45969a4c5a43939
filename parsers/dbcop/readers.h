// The readers of dbcop's three forms. Each reads file 0. Errors: kMalformed with the place.
#pragma once

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/options.h"

namespace elapid {

/// The histories of 2019: Rust's bincode, that is, little-endian 64-bit numbers, counts before what
/// they count, and bools of one byte.
///
///   id nodes variables transactions events     hints of the generator, which may be wrong
///   info start end                             texts
///   sessions of transactions of events (is_write variable value success), each with success
///
/// Reads of 0 saw the initial state; if the first session is one transaction that writes 0 to every
/// key, it is the initial transaction. Failed operations are left out.
Result<History> read_dbcop_bincode(Sources& sources, const ReadOptions& options);

/// The histories of today as text, one session of transactions after another.
///
///   // a comment
///   [x:=1 y:=1] [y==1 x:=2]
///   [x:=9]!
///   ---
///   [x==1 z==?]
///
/// `?` is the initial state, and so is 0 if no transaction writes 0 to the variable. `!` follows a
/// transaction that did not commit. Carriage returns and a last line without newline, which dbcop
/// refuses, are remarks.
Result<History> read_dbcop_hist(Sources& sources, const ReadOptions& options);

/// The histories of today as JSON, read a transaction at a time.
///
///   {"params": {...}, "info": "", "start": "", "end": "", "data": [session...]}, or [session...]
///   session      [transaction...]
///   transaction  {"events": [event...], "committed": true}
///   event        {"Read": {"variable": 1, "version": null}}, {"Write": ...}, or ["r", 1, null]
///
/// Version null is the initial state, and so is 0 if no transaction writes 0 to the variable.
Result<History> read_dbcop_json(Sources& sources, const ReadOptions& options);

}  // namespace elapid
