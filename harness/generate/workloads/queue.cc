#include <algorithm>
#include <deque>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/generate/workloads/jepsen_tests.h"
#include "harness/generate/workloads/keyed_requests.h"

namespace elapid {

namespace {

/// Logs as applications store them: one register tells where the next element goes, another one
/// where the next is taken, and each place is a register. A client with an old value of these two
/// registers overwrites a used place, or takes an element twice.
class LogRequests : public KeyedRequests {
 public:
  /// `remembered`: the places before the next take that keep their registers.
  LogRequests(const WorkloadOptions& options, std::size_t logs, std::int64_t remembered)
      : KeyedRequests({2 * logs, 0, {}}),
        takes_(options.reads),
        remembered_(remembered),
        logs_(logs) {}

  void next(Random& random, Request& out) override {
    out.numbers[1] = logs_.size() == 1 ? 0 : static_cast<std::int64_t>(random.below(logs_.size()));
    random.per_million(takes_) ? take(out) : put(out);
  }

  std::string_view after_read(Request& request, std::size_t step, Seen seen) override {
    std::vector<RequestStep>& steps = request.steps;
    Log& log = log_of(request);
    const std::int64_t number = seen.value_or(0);
    if (steps.size() == kPutSteps) {
      set_key(steps[1], place(log, number));
      steps[2].value = number + 1;
      show_put(number, request);
    } else if (step == 0) {
      steps[3].value = number + 1;
      request.numbers[2] = number;
    } else if (step == 1) {
      set_key(steps[2], place(log, request.numbers[2]));
      if (request.numbers[2] >= number) {
        steps[3].value = request.numbers[2];  // nothing is taken
        return empty(log, request);
      }
      forget(log, request.numbers[2] - remembered_);
    } else if (steps[3].value > request.numbers[2]) {
      show_taken(request.numbers[2], number, request);
      return seen ? "" : empty(log, request);
    }
    return {};
  }

  /// Takes the remaining elements.
  bool final_read(std::size_t n, Request& out) override {
    for (Log& log : logs_) {
      log.is_empty = log.is_empty && n > 0;
    }
    const auto left = std::ranges::find(logs_, false, &Log::is_empty);
    if (left == logs_.end()) {
      return false;
    }
    out.numbers[1] = left - logs_.begin();
    take(out);
    return true;
  }

 protected:
  /// The call of the client; numbers[1] is the log.
  virtual void ask_put(std::int64_t element, Request& out) = 0;
  virtual void ask_taken(Request& out) = 0;
  /// The answer to the client, for a place of the log.
  virtual void show_put(std::int64_t place, Request& request) = 0;
  virtual void show_taken(std::int64_t place, std::int64_t element, Request& request) = 0;
  /// The reason to give up on an empty log; empty text if nothing to take is an answer.
  virtual std::string_view show_empty(Request& request) = 0;

  /// The registers of the places of a log that it still has.
  [[nodiscard]] const std::deque<KeyRef>& places(std::size_t log) const {
    return logs_[log].places;
  }

 private:
  static constexpr std::size_t kPutSteps = 3;

  struct Log {
    std::int64_t first = 0;  // the number of the first place in memory
    std::deque<KeyRef> places = {};
    bool is_empty = false;
  };

  Log& log_of(const Request& request) {
    return logs_[static_cast<std::size_t>(request.numbers[1])];
  }

  /// The registers of a log: the place of the next take, and that of the next put.
  [[nodiscard]] KeyRef taken(const Request& request) const {
    return keys().at(2 * static_cast<std::size_t>(request.numbers[1]));
  }

  [[nodiscard]] KeyRef filled(const Request& request) const {
    return keys().at(2 * static_cast<std::size_t>(request.numbers[1]) + 1);
  }

  std::string_view empty(Log& log, Request& request) {
    log.is_empty = true;
    return show_empty(request);
  }

  void put(Request& out) {
    ask_put(next_, out);
    out.depends_on_reads = true;
    add(OpKind::kRead, filled(out), out);
    add(OpKind::kWrite, filled(out), out, next_++);
    add(OpKind::kWrite, filled(out), out);
  }

