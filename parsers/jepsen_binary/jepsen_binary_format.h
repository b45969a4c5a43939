// Jepsen's binary histories: test.jepsen (`binary`), and test.fressian of stores from before 2022
// (`fressian`).
//
// Operations become the text of EDN maps and are read like those of a history.edn, or by a short
// cut that gives the same. So both files of a run give the same history.
#pragma once

#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/sources.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kJepsenBinaryFormat;

/// `dialect` is `binary` or `fressian`; if empty, the first bytes tell. For a directory: the file
/// with the dialect's name. Each block is checked and decoded when it is reached; only one window
/// of the file is in memory. Errors have byte offsets.
Result<History> read_jepsen_binary(Sources& sources, const std::string& dialect,
                                   const ReadOptions& options);

/// Reads the histories of independent keys; errors as above.
Result<std::vector<IndependentHistory>> read_independent_jepsen_binary(Sources& sources,
                                                                       const std::string& dialect,
                                                                       const ReadOptions& options);

/// Whether the first value of a client is a map entry: only tuples are written as map entries by
/// Jepsen. See TupleFinder.
Result<TupleSign> finds_tuples_in_jepsen_binary(Sources& sources, const std::string& dialect,
                                                const ReadOptions& options);

/// Reads operations once more. Fressian's caches span a whole block: in test.jepsen usually a chunk
/// of 16,384 operations, in test.fressian the file. So a block is decoded from its beginning, but
/// only once for offsets that ascend.
DetailsReader open_jepsen_binary_details(ByteSource& source);

/// Writes a test with a name and a history, in chunks as long as Jepsen's. In version 1 of the
/// format operations are records that are numbered without gaps. If the history's indices have
/// gaps, version 0 is written, with maps. The output must be a file, not a pipe: the header is
/// written last.
Status write_jepsen_binary(const Plan& plan, OutputFile& out);

}  // namespace elapid
