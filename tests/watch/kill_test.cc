// kill -9 at any moment, a restart and the same stream again: every verdict is there exactly once.
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "harness/generate/random.h"
#include "tests/support/sample_size.h"
#include "tests/support/temporary_folder.h"
#include "tests/watch/child.h"
#include "tests/watch/random_stream.h"
#include "tests/watch/told.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

struct Plan {
  RandomStreamOptions stream = {};
  std::vector<std::string> arguments = {};  ///< beyond those about the state
  std::uint64_t seed = 1;
  std::size_t kills = std::max<std::size_t>(10, round_count(25, 25));
  bool is_timed = false;  ///< when verdicts become final hangs on the time that passes
};

/// What happens to the files of a folder, as inotify tells it.
class FolderEvents {
 public:
  /// Of a folder that is not there nothing is told.
  explicit FolderEvents(const std::string& folder)
      : events_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    REQUIRE(events_ >= 0);
    ::inotify_add_watch(events_, folder.c_str(),
                        IN_CREATE | IN_OPEN | IN_MODIFY | IN_MOVED_TO | IN_DELETE);
  }

  ~FolderEvents() { ::close(events_); }

  FolderEvents(const FolderEvents&) = delete;
  FolderEvents& operator=(const FolderEvents&) = delete;

  /// How many there have been so far.
  std::size_t count() {
    alignas(inotify_event) std::array<char, 4096> buffer = {};
    for (ssize_t size = 0; (size = ::read(events_, buffer.data(), buffer.size())) > 0;) {
      for (ssize_t at = 0; at < size; ++count_) {
        const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    }
    return count_;
  }

  /// Waits until there have been so many, or none comes for a while.
  void await(std::size_t target) {
    constexpr int kQuietMs = 20;
    pollfd ready = {.fd = events_, .events = POLLIN, .revents = 0};
    while (count() < target && ::poll(&ready, 1, kQuietMs) > 0) {
    }
  }

 private:
  int events_;
  std::size_t count_ = 0;
};

/// Sends a stream to a program that uses one state again and again.
class Sender {
 public:
  Sender(const Plan& plan, std::string text, std::string state)
      : random_(plan.seed),
        text_(std::move(text)),
        state_(std::move(state)),
        is_timed_(plan.is_timed),
        arguments_({"watch", "-", "--state", state_, "--checkpoint", "16K", "--memory", "64K"}) {
    arguments_.insert(arguments_.end(), plan.arguments.begin(), plan.arguments.end());
  }

  /// Sends it up to a place, which is in general farther than ever, and kills the program as soon
  /// as something has happened to its files so and so often, there or before.
  void kill_at(std::size_t place) {
    FolderEvents events(state_);
    Child child(arguments_, told_path());
    if (random_.percent(50)) {
      CHECK(send(child, place, [] { return false; }));
      events.await(events.count() + random_.below(6));
    } else {
      const std::size_t target = random_.below(100);
      CHECK(send(child, place, [&] { return events.count() >= target; }));
      events.await(target);
    }
    child.signal(SIGKILL);
    CHECK(child.wait() == -SIGKILL);
    note();
  }

  /// Sends all of it: the exit code.
  int finish() {
    Child child(arguments_, told_path());
    CHECK(send(child, text_.size(), [] { return false; }));
    child.end_input();
    return child.wait();
  }

  [[nodiscard]] std::string events() const { return read_text(state_ + "/events.jsonl"); }

  /// Everything that was written to standard output, of all runs.
  [[nodiscard]] std::string told() const { return read_text(told_path()); }

  /// After how many of the kills there was a checkpoint, and after how many there were events.
  [[nodiscard]] std::size_t kills_with_checkpoint() const { return kills_with_checkpoint_; }

  [[nodiscard]] std::size_t kills_with_events() const { return kills_with_events_; }

 private:
  [[nodiscard]] std::string told_path() const { return state_ + ".told"; }