  void take(Request& out) {
    ask_taken(out);
    out.depends_on_reads = true;
    add(OpKind::kRead, taken(out), out);
    add(OpKind::kRead, filled(out), out);
    add(OpKind::kRead, filled(out), out);
    add(OpKind::kWrite, taken(out), out);
  }

  /// The register of a place.
  KeyRef place(Log& log, std::int64_t number) {
    number = std::max(number, log.first);
    while (log.first + static_cast<std::int64_t>(log.places.size()) <= number) {
      log.places.push_back(keys().fresh());
    }
    return log.places[static_cast<std::size_t>(number - log.first)];
  }

  void forget(Log& log, std::int64_t before) {
    for (; log.first < before; ++log.first) {
      keys().release(log.places.front().slot);
      log.places.pop_front();
    }
  }

  std::uint32_t takes_;
  std::int64_t remembered_;
  std::vector<Log> logs_;
  std::int64_t next_ = 0;
};

class QueueRequests : public LogRequests {
 public:
  explicit QueueRequests(const WorkloadOptions& options) : LogRequests(options, 1, kRemembered) {}

 private:
  static constexpr std::int64_t kRemembered = 256;  // places that a client may still look at

  void ask_put(std::int64_t element, Request& out) override {
    out.function = "enqueue";
    out.invoked = out.completed = PlainValue::kNumber;
    out.numbers[0] = element;
  }

  void ask_taken(Request& out) override {
    out.function = "dequeue";
    out.invoked = PlainValue::kNil;
    out.completed = PlainValue::kNumber;
  }

  void show_put(std::int64_t /*place*/, Request& /*request*/) override {}

  void show_taken(std::int64_t /*place*/, std::int64_t element, Request& request) override {
    request.numbers[0] = element;
  }

  std::string_view show_empty(Request& /*request*/) override { return "empty"; }
};

/// The consumers are one group, whose positions are in the database: the others skip what one of
/// them polls, as after a rebalance. At the end one of them polls each log from its first place on.
class GroupRequests : public LogRequests {
 public:
  explicit GroupRequests(const WorkloadOptions& options)
      : LogRequests(options, options.keys, std::numeric_limits<std::int64_t>::max()) {}

  void next(Random& random, Request& out) override {
    if (subscribes_++ % kEach > 0) {
      return LogRequests::next(random, out);
    }
    name_logs("subscribe", log_count(), out);
  }

  /// A consumer that is assigned no log forgets where it was.
  bool final_read(std::size_t n, Request& out) override {
    if (n < 2) {
      name_logs("assign", n == 0 ? 0 : log_count(), out);
      return true;
    }
    std::size_t poll = n - 2;
    for (std::size_t log = 0; log < log_count(); ++log) {
      const std::size_t polls = (places(log).size() + kPolled - 1) / kPolled;
      if (poll < polls) {
        poll_places(log, poll * kPolled, out);
        return true;
      }
      poll -= polls;
    }
    return false;
  }

  std::string_view after_read(Request& request, std::size_t step, Seen seen) override {
    if (!request.only_reads) {
      return LogRequests::after_read(request, step, seen);
    }
    if (step == 0) {
      show_empty(request);
    }
    if (seen) {
      std::vector<PlainTree>& found = request.answered.parts[0].parts[1].parts;
      if (found.empty()) {
        found = {name(request), PlainTree::vector({})};
      }
      found[1].parts.push_back(
          message(request.numbers[2] + static_cast<std::int64_t>(step), *seen));
    }
    return {};
  }

 private:
  static constexpr std::size_t kEach = 200;    // operations a subscription
  static constexpr std::size_t kPolled = 100;  // places that a poll at the end reads

  [[nodiscard]] std::size_t log_count() const { return keys().count() / 2; }

  void name_logs(std::string_view function, std::size_t count, Request& out) {
    std::vector<PlainTree> names;
    for (std::size_t log = 0; log < count; ++log) {
      names.push_back(PlainTree::number(static_cast<std::int64_t>(log)));
    }
    begin_tree(function, PlainTree::vector(std::move(names)), out);
    out.depends_on_reads = false;
    add(OpKind::kRead, keys().at(0), out);
  }

