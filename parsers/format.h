// The row of a format in the table of formats.
//
// A format lives in a folder of its own, whose header `<folder>_format.h` offers the row; the table
// of rows is parsers/formats.cc. Detection, reading, conversion, the names on the command line and
// the tests use rows. Code outside a format's folder never asks which format it has.
#pragma once

#include <cstdint>
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
  kCertain,   ///< a mark that only this format begins with: others are not considered
};

/// A sign for a format, found at an input's beginning or in its names.
struct Sign {
  Strength strength = Strength::kPossible;
  std::string reason = {};          ///< what was seen: `it begins with a map of keyword keys`
  std::string_view dialect = {};    ///< the one it speaks for; empty: any
  std::string_view file_name = {};  ///< of a directory: the one file with the history, or empty
};

/// The strongest sign for each dialect of a format; empty if there is none. A sign may mislead: the
/// reader has the last word.
using LooksAtFile = std::vector<Sign> (*)(const FileLook& file);
using LooksAtDirectory = std::vector<Sign> (*)(const DirectoryLook& directory);

/// Reads a whole history: file 0 of the sources from its first byte on, or the files of a
/// directory, which the reader finds and adds. `dialect` is one of Format::dialects, or empty: then
/// the content tells. Errors name their file and have line and column or byte
/// offset; kUnreadable if the progress callback stopped the reading.
using Reader = Result<History> (*)(Sources& sources, const std::string& dialect,
                                   const ReadOptions& options);

/// The same for histories whose values are tuples `[key value]`, in the order in which the keys
/// come.
using IndependentReader = Result<std::vector<IndependentHistory>> (*)(Sources& sources,
                                                                      const std::string& dialect,
                                                                      const ReadOptions& options);

/// A sign that values are tuples of jepsen.independent.
struct TupleSign {
  std::string because = {};  ///< `the first :read is invoked with [key nil]`; empty: no sign
  bool is_certain =
      false;  ///< else only single operations are believed, and only if all are tuples
};

/// Looks for that sign in the first operations.
/// Leaves the source at any byte. Only an interruption is an error.
using TupleFinder = Result<TupleSign> (*)(Sources& sources, const std::string& dialect,
                                          const ReadOptions& options);

/// What operations say about the workload.
struct ToldWorkload {
  Workload workload = Workload::kOther;
  std::string sentence = {};  ///< `The workload is list-append: something is appended.`
  bool is_certain = false;    ///< whatever comes after them
};

/// What further operations say about the workload. Adds them to the clues.
/// Leaves the source at any byte. Only an interruption is an error.
using WorkloadTeller = Result<ToldWorkload> (*)(Sources& sources, const std::string& dialect,
                                                const ReadOptions& options, Clues& clues);

/// Reads the event at a SourcePosition's offset once more. Error if the source has changed.
using DetailsReader = Result<EventDetails> (*)(ByteSource& source, std::uint64_t offset,
                                               bool with_value);

struct Format {
  std::string_view name = {};                       ///< as the command line knows it: `edn`
  std::string_view tools = {};                      ///< that write such files: `Jepsen, Elle`
  std::span<const std::string_view> dialects = {};  ///< to be asked for; the default first
  std::span<const std::string_view> binary_dialects = {};  ///< those without lines
  LooksAtFile looks_at_file = nullptr;                     ///< null: has to be asked for
  LooksAtDirectory looks_at_directory = nullptr;           ///< null: is never a directory
  std::string_view in_directory = {};            ///< the files of such a directory, for messages
  Reader read = nullptr;                         ///< never null
  IndependentReader read_independent = nullptr;  ///< null: has no tuples
  TupleFinder finds_tuples = nullptr;            ///< null: nothing tells
  WorkloadTeller tells_workload = nullptr;       ///< null: tuples do not come in lines
  DetailsReader read_details = nullptr;          ///< null: has no events, or says no more of them
  bool is_directory = false;    ///< a history is all logs of a directory; other files are ignored
  bool grows_by_lines = false;  ///< a file is whole up to its last line while a test writes it
  bool is_stream = false;       ///< its lines can be watched as transactions that arrive
  bool has_header = false;      ///< tells of the test beside its transactions: parameters, times
  std::span<const Target> targets = {};  ///< how it is written, the default dialect first
};

}  // namespace elapid
