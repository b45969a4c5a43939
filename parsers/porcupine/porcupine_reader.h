// Reading the histories that Porcupine's tests come with (formats/12-knossos-porcupine.md).
#ifndef ELAPID_PARSERS_PORCUPINE_PORCUPINE_READER_H_
#define ELAPID_PARSERS_PORCUPINE_PORCUPINE_READER_H_

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/options.h"

namespace elapid {

/// Dialect `etcd`: lines of Jepsen's log, operations on one register that begins as nil; other
/// lines are passed over. Dialect `kv`: EDN of :get, :put and :append on strings that begin as "";
/// reads, writes and appends of workload kOther, since an append here is one to a string. By
/// default what begins with a bracket is `kv`. Operations become transactions as in single_op.h.
/// Errors: those of read_etcd_line, KvStream and the builder.
Result<History> read_porcupine(Sources& sources, const std::string& dialect,
                               const ReadOptions& options);

}  // namespace elapid

#endif  // ELAPID_PARSERS_PORCUPINE_PORCUPINE_READER_H_