  void poll_places(std::size_t log, std::size_t first, Request& out) {
    ask_taken(out);
    out.only_reads = true;
    out.numbers[1] = static_cast<std::int64_t>(log);
    out.numbers[2] = static_cast<std::int64_t>(first);
    const std::size_t end = std::min(first + kPolled, places(log).size());
    for (std::size_t place = first; place < end; ++place) {
      add(OpKind::kRead, places(log)[place], out);
    }
  }

  static PlainTree name(const Request& request) { return PlainTree::number(request.numbers[1]); }

  static PlainTree message(std::int64_t place, std::int64_t element) {
    return PlainTree::vector({PlainTree::number(place), PlainTree::number(element)});
  }

  static PlainTree one(std::vector<PlainTree> mop) {
    return PlainTree::vector({PlainTree::vector(std::move(mop))});
  }

  void ask_put(std::int64_t element, Request& out) override {
    begin_tree("send", one({PlainTree::keyword("send"), name(out), PlainTree::number(element)}),
               out);
    out.numbers[0] = element;
  }

  void ask_taken(Request& out) override {
    begin_tree("poll", one({PlainTree::keyword("poll")}), out);
  }

  void show_put(std::int64_t place, Request& request) override {
    request.answered.parts[0].parts[2] = message(place, request.numbers[0]);
  }

  void show_taken(std::int64_t place, std::int64_t element, Request& request) override {
    request.answered =
        one({PlainTree::keyword("poll"),
             PlainTree::map({name(request), PlainTree::vector({message(place, element)})})});
  }

  std::string_view show_empty(Request& request) override {
    request.answered = one({PlainTree::keyword("poll"), PlainTree::map()});
    return {};
  }

  std::size_t subscribes_ = 0;
};

/// Single elements are rows of their own. The last rows are read, and some writes are rolled back.
/// At the end all rows are read twice.
class ElementRequests : public KeyedRequests {
 public:
  explicit ElementRequests(const WorkloadOptions& options)
      : KeyedRequests({1, 0, {}}), reads_(options.reads) {}

  void next(Random& random, Request& out) override {
    const bool is_full = elements_.size() == kMost;
    if (!elements_.empty() && (is_full || random.per_million(reads_))) {
      const std::size_t back = random.below(std::min(kRecent, elements_.size()));
      return ask("read", elements_.size() - 1 - back, OpKind::kRead, out);
    }
    elements_.push_back(keys().fresh());
    ask("write", elements_.size() - 1, OpKind::kWrite, out);
    if (random.percent(kGivenUp)) {
      add(OpKind::kRead, elements_.back(), out);
    }
  }

  std::string_view after_read(Request& request, std::size_t step, Seen seen) override {
    if (request.function == "strong-read") {
      if (step == 0) {
        request.answered.parts.clear();
      }
      if (seen) {
        request.answered.parts.push_back(PlainTree::number(static_cast<std::int64_t>(step)));
      }
      return {};
    }
    return request.function == "write" ? "rolled-back" : seen ? "" : "not-found";
  }

  bool final_read(std::size_t n, Request& out) override {
    if (n >= 2) {
      return false;
    }
    begin_tree("strong-read", {}, out);
    out.answered = PlainTree::set();
    out.only_reads = true;
    for (const KeyRef element : elements_) {
      add(OpKind::kRead, element, out);
    }
    return true;
  }

 private:
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kRecent = 10;
  static constexpr std::size_t kGivenUp = 20;  // per cent of the writes

  void ask(std::string_view function, std::size_t element, OpKind kind, Request& out) {
    begin_tree(function, PlainTree::number(static_cast<std::int64_t>(element)), out);
    add(kind, elements_[element], out, 1);
  }

  std::uint32_t reads_;
  std::vector<KeyRef> elements_ = {};
};

}  // namespace

std::unique_ptr<RequestSource> queue_requests(const WorkloadOptions& options) {
  return std::make_unique<QueueRequests>(options);
}

std::unique_ptr<RequestSource> kafka_requests(const WorkloadOptions& options) {
  return std::make_unique<GroupRequests>(options);
}

std::unique_ptr<RequestSource> dirty_read_requests(const WorkloadOptions& options) {
  return std::make_unique<ElementRequests>(options);
}

}  // namespace elapid
