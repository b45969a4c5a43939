// Writing dbcop's three forms.
#ifndef ELAPID_PARSERS_DBCOP_DBCOP_WRITER_H_
#define ELAPID_PARSERS_DBCOP_DBCOP_WRITER_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// The bincode of 2019. The parameters hold totals, as PolySI writes them.
Status write_dbcop_bincode(const Plan& plan, OutputFile& out);

/// The wrapped form with compact events, which is what dbcop's program reads.
Status write_dbcop_json(const Plan& plan, OutputFile& out);

/// The `.hist` text: a transaction a line, `---` between sessions.
Status write_dbcop_hist(const Plan& plan, OutputFile& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_DBCOP_DBCOP_WRITER_H_
