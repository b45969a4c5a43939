// Writing a schedule as 3TS reads it.
#ifndef ELAPID_PARSERS_COO_COO_WRITER_H_
#define ELAPID_PARSERS_COO_COO_WRITER_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// One schedule, transactions one after the other as they were recorded; where they are too many
/// for that, a schedule, which is a line, for each group of them that share keys. A schedule has no
/// values: that order must say what each read saw, which is the latest write of a committed
/// transaction before it, or its own. Error kUsage otherwise, and beyond 10 transactions or 26 keys
/// that belong together.
Status write_coo(const Plan& plan, OutputFile& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_COO_COO_WRITER_H_
