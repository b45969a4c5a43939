// The streams of the service: transactions come in parts, and `elapid watch` judges each stream
// while it comes, in a process of its own.
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

  /// Opens those that a former server has left, which go on. Error kUnreadable: the folder cannot
  /// be made or listed. A stream whose record is damaged is not among them.
  static Result<std::unique_ptr<Streams>> open(StreamSettings settings);

  /// Lets each process write down what it knows, for 10 s at most.
  ~Streams();

  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  /// Makes one. `options` are those of `elapid watch`, which looks at them before this returns:
  /// Problem 400 in its words; 503 where there are as many as there may be.
  [[nodiscard]] Made create(std::string name, std::vector<std::string> options);

  /// The newest that is open and has this name, or a new one.
  [[nodiscard]] Made open_one_called(const std::string& name);

  /// Null if there is none.
  [[nodiscard]] std::shared_ptr<Stream> find(const std::string& id) const;

  /// Newest first, those behind the one called `after` (empty: from the first), `most` of them.
  [[nodiscard]] std::vector<std::shared_ptr<Stream>> list(const std::string& after,
                                                          std::size_t most) const;

  /// Removes it with all that it has. False if there is none.
  bool remove(const std::string& id);

  /// Removes those that have ended, or failed, and are not to be kept.
  void remove_ended(const Retention& retention);

  /// Something has changed that the next step should see now.
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
  std::mutex naming_;  // of open_one_called(): two at once make one
  std::condition_variable_any news_;
  bool has_news_ = false;
  std::map<std::string, std::shared_ptr<Stream>, std::greater<>> streams_ = {};  // newest first
  std::size_t being_made_ = 0;
  Thread thread_ = {};  // the last member: it ends before what it uses
};

}  // namespace elapid::http
