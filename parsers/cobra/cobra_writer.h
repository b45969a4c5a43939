// Writing Cobra's log directories.
#ifndef ELAPID_PARSERS_COBRA_COBRA_WRITER_H_
#define ELAPID_PARSERS_COBRA_COBRA_WRITER_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// A file T<session>.log a session. Transactions are numbered from 1; a write's id is its value's
/// number, and so is its hash. A read of a value that nobody wrote names a writer without a log. In
/// the dialect `universal` all ids are the one constant, and the hash alone tells; in `timestamps`
/// transactions carry the times of plan_times_ms(). A session with aborted transactions has a file
/// T<session>.debug as well, which tells their ids and their places among the others; in the other
/// dialects than `universal` reads of what they wrote name them.
Status write_cobra(const Plan& plan, OutputDirectory& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_COBRA_COBRA_WRITER_H_
