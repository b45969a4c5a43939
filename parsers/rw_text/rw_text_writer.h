// Writing `r(k,v,s,t)` text, and the restricted EDN of the same tools.
#ifndef ELAPID_PARSERS_RW_TEXT_RW_TEXT_WRITER_H_
#define ELAPID_PARSERS_RW_TEXT_RW_TEXT_WRITER_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// An operation a line, transactions numbered from 0; writes of aborted ones as transaction -1.
Status write_rw_text(const Plan& plan, OutputFile& out);

/// The EDN that PolySI, Plume and IsoVista read: a line a committed transaction, `:type` first, no
/// other keys than theirs, and blanks only where they bear them.
Status write_polysi_elle(const Plan& plan, OutputFile& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_RW_TEXT_RW_TEXT_WRITER_H_
