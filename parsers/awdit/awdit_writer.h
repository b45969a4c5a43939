// Writing AWDIT's test files.
#ifndef ELAPID_PARSERS_AWDIT_AWDIT_WRITER_H_
#define ELAPID_PARSERS_AWDIT_AWDIT_WRITER_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// An operation a line, `-` between transactions and `=` between sessions.
Status write_awdit(const Plan& plan, OutputFile& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_AWDIT_AWDIT_WRITER_H_
