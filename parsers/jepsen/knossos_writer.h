// Writing the EDN of Knossos: single operations on a register.
#ifndef ELAPID_PARSERS_JEPSEN_KNOSSOS_WRITER_H_
#define ELAPID_PARSERS_JEPSEN_KNOSSOS_WRITER_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// A line an event, each with :read, :write or :cas as :f. Error kUsage: the history has
/// transactions of several operations, or several keys.
Status write_knossos(const Plan& plan, OutputFile& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_JEPSEN_KNOSSOS_WRITER_H_
