// Reads a History from an input (file, directory, standard input): detection, the reader, and
// quotes of the source for evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/sources.h"
#include "parsers/detect.h"
#include "parsers/format.h"
#include "parsers/options.h"
#include "parsers/test_map.h"

namespace elapid {

/// The part that all histories of an input share.
struct LoadedInput {
  LoadedInput(Sources from, Detection found)
      : sources(std::move(from)),
        detection(std::move(found)),
        test(read_test_map(sources.name(0))) {}

  Sources sources;
  Detection detection;
  TestMap test;  ///< of the test in whose store the input lies

  /// The latest reader of details, of a file and its source.
  struct {
    std::uint16_t file = 0;
    const ByteSource* source = nullptr;
    DetailsReader read = {};
  } details = {};
};

/// A history with its open source.
class LoadedHistory {
 public:
  LoadedHistory(History history, std::shared_ptr<LoadedInput> input)
      : history_(std::move(history)), input_(std::move(input)) {}

  /// The history of an independent key.
  LoadedHistory(IndependentHistory part, std::shared_ptr<LoadedInput> input)
      : LoadedHistory(std::move(part.history), std::move(input)) {
    key_ = std::move(part.key);
  }

  [[nodiscard]] const History& history() const { return history_; }

  [[nodiscard]] History& history() { return history_; }

  [[nodiscard]] const FormatName& format() const { return input_->detection.format; }

  /// The reason for this format: one sentence.
  [[nodiscard]] const std::string& format_reason() const { return input_->detection.reason; }

  /// The map of the history's test; empty if it has no test.
  [[nodiscard]] const TestMap& test() const { return input_->test; }

  /// The history's independent key, as printed EDN; empty if it is the whole input's history.
  [[nodiscard]] const std::string& key() const { return key_; }

  /// Whether the source is text, with lines. Otherwise places are bytes.
  [[nodiscard]] bool has_lines() const;
  /// File and line of a position. Line 1 if the file no longer exists.
  [[nodiscard]] LineColumn line_column(SourcePosition position);
  /// The whole line of a position, as in the source, without its end. Nothing if the source has no
  /// lines or no longer exists, or if the line's start or end is more than `most` bytes from the
  /// position.
  [[nodiscard]] std::optional<std::string> line_at(SourcePosition position, std::size_t most);
  /// Reads the event at this position again. Error if the source has changed meanwhile. A format
  /// without events gives the fields that every transaction has: `:txn` and nothing else.
  Result<EventDetails> details(SourcePosition position);

 private:
  History history_;
  std::shared_ptr<LoadedInput> input_;
  std::string key_;
};

/// Reads a history. `path` is a file, `-`, or a directory that is one history. Errors: kUnreadable
/// (cannot be opened, directory without a history, stopped); kMalformed with file and line:column
/// (unknown format, or a breach of the format's rules).
Result<LoadedHistory> read_history(const std::string& path, const ReadOptions& options);

/// The histories in an input: one, or with ReadOptions::independent one for each key of its tuples,
/// in the order of the keys' first events. Errors as of read_history(), and kUsage if the format
/// has no tuples. The histories share their source: use them from one thread.
Result<std::vector<LoadedHistory>> read_histories(const std::string& path,
                                                  const ReadOptions& options);

/// As above, from an open source, for tests.
Result<LoadedHistory> read_history(std::unique_ptr<ByteSource> source, const ReadOptions& options);
Result<std::vector<LoadedHistory>> read_histories(std::unique_ptr<ByteSource> source,
                                                  const ReadOptions& options);

}  // namespace elapid
