// A power cut at any moment: what had not been synced is there in part. The state goes on, nothing
// that was told is lost, and in the end everything is as if nothing had happened.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "adapter/watch/watch.h"
#include "tests/support/sample_size.h"
#include "tests/support/temporary_folder.h"
#include "tests/watch/random_stream.h"
#include "tests/watch/recorded_disk.h"
#include "tests/watch/told.h"

namespace elapid {
namespace {

/// Everything that was told, by what was done.
std::string told(const std::vector<DiskOperation>& operations, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += operations[i].kind == DiskOperation::Kind::kTell ? operations[i].bytes : "";
  }
  return text;
}

/// How many transactions were accepted, by the last line that says so.
std::size_t accepted(std::string_view text) {
  std::size_t count = 0;
  for (const std::string& line : lines_of(text)) {
    const std::string field = field_of(line, "transactions");
    count = field.empty() ? count : std::stoul(field);
  }
  return count;
}

class PowerCuts {
 public:
  PowerCuts(const RandomStreamOptions& options, std::uint64_t seed)
      : random_(seed), state_(folder_.path() / "state") {
    for (const std::string& line : random_stream(options, seed)) {
      stream_ += line;
    }
    pipe_ = folder_.path() / "pipe";
    REQUIRE(::mkfifo(pipe_.c_str(), 0600) == 0);
  }

  /// One undisturbed run.
  void record() {
    operations_ = run(true);
    events_ = read_text(state_ + "/events.jsonl");
    REQUIRE(lines_of(events_).size() > 20);
  }

  [[nodiscard]] std::size_t size() const { return operations_.size(); }

  /// The same, with a cut after so many operations.
  void cut(std::size_t count) {
    INFO("cut after " << count << " of " << operations_.size());
    cut_power(operations_, count, state_, random_);
    const std::string before = told(operations_, count);
    const std::vector<DiskOperation> alone = run(false);
    CHECK(accepted(told(alone, alone.size())) >= accepted(before));
    (void)run(true);
    CHECK(read_text(state_ + "/events.jsonl") == events_);
    const std::vector<std::string> events = lines_of(events_);
    for (const std::string& line : lines_of(before)) {
      if (const std::string number = field_of(line, "n"); !number.empty()) {
        CHECK(events.at(std::stoul(number) - 1) == line);
      }
    }
  }

 private:
  /// Runs on the state, with the whole stream or with nothing: what was done.
  std::vector<DiskOperation> run(bool is_whole) {
    std::filesystem::create_directories(state_);
    std::thread feeder;
    if (is_whole) {
      feeder = std::thread([this] { feed(); });
    }
    RecordedDisk disk(state_);
    const Result<WatchOutcome> outcome = watch({.input = is_whole ? pipe_ : "/dev/null",
                                                .level = "strong-session-snapshot-isolation",
                                                .sessions = true,
                                                .lag = 400,
                                                .memory = 1 << 16,
                                                .state = state_,
                                                .checkpoint = 1 << 15,
                                                .progress = std::chrono::milliseconds(1)},
                                               [is_whole] { return !is_whole; });
    std::vector<DiskOperation> operations = disk.stop();
    if (feeder.joinable()) {
      feeder.join();
    }
    INFO((outcome ? "" : outcome.error().to_string()));
    REQUIRE(outcome.ok());
    return operations;
  }

  /// In pieces, so that there is more than one batch.
  void feed() {
    constexpr std::size_t kPiece = 4096;
    std::ofstream pipe(pipe_, std::ios::binary);
    for (std::size_t begin = 0; begin < stream_.size(); begin += kPiece) {
      pipe << stream_.substr(begin, kPiece) << std::flush;
    }
  }

  TemporaryFolder folder_;
  Random random_;
  std::string state_;
  std::string stream_;
  std::string pipe_;
  std::vector<DiskOperation> operations_;
  std::string events_;
};

void check_power_cuts(const RandomStreamOptions& options, std::uint64_t seed) {
  const std::size_t count = round_count(40, 1000);
  seed += first_seed_of_cases();
  INFO("seed " << seed);
  PowerCuts cuts(options, seed);
  cuts.record();
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    // The first operations are those that make the state.
    cuts.cut(i % 4 == 0 && i < 40 ? 3 * i / 4 : random.below(cuts.size() + 1));
  }
}

TEST_CASE("power cut: registers") {
  check_power_cuts({.txns = 1500}, 1);
}

TEST_CASE("power cut: lists of the recorder format") {
  check_power_cuts({.txns = 1000, .is_recorder = true, .is_list = true}, 2);
}

}  // namespace
}  // namespace elapid
