// VeriStrong's text of list appends (its history type `elle-list-append`).
//
//   4              the number of operations that follow, one a line
//   0 1 A 5 1      session, transaction, append, key, element
//   0 1 R 6 0      read of the empty list
//   1 2 R 5 1 1    read: key, number of elements, the elements
//   1 2 A 6 2
#pragma once

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kVeristrongElleFormat;

/// Transactions are named globally and belong to the session of their first line; their lines need
/// not be contiguous. Errors: kMalformed for a line that is no operation, and for more or fewer
/// operations than the first line says.
Result<History> read_veristrong_elle(Sources& sources, const std::string& dialect,
                                     const ReadOptions& options);

/// Writes the number of operations, then one a line; transactions are numbered from 1.
Status write_veristrong_elle(const Plan& plan, OutputFile& out);

}  // namespace elapid
