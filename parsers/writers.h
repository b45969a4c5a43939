// The table of writers: which function writes which format.
#ifndef ELAPID_PARSERS_WRITERS_H_
#define ELAPID_PARSERS_WRITERS_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// How a format is written: one of both, as Target::is_directory says. Errors: kUsage where the
/// format cannot hold the history, kUnreadable where the output cannot be written.
struct Writer {
  Status (*file)(const Plan& plan, OutputFile& out) = nullptr;
  Status (*directory)(const Plan& plan, OutputDirectory& out) = nullptr;
};

/// The writer of a row of targets().
[[nodiscard]] Writer writer_of(const Target& target);

}  // namespace elapid

#endif  // ELAPID_PARSERS_WRITERS_H_
