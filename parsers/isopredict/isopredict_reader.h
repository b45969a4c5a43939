// Traces of MonkeyDB, as IsoPredict reads them.
#ifndef ELAPID_PARSERS_ISOPREDICT_ISOPREDICT_READER_H_
#define ELAPID_PARSERS_ISOPREDICT_ISOPREDICT_READER_H_

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/options.h"

namespace elapid {

/// Reads such a trace, see parsers/isopredict/isopredict_line.h. Reads name the transaction they
/// read from, so values are made up: the n-th write to a key writes n, and a read sees the last one
/// of that transaction. Transaction (0, 0) is the initial state: it writes 0 to every key if the
/// trace has it, and 0 is the initial value if not. A read of a key that its own transaction has
/// written before is left out, as IsoPredict does. A session's transactions come by index.
///
/// Errors: kMalformed for a broken event, and for a dangling read: from a transaction that does not
/// write the key. Under ReadOptions::salvage that is a remark, and an indeterminate transaction in
/// a session of its own writes what it saw.
Result<History> read_isopredict(Sources& sources, const std::string& dialect,
                                const ReadOptions& options);

}  // namespace elapid

#endif  // ELAPID_PARSERS_ISOPREDICT_ISOPREDICT_READER_H_
