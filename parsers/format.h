// The row of a format in the table of formats.
//
// A format lives in a folder of its own, whose header `<folder>_format.h` offers the row; the table
// of rows is parsers/formats.cc. Detection, reading, conversion, the names on the command line and
// the tests use rows. Code outside a format's folder never asks which format it has.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/sources.h"
#include "parsers/convert/target.h"
#include "parsers/first_look.h"
#include "parsers/options.h"

namespace elapid {

struct Clues;  // engine/workloads/clues.h

/// How strong a sign for a format is.
enum class Strength : std::uint8_t {
  kPossible,  ///< a syntax that several formats share: some EDN, some JSON
  kLikely,    ///< a few names or bytes that files of this format have
  kStrong,    ///< the grammar of a whole line or header, or the name of a file
  kCertain,   ///< a mark that only this format has: other formats are not considered
};

/// A sign for a format, at an input's beginning or in its names.
struct Sign {
  Strength strength = Strength::kPossible;
  std::string reason = {};          ///< what was seen: `it begins with a map of keyword keys`
  std::string_view dialect = {};    ///< of the dialect that it means; empty: any
  std::string_view file_name = {};  ///< of a directory: the one file with the history, or empty
};

/// The strongest sign for each dialect of a format; empty if there is none. A sign may mislead: the
/// reader decides.
using LooksAtFile = std::vector<Sign> (*)(const FileLook& file);
using LooksAtDirectory = std::vector<Sign> (*)(const DirectoryLook& directory);

/// Reads a whole history: file 0 of the sources from its first byte on, or the files of a
/// directory, which the reader finds and adds. `dialect` is one of Format::dialects; if empty, the
/// content tells the dialect. Errors name their file, and have line and column or byte offset;
/// kUnreadable if the progress callback stopped the reading.
using Reader = Result<History> (*)(Sources& sources, const std::string& dialect,
                                   const ReadOptions& options);

/// Reads the histories of the keys if values are tuples `[key value]`, in the order of the keys'
/// first events.
using IndependentReader = Result<std::vector<IndependentHistory>> (*)(Sources& sources,
                                                                      const std::string& dialect,
                                                                      const ReadOptions& options);

/// A sign that values are tuples of jepsen.independent.
struct TupleSign {
  std::string because = {};  ///< `the first :read is invoked with [key nil]`; empty: no sign
  bool is_certain =
      false;  ///< if not, then only single operations count, and only if all are tuples
};

/// Looks for a sign of tuples in the first operations. Leaves the source at any byte. Only an
/// interruption is an error.
using TupleFinder = Result<TupleSign> (*)(Sources& sources, const std::string& dialect,
                                          const ReadOptions& options);

/// The workload that operations tell.
struct ToldWorkload {
  Workload workload = Workload::kOther;
  std::string sentence = {};  ///< `The workload is list-append: something is appended.`
  bool is_certain = false;    ///< no later operation can change it
};

/// Adds further operations to the clues, and tells the workload. Leaves the source at any byte.
/// Only an interruption is an error.
using WorkloadTeller = Result<ToldWorkload> (*)(Sources& sources, const std::string& dialect,
                                                const ReadOptions& options, Clues& clues);

/// Reads the event at a SourcePosition's offset once more. Error if the source has changed. May
/// keep what later events need: ascending offsets are cheapest.
using DetailsReader = std::function<Result<EventDetails>(std::uint64_t offset, bool with_value)>;

/// A reader of the events of a source, which it borrows.
using DetailsOpener = DetailsReader (*)(ByteSource& source);

/// One that keeps nothing between events.
template <Result<EventDetails> (*kRead)(ByteSource&, std::uint64_t, bool)>
DetailsReader open_details(ByteSource& source) {
  return [&source](std::uint64_t offset, bool with_value) {
    return kRead(source, offset, with_value);
  };
}

struct Format {
  std::string_view name = {};                       ///< as the command line knows it: `edn`
  std::string_view tools = {};                      ///< the writers of such files: `Jepsen, Elle`
  std::span<const std::string_view> dialects = {};  ///< that users may name; the default first
  std::span<const std::string_view> binary_dialects = {};  ///< those without lines
  LooksAtFile looks_at_file = nullptr;                     ///< null: users must name the format
  LooksAtDirectory looks_at_directory = nullptr;           ///< null: is never a directory
  std::string_view in_directory = {};            ///< the files of such a directory, for messages
  Reader read = nullptr;                         ///< never null
  IndependentReader read_independent = nullptr;  ///< null: has no tuples
  TupleFinder finds_tuples = nullptr;            ///< null: nothing tells
  WorkloadTeller tells_workload = nullptr;       ///< null: no events with tuples
  DetailsOpener opens_details = nullptr;         ///< null: no further facts about events
  bool is_directory = false;    ///< a history is all logs of a directory; other files are ignored
  bool grows_by_lines = false;  ///< a file is whole up to its last line while a test writes it
  bool is_stream = false;       ///< its lines can be watched as a stream of transactions
  bool has_header = false;      ///< tells also about the test: parameters, times
  std::span<const Target> targets = {};  ///< ways to write it, the default dialect first
};

}  // namespace elapid