  /// Sends pieces until `is_enough()`. What was sent before goes at once; the rest, where it is
  /// timed, so slowly that deadlines pass. False if the program has gone.
  template <class Predicate>
  bool send(const Child& child, std::size_t end, Predicate is_enough) {
    bool is_heard = true;
    for (std::size_t begin = 0; begin < end && is_heard && !is_enough();) {
      const std::size_t size = std::min(1 + random_.below(12'000), end - begin);
      is_heard = child.feed(std::string_view(text_).substr(begin, size));
      begin += size;
      if (is_timed_ && begin > sent_) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      sent_ = std::max(sent_, begin);
    }
    return is_heard;
  }

  void note() {
    bool has_checkpoint = false;
    std::error_code absent;  // killed before it had made the directory
    for (const auto& entry : fs::directory_iterator(state_, absent)) {
      const std::string name = entry.path().filename().string();
      has_checkpoint = has_checkpoint || (name.starts_with("journal-") && name != "journal-0");
    }
    kills_with_checkpoint_ += has_checkpoint ? 1U : 0U;
    kills_with_events_ += events().empty() ? 0U : 1U;
  }

  Random random_;
  std::string text_;
  std::string state_;
  bool is_timed_;
  std::vector<std::string> arguments_;
  std::size_t sent_ = 0;
  std::size_t kills_with_checkpoint_ = 0;
  std::size_t kills_with_events_ = 0;
};

std::string text_of(const Plan& plan) {
  std::string text;
  for (const std::string& line : random_stream(plan.stream, plan.seed)) {
    text += line;
  }
  return text;
}

/// Of the numbered events on standard output, each at least once and always the same: its text by
/// its number.
std::map<std::size_t, std::string> numbered(const std::string& told) {
  std::map<std::size_t, std::string> events;
  std::size_t unequal = 0;
  for (const std::string& line : lines_of(told)) {
    // A kill may have cut a line, behind which that of the next run goes on.
    const bool is_whole = line.starts_with("{\"event\"") && line.ends_with('}') &&
                          line.find("{\"event\"", 1) == std::string::npos;
    const std::string number = is_whole ? field_of(line, "n") : "";
    if (!number.empty()) {
      unequal += events.emplace(std::stoul(number), line).first->second == line ? 0U : 1U;
    }
  }
  CHECK(unequal == 0);
  return events;
}

std::string violation_counts(const std::string& told) {
  const std::string summary = last_line(told);
  return summary.substr(summary.find(R"("violations":)"));
}

/// What was told of a violation must be in the file.
void check_standard_output(const Sender& sender) {
  const std::vector<std::string> events = lines_of(sender.events());
  for (const auto& [number, line] : numbered(sender.told())) {
    REQUIRE(number <= events.size());
    CHECK(events[number - 1] == line);
  }
}

/// Kills at random moments all over the stream; the sender's state and that of one that was not
/// disturbed are alike.
void check_kills(Plan plan) {
  plan.seed += first_seed_of_cases();
  INFO("seed " << plan.seed);
  const std::string text = text_of(plan);
  const TemporaryFolder folder;
  Sender undisturbed(plan, text, folder.path() / "undisturbed");
  REQUIRE(undisturbed.finish() == 1);
  Told expected;
  REQUIRE(expected.hear(undisturbed.events()) == "");

  Sender killed(plan, text, folder.path() / "killed");
  Random random(plan.seed + 1);
  for (std::size_t kill = 0; kill < plan.kills; ++kill) {
    const std::size_t step = text.size() / plan.kills;
    const std::size_t place = kill * step + random.below(step);
    killed.kill_at(random.percent(20) ? random.below(place + 1) : place);
  }
  CHECK(killed.finish() == 1);

  Told found;
  CHECK(found.hear(killed.events()) == "");
  CHECK(found.violations() == expected.violations());
  CHECK(violation_counts(killed.told()) == violation_counts(undisturbed.told()));
  if (!plan.is_timed) {
    CHECK(killed.events() == undisturbed.events());
  }
  check_standard_output(killed);
  // Otherwise all of this would say little.
  CHECK(killed.kills_with_checkpoint() > plan.kills / 2);
  CHECK(killed.kills_with_events() > plan.kills / 2);
  for (const char* axiom : {"int", "ext", "noconflict", "session", "start-after-commit"}) {
    CHECK(found.count('"' + std::string(axiom) + '"') > 1);
  }
  CHECK(found.count(R"("late")") > 0);
}

TEST_CASE("kill -9: registers, final by a watermark") {
  check_kills({.stream = {.txns = 4000}, .arguments = {"--watermark", "400"}, .seed = 1});
}

TEST_CASE("kill -9: lists of the recorder format, final by a watermark") {
  check_kills({.stream = {.txns = 3000, .is_recorder = true, .is_list = true},
               .arguments = {"--watermark", "1000"},
               .seed = 2});
}

TEST_CASE("kill -9: registers of the recorder format, final by a deadline") {
  check_kills({.stream = {.txns = 4000, .is_recorder = true, .delay = 200},
               .arguments = {"--deadline", "10ms"},
               .seed = 3,
               .is_timed = true});
}

TEST_CASE("kill -9: lists, final by a deadline") {
  check_kills({.stream = {.txns = 3000, .is_list = true, .delay = 200},
               .arguments = {"--deadline", "5ms"},
               .seed = 4,
               .is_timed = true});
}

}  // namespace
}  // namespace elapid
