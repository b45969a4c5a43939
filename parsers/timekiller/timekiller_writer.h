// Writing TimeKiller's JSON.
#ifndef ELAPID_PARSERS_TIMEKILLER_TIMEKILLER_WRITER_H_
#define ELAPID_PARSERS_TIMEKILLER_TIMEKILLER_WRITER_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// One array, a transaction a line, with the timestamps of plan_timestamps().
Status write_timekiller(const Plan& plan, OutputFile& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_TIMEKILLER_TIMEKILLER_WRITER_H_
