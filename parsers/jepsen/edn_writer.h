// Writing Jepsen's history.edn.
#ifndef ELAPID_PARSERS_JEPSEN_EDN_WRITER_H_
#define ELAPID_PARSERS_JEPSEN_EDN_WRITER_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// One operation map a line, keys in Jepsen's order.
Status write_edn(const Plan& plan, OutputFile& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_JEPSEN_EDN_WRITER_H_
