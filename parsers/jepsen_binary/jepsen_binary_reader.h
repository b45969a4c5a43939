// Jepsen's binary histories: test.jepsen, and test.fressian of stores from before 2022.
//
// Operations become the text of EDN maps and are read as those of a history.edn, so that both files
// of a run give the same history.
#ifndef ELAPID_PARSERS_JEPSEN_BINARY_JEPSEN_BINARY_READER_H_
#define ELAPID_PARSERS_JEPSEN_BINARY_JEPSEN_BINARY_READER_H_

#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/options.h"

namespace elapid {

/// `dialect` is `binary` (test.jepsen) or `fressian`; empty: by the first bytes. Of a directory,
/// the file with the dialect's name. A block is checked and decoded when its turn comes; nothing of
/// the file is held but one window. See parsers/readers.h for the errors; they have byte offsets.
Result<History> read_jepsen_binary(Sources& sources, const std::string& dialect,
                                   const ReadOptions& options);

/// Reads the histories of independent keys; errors alike.
Result<std::vector<IndependentHistory>> read_independent_jepsen_binary(Sources& sources,
                                                                       const std::string& dialect,
                                                                       const ReadOptions& options);

}  // namespace elapid

#endif  // ELAPID_PARSERS_JEPSEN_BINARY_JEPSEN_BINARY_READER_H_
