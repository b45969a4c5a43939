// A stream on disk: a folder with everything that must outlive the server.
//
//   stream.json          its description, and its stage: StreamRecord
//   transactions.jsonl   the accepted lines, in order; `elapid watch` reads it while it grows
//   events.jsonl         the output of watch: EventLog
//   watch/               the state of `elapid watch --state`
//   errors               the standard error of the last watch
//
// A restarted watch rereads all lines and skips those in its state, so no kill loses anything.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/http/streams/event_log.h"
#include "adapter/http/streams/stream_lines.h"
#include "engine/ir/result.h"

namespace elapid::http {

/// The stage of a stream.
enum class StreamStage : std::uint8_t {
  kOpen,    ///< takes transactions
  kEnding,  ///< takes no more; earlier ones are still being judged
  kEnded,   ///< it has its verdict
  kFailed,  ///< watch fails at every attempt: `reason` says why
};

[[nodiscard]] std::string_view word_of(StreamStage stage);

/// The stream to watch, for the command.
struct WatchedStream {
  const std::vector<std::string>& options;  ///< of `elapid watch`
  std::string state = {};                   ///< a folder
  std::string lines = {};                   ///< a file that grows
  bool to_end = false;                      ///< it no longer grows
};

/// The words of the command, the program first.
using WatchCommand = std::function<std::vector<std::string>(const WatchedStream&)>;

struct StreamRecord {
  std::string name = {};                  ///< its maker's name for it, for people; may be empty
  std::string created = {};               ///< RFC 3339
  std::string level = {};                 ///< the demanded level, by its name
  std::vector<std::string> options = {};  ///< of `elapid watch`
  StreamStage stage = StreamStage::kOpen;
  std::string reason = {};  ///< of kFailed: one sentence
};

class StreamFolder {
 public:
  /// Makes the folder. Error kUnreadable.
  static Result<StreamFolder> create(const std::string& path, StreamRecord record);

  /// Opens the folder of a former server, and cuts off unfinished writes. Error kUnreadable, also
  /// for a damaged record.
  static Result<StreamFolder> open(const std::string& path);

  [[nodiscard]] const StreamRecord& record() const { return record_; }

  /// Saves a record, which outlives a power cut. Error kUnreadable; the old record then stays.
  Status save(StreamRecord record);

  /// Appends the lines: all, so that they outlive a power cut, or none. Error kUnreadable; readers
  /// of the file may then have seen lines that no longer exist, and must begin anew.
  Status append(const StreamLines& lines);

  /// Bytes of the accepted lines.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  [[nodiscard]] std::string lines_path() const { return path_ + "/transactions.jsonl"; }

  [[nodiscard]] std::string events_path() const { return path_ + "/events.jsonl"; }

  [[nodiscard]] std::string errors_path() const { return path_ + "/errors"; }

  [[nodiscard]] EventLog events() const { return EventLog(events_path()); }

  /// The command that watches this stream; `to_end`: no more lines will come.
  [[nodiscard]] std::vector<std::string> watch_command(const WatchCommand& watch,
                                                       bool to_end) const {
    return watch({.options = record_.options,
                  .state = path_ + "/watch",
                  .lines = lines_path(),
                  .to_end = to_end});
  }

  /// The last line on the standard error of watch, without the part before the sentence.
  [[nodiscard]] std::string last_error() const;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  StreamFolder(std::string path, StreamRecord record, std::uint64_t size)
      : path_(std::move(path)), record_(std::move(record)), size_(size) {}

  std::string path_;
  StreamRecord record_;
  std::uint64_t size_;  // of the lines
};

}  // namespace elapid::http
