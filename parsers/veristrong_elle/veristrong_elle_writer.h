// Writing VeriStrong's list-append text.
#ifndef ELAPID_PARSERS_VERISTRONG_ELLE_VERISTRONG_ELLE_WRITER_H_
#define ELAPID_PARSERS_VERISTRONG_ELLE_VERISTRONG_ELLE_WRITER_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// The number of operations, then one a line; transactions are numbered from 1.
Status write_veristrong_elle(const Plan& plan, OutputFile& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_VERISTRONG_ELLE_VERISTRONG_ELLE_WRITER_H_
