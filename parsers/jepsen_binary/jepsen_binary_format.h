// Jepsen's binary histories: test.jepsen (`binary`), and test.fressian of stores from before 2022
// (`fressian`).
//
// Operations become the text of EDN maps and are read as those of a history.edn, so that both files
// of a run give the same history.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/sources.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kJepsenBinaryFormat;

/// `dialect` is `binary` or `fressian`; empty: by the first bytes. Of a directory, the file with
/// the dialect's name. A block is checked and decoded when its turn comes; nothing of the file is
/// held but one window. Errors have byte offsets.
Result<History> read_jepsen_binary(Sources& sources, const std::string& dialect,
                                   const ReadOptions& options);

/// Reads the histories of independent keys; errors alike.
Result<std::vector<IndependentHistory>> read_independent_jepsen_binary(Sources& sources,
                                                                       const std::string& dialect,
                                                                       const ReadOptions& options);

/// Whether the first value of a client is a map entry, as which Jepsen writes its tuples and
/// nothing else. See TupleFinder.
Result<TupleSign> finds_tuples_in_jepsen_binary(Sources& sources, const std::string& dialect,
                                                const ReadOptions& options);

/// Reads the operation at `offset`, as SourcePosition gives it, once more. Fressian's caches go
/// through a whole block, so the block is decoded from its beginning: in test.jepsen a chunk of
/// 16,384 operations as a rule, in test.fressian the file.
Result<EventDetails> read_jepsen_binary_event_details(ByteSource& source, std::uint64_t offset,
                                                      bool with_value = false);

/// A test with a name and a history, in chunks of as many operations as Jepsen's. In version 1 of
/// the format operations are records that are numbered without gaps; where the history's indices
/// have gaps it is written in version 0, as maps. The output must be a file, not a pipe: the header
/// is written last.
Status write_jepsen_binary(const Plan& plan, OutputFile& out);

}  // namespace elapid
