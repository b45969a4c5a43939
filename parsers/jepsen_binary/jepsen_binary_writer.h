// Writing Jepsen's test.jepsen.
#ifndef ELAPID_PARSERS_JEPSEN_BINARY_JEPSEN_BINARY_WRITER_H_
#define ELAPID_PARSERS_JEPSEN_BINARY_JEPSEN_BINARY_WRITER_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// A test with a name and a history, in chunks of as many operations as Jepsen's. In version 1 of
/// the format operations are records that are numbered without gaps; where the history's indices
/// have gaps it is written in version 0, as maps. The output must be a file, not a pipe: the header
/// is written last.
Status write_jepsen_binary(const Plan& plan, OutputFile& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_JEPSEN_BINARY_JEPSEN_BINARY_WRITER_H_
