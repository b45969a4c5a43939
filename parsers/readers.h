// The table of readers: which function reads which format.
#ifndef ELAPID_PARSERS_READERS_H_
#define ELAPID_PARSERS_READERS_H_

#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/options.h"

namespace elapid {

/// Reads a whole history: file 0 of the sources from its first byte on, or the files of a
/// directory, which the reader finds and adds. `dialect` is one of dialects(format), or empty where
/// the reader shall tell from the content. Errors name their file and have line and column or byte
/// offset; kUnreadable if the progress callback stopped the reading.
using Reader = Result<History> (*)(Sources& sources, const std::string& dialect,
                                   const ReadOptions& options);

/// The reader of a format.
[[nodiscard]] Reader reader_of(Format format);

/// The same for histories whose values are tuples `[key value]`, in the order in which the keys
/// come.
using IndependentReader = Result<std::vector<IndependentHistory>> (*)(Sources& sources,
                                                                      const std::string& dialect,
                                                                      const ReadOptions& options);

/// Null for formats that do not come from Jepsen.
[[nodiscard]] IndependentReader independent_reader_of(Format format);

}  // namespace elapid

#endif  // ELAPID_PARSERS_READERS_H_
