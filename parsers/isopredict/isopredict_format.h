// Traces of MonkeyDB, as IsoPredict reads them: lines such as
//
//   WRITE KEY[k] Txn(1, 0)                      transaction 0 of session 1 writes key k
//   READ KEY[k] Txn(2, 0) From(1, 0)            and transaction 0 of session 2 reads what it wrote
//
// See parsers/isopredict/isopredict_line.h for the others.
#pragma once

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kIsopredictFormat;

/// Reads name the transaction they read from, so values are made up: the n-th write to a key
/// writes n, and a read sees the last one of that transaction. Transaction (0, 0) is the initial
/// state: it writes 0 to every key if the trace has it, and 0 is the initial value if not. A read
/// of a key that its own transaction has written before is left out, as IsoPredict does. A
/// session's transactions come by index.
///
/// Errors: kMalformed for a broken event, and for a dangling read: from a transaction that does not
/// write the key. Under ReadOptions::salvage that is a remark, and an indeterminate transaction in
/// a session of its own writes what it saw.
Result<History> read_isopredict(Sources& sources, const std::string& dialect,
                                const ReadOptions& options);

/// An operation a line; reads name the transaction whose write they saw. Reads of what the
/// transaction itself wrote are left out, as its readers do. Error kUsage for what has no such
/// name: a read of an intermediate write, of a value whose writer is not written, or of something
/// else than the transaction's own write; and for keys with `]` in them.
Status write_isopredict(const Plan& plan, OutputFile& out);

}  // namespace elapid
