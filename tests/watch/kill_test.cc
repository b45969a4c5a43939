// kill -9 at any moment, a restart and the same stream again: every verdict is there exactly once.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/generate/random.h"
#include "tests/unit/parsers/temporary_folder.h"
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
  int kills = 25;
};

/// Sends a stream to a program that uses one state again and again.
class Sender {
 public:
  Sender(const Plan& plan, std::string text, std::string state)
      : random_(plan.seed),
        text_(std::move(text)),
        state_(std::move(state)),
        arguments_({"watch", "-", "--state", state_, "--checkpoint", "16K", "--memory", "64K"}) {
    arguments_.insert(arguments_.end(), plan.arguments.begin(), plan.arguments.end());
  }

  /// Sends it up to about a place, which is in general farther than ever, and kills the program.
  void kill_at(std::size_t place) {
    Child child(arguments_, told_path());
    CHECK(send(child, place));
    ::usleep(static_cast<useconds_t>(random_.below(random_.percent(50) ? 500 : 20'000)));
    child.signal(SIGKILL);
    CHECK(child.wait() == -SIGKILL);
    note();
  }

  /// Sends all of it: the exit code.
  int finish() {
    Child child(arguments_, told_path());
    CHECK(send(child, text_.size()));
    child.end_input();
    return child.wait();
  }

  [[nodiscard]] std::string events() const { return read_text(state_ + "/events.jsonl"); }

  /// Everything that was written to standard output, of all runs.
  [[nodiscard]] std::string told() const { return read_text(told_path()); }

  /// After how many of the kills there was a checkpoint, and after how many there were events.
  [[nodiscard]] int kills_with_checkpoint() const { return kills_with_checkpoint_; }

  [[nodiscard]] int kills_with_events() const { return kills_with_events_; }

 private:
  [[nodiscard]] std::string told_path() const { return state_ + ".told"; }

  /// What was sent before goes at once, and the rest so slowly that deadlines can pass.
  bool send(const Child& child, std::size_t end) {
    std::size_t begin = std::min(sent_, end);
    bool is_heard = child.feed(std::string_view(text_).substr(0, begin));
    while (begin < end && is_heard) {
      const std::size_t size = std::min(1 + random_.below(12'000), end - begin);
      is_heard = child.feed(std::string_view(text_).substr(begin, size));
      begin += size;
      ::usleep(1000);
    }
    sent_ = std::max(sent_, end);
    return is_heard;
  }

  void note() {
    bool has_checkpoint = false;
    std::error_code absent;  // killed before it had made the directory
    for (const auto& entry : fs::directory_iterator(state_, absent)) {
      const std::string name = entry.path().filename().string();
      has_checkpoint = has_checkpoint || (name.starts_with("journal-") && name != "journal-0");
    }
    kills_with_checkpoint_ += has_checkpoint ? 1 : 0;
    kills_with_events_ += events().empty() ? 0 : 1;
  }

  Random random_;
  std::string text_;
  std::string state_;
  std::vector<std::string> arguments_;
  std::size_t sent_ = 0;
  int kills_with_checkpoint_ = 0;
  int kills_with_events_ = 0;
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

/// Kills at random moments all over the stream; the sender's state and that of one that nobody
/// disturbed are alike. `is_timed`: when verdicts become final hangs on the time that passes.
void check_kills(Plan plan, bool is_timed) {
  if (const char* more = std::getenv("ELAPID_PROPERTY_SEED")) {
    plan.seed += std::stoul(more);
  }
  INFO("seed " << plan.seed);
  const std::string text = text_of(plan);
  const TemporaryFolder folder;
  Sender undisturbed(plan, text, folder.path() / "undisturbed");
  REQUIRE(undisturbed.finish() == 1);
  Told expected;
  REQUIRE(expected.hear(undisturbed.events()) == "");

  Sender killed(plan, text, folder.path() / "killed");
  Random random(plan.seed + 1);
  for (int kill = 0; kill < plan.kills; ++kill) {
    const std::size_t step = text.size() / static_cast<std::size_t>(plan.kills);
    const std::size_t place = static_cast<std::size_t>(kill) * step + random.below(step);
    killed.kill_at(random.percent(20) ? random.below(place + 1) : place);
  }
  CHECK(killed.finish() == 1);

  Told found;
  CHECK(found.hear(killed.events()) == "");
  CHECK(found.violations() == expected.violations());
  CHECK(violation_counts(killed.told()) == violation_counts(undisturbed.told()));
  if (!is_timed) {
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
  check_kills({.stream = {.txns = 4000}, .arguments = {"--watermark", "400"}, .seed = 1}, false);
}

TEST_CASE("kill -9: lists of the recorder format, final by a watermark") {
  check_kills({.stream = {.txns = 3000, .is_recorder = true, .is_list = true},
               .arguments = {"--watermark", "1000"},
               .seed = 2},
              false);
}

TEST_CASE("kill -9: registers of the recorder format, final by a deadline") {
  check_kills({.stream = {.txns = 4000, .is_recorder = true, .delay = 200},
               .arguments = {"--deadline", "10ms"},
               .seed = 3},
              true);
}

TEST_CASE("kill -9: lists, final by a deadline") {
  check_kills({.stream = {.txns = 3000, .is_list = true, .delay = 200},
               .arguments = {"--deadline", "5ms"},
               .seed = 4},
              true);
}

}  // namespace
}  // namespace elapid
