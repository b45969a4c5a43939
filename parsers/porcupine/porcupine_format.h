// The histories in Porcupine's tests: lines of Jepsen's log (`etcd`), and EDN operations with a key
// beside the value (`kv`).
//
//   INFO  jepsen.util - 0 :invoke :write 4
//   {:process 0, :type :invoke, :f :put, :key "3", :value "x"}
#pragma once

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kPorcupineFormat;

/// Dialect `etcd`: operations on one register that begins as nil; other lines are skipped. Dialect
/// `kv`: :get, :put and :append on strings that begin as ""; reads, writes and appends of workload
/// kv, because an append here is one to a string. By default an input that begins with a bracket is
/// `kv`. Operations become transactions as in single_op.h. Errors: those of read_etcd_line,
/// KvStream and the builder.
Result<History> read_porcupine(Sources& sources, const std::string& dialect,
                               const ReadOptions& options);

/// Writes a line `INFO  jepsen.util - PROCESS :TYPE :F VALUE` an event. Error kUsage: the history
/// has transactions of several operations, several keys, or a compare-and-set of the initial state,
/// which Porcupine cannot read.
Status write_etcd_log(const Plan& plan, OutputFile& out);

}  // namespace elapid
