// Writing Jepsen's log of a register, as the histories of Porcupine's etcd tests are.
#ifndef ELAPID_PARSERS_PORCUPINE_ETCD_WRITER_H_
#define ELAPID_PARSERS_PORCUPINE_ETCD_WRITER_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// A line `INFO  jepsen.util - PROCESS :TYPE :F VALUE` an event. Error kUsage: the history has
/// transactions of several operations, several keys, or a compare-and-set of the initial state,
/// which Porcupine cannot read.
Status write_etcd_log(const Plan& plan, OutputFile& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_PORCUPINE_ETCD_WRITER_H_
