// Writing MonkeyDB's traces, as IsoPredict reads them.
#ifndef ELAPID_PARSERS_ISOPREDICT_ISOPREDICT_WRITER_H_
#define ELAPID_PARSERS_ISOPREDICT_ISOPREDICT_WRITER_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// An operation a line; reads name the transaction whose write they saw. Reads of what the
/// transaction itself wrote are left out, as its readers do. Error kUsage for what has no such
/// name: a read of an intermediate write, of a value whose writer is not written, or of something
/// else than the transaction's own write; and for keys with `]` in them.
Status write_isopredict(const Plan& plan, OutputFile& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_ISOPREDICT_ISOPREDICT_WRITER_H_
