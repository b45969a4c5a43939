// A stream on disk: a folder with all that must outlive the server.
//
//   stream.json          what it is, and how far it has come: StreamRecord
//   transactions.jsonl   the lines that were accepted, in order; `elapid watch` reads it as it
//   grows events.jsonl         what watch has told: EventLog watch/               the state of
//   `elapid watch --state` errors               what the last watch said on standard error
//
// Since watch reads the lines again from the first one when it is started again, and passes over
// those that its state knows, nothing is lost whatever is killed, and whenever.
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

/// How far a stream has come.
enum class StreamStage : std::uint8_t {
  kOpen,    ///< takes transactions
  kEnding,  ///< takes no more; those that came are still being judged
  kEnded,   ///< its verdict is there
  kFailed,  ///< watch cannot go on, whenever it is tried: `reason` says why
};

[[nodiscard]] std::string_view word_of(StreamStage stage);

/// What is to be watched, and how.
struct WatchedStream {
  const std::vector<std::string>& options;  ///< of `elapid watch`
  std::string state = {};                   ///< a folder
  std::string lines = {};                   ///< a file that grows
  bool to_end = false;                      ///< it does not grow any more
};

/// The words of the command that does it, the program first.
using WatchCommand = std::function<std::vector<std::string>(const WatchedStream&)>;

struct StreamRecord {
  std::string name = {};                  ///< chosen by who made it, for people; may be empty
  std::string created = {};               ///< RFC 3339
  std::string level = {};                 ///< that is demanded, by its name
  std::vector<std::string> options = {};  ///< of `elapid watch`
  StreamStage stage = StreamStage::kOpen;
  std::string reason = {};  ///< of kFailed: one sentence
};

class StreamFolder {
 public:
  /// Makes the folder. Error kUnreadable.
  static Result<StreamFolder> create(const std::string& path, StreamRecord record);

  /// Opens what a former server has left, and cuts off what it has not finished writing. Error
  /// kUnreadable, also for a record that is damaged.
  static Result<StreamFolder> open(const std::string& path);

  [[nodiscard]] const StreamRecord& record() const { return record_; }

  /// Outlives a power cut. Error kUnreadable; the record stays what it was.
  Status save(StreamRecord record);

  /// Appends the lines: all, and they outlive a power cut, or none. Error kUnreadable; what reads
  /// the file may then have seen lines that are not there any more, and must begin anew.
  Status append(const StreamLines& lines);

  /// Bytes of the lines that were accepted.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  [[nodiscard]] std::string lines_path() const { return path_ + "/transactions.jsonl"; }

  [[nodiscard]] std::string events_path() const { return path_ + "/events.jsonl"; }

  [[nodiscard]] std::string errors_path() const { return path_ + "/errors"; }

  [[nodiscard]] EventLog events() const { return EventLog(events_path()); }

  /// The command that watches this stream; `to_end`: what came is all.
  [[nodiscard]] std::vector<std::string> watch_command(const WatchCommand& watch,
                                                       bool to_end) const {
    return watch({.options = record_.options,
                  .state = path_ + "/watch",
                  .lines = lines_path(),
                  .to_end = to_end});
  }

  /// The last line that watch said on standard error, without what precedes the sentence.
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
