// dbcop's histories of today: JSON.
//
//   {"params": {...}, "info": "", "start": "", "end": "", "data": [session...]}, or [session...]
//   session      [transaction...]
//   transaction  {"events": [event...], "committed": true}
//   event        {"Read": {"variable": 1, "version": null}}, {"Write": ...}, or ["r", 1, null]
#pragma once

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/options.h"

namespace elapid {

/// Reads file 0, a transaction at a time. Version null is the initial state, and so is 0 if no
/// transaction writes 0 to the variable. Errors: kMalformed with line and column.
Result<History> read_dbcop_json(Sources& sources, const ReadOptions& options);

}  // namespace elapid
