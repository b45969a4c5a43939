// Writing Viper's log directories.
#ifndef ELAPID_PARSERS_VIPER_VIPER_WRITER_H_
#define ELAPID_PARSERS_VIPER_VIPER_WRITER_H_

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// A file J<session>.log a session, a line of JSON a transaction. Reads of the initial state read
/// 0, which nobody writes.
Status write_viper_json(const Plan& plan, OutputDirectory& out);

/// A file Jep<session>.log a session, a map of EDN a transaction. Reads of the initial state read
/// nil, or the empty list.
Status write_viper_edn(const Plan& plan, OutputDirectory& out);

}  // namespace elapid

#endif  // ELAPID_PARSERS_VIPER_VIPER_WRITER_H_
