// The streams of the service: transactions arrive in parts, and `elapid watch` judges each stream
// meanwhile, in a process of its own.
//
//   auto streams = Streams::open({.watch = watch_command, .folder = state + "/streams"});
//   auto made = streams.value()->create("tpcc", {"-c", "si"});
//   const auto stream = std::get<std::shared_ptr<Stream>>(made);
//   stream->add(lines);
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "adapter/http/problem.h"
#include "adapter/http/retention.h"
#include "adapter/http/streams/stream.h"
#include "engine/ir/result.h"
#include "engine/ir/thread.h"

namespace elapid::http {

class Streams {
 public:
  using Made = std::variant<std::shared_ptr<Stream>, Problem>;

  /// Opens and resumes the streams of a former server. Error kUnreadable: the folder cannot be made
  /// or listed. A stream with a damaged record is left out.
  static Result<std::unique_ptr<Streams>> open(StreamSettings settings);

  /// Lets each process save its state, for 10 s at most.
  ~Streams();

  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  /// Makes a stream. `options` are those of `elapid watch`, which checks them before this returns:
  /// Problem 400 in its words; 503 if there are as many streams as allowed.
  [[nodiscard]] Made create(std::string name, std::vector<std::string> options);

  /// The newest open stream of this name, or a new one.
  [[nodiscard]] Made open_one_called(const std::string& name);

  /// Null if there is no such stream.
  [[nodiscard]] std::shared_ptr<Stream> find(const std::string& id) const;

  /// Newest first: `most` streams after the one with the id `after` (empty: from the first).
  [[nodiscard]] std::vector<std::shared_ptr<Stream>> list(const std::string& after,
                                                          std::size_t most) const;

  /// Removes a stream with its files. False if there is no such stream.
  bool remove(const std::string& id);

  /// Removes streams that ended or failed and need not be kept.
  void remove_ended(const Retention& retention);

  /// Makes the next step happen now, because of a change.
  void wake();

  [[nodiscard]] const StreamSettings& settings() const { return settings_; }

 private:
  explicit Streams(StreamSettings settings) : settings_(std::move(settings)) {}

  Status load();
  [[nodiscard]] std::optional<Problem> try_options(StreamFolder& folder) const;
  [[nodiscard]] std::vector<std::shared_ptr<Stream>> all() const;
  [[nodiscard]] std::size_t count_unended() const;
  void run(const std::stop_token& stop);
  void shut_down();

  const StreamSettings settings_;
  mutable std::mutex mutex_;
  std::mutex naming_;  // of open_one_called(): two calls at once make one stream
  std::condition_variable_any news_;
  bool has_news_ = false;
  std::map<std::string, std::shared_ptr<Stream>, std::greater<>> streams_ = {};  // newest first
  std::size_t being_made_ = 0;
  Thread thread_ = {};  // the last member: it ends before the others
};

}  // namespace elapid::http
