// Traces of MonkeyDB, as IsoPredict reads them: lines such as
//
//   WRITE KEY[k] Txn(1, 0)                      transaction 0 of session 1 writes key k
//   READ KEY[k] Txn(2, 0) From(1, 0)            transaction 0 of session 2 reads that write
//
// For the other lines see parsers/isopredict/isopredict_line.h.
#pragma once

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kIsopredictFormat;

/// Reads name the transaction that they read from, so the reader makes up values: the n-th write to
/// a key writes n, and a read sees the last one of that transaction. Transaction (0, 0) is the
/// initial state: it writes 0 to every key if the trace has it; if not, 0 is the initial value. A
/// read of a key that its own transaction has written before is left out, as in IsoPredict. A
/// session's transactions are ordered by index.
///
/// Errors: kMalformed for a broken event, and for a dangling read: from a transaction that does not
/// write the key. Under ReadOptions::salvage that is a remark, and an indeterminate transaction in
/// a session of its own writes the value.
Result<History> read_isopredict(Sources& sources, const std::string& dialect,
                                const ReadOptions& options);

/// Writes an operation a line. Reads name the transaction whose write they saw. Reads of a
/// transaction's own writes are left out, as readers of the format do. Error kUsage for reads
/// without such a name: of an intermediate write, of a value without a written writer, or of
/// another value than the transaction's own write. Also for keys that contain `]`.
Status write_isopredict(const Plan& plan, OutputFile& out);

}  // namespace elapid
