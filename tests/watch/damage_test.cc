// A state whose files were damaged is refused, or goes on to exactly what it would have come to.
#include <signal.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "harness/generate/random.h"
#include "tests/support/sample_size.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/wait_until.h"
#include "tests/watch/child.h"
#include "tests/watch/random_stream.h"
#include "tests/watch/told.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

constexpr int kUnreadable = 66;

/// What a run has come to.
struct Outcome {
  int code = 0;
  std::string verdict;  ///< the summary from its counts on
  std::string events;   ///< of the state's file
  std::string told;

  friend bool operator==(const Outcome& a, const Outcome& b) {
    return a.code == b.code && a.verdict == b.verdict && a.events == b.events;
  }
};

/// A stream in two parts: one that makes the state, and one to go on with.
class Stream {
 public:
  Stream(const RandomStreamOptions& options, std::uint64_t seed, const TemporaryFolder& folder)
      : folder_(folder) {
    const std::vector<std::string> lines = random_stream(options, seed);
    std::string rest;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool is_error = lines[i].find("no transaction") != std::string::npos;
      const bool is_first = i < lines.size() / 3 * 2;
      (is_first ? first_ : rest) += is_error ? "" : lines[i];
      count_ += is_first && !is_error ? 1 : 0;
    }
    rest_path_ = folder.write("rest.jsonl", rest);
  }

  /// Kills the program once it has told that it has everything of the first part.
  void make_state(const std::string& state) const {
    const std::string told = folder_.path() / "made";
    Child child({"watch", "-", "--state", state, "--checkpoint", "64K", "--memory", "64K",
                 "--watermark", "400", "--progress", "20ms"},
                told);
    REQUIRE(child.feed(first_));
    const std::string all = R"("transactions":)" + std::to_string(count_) + ",";
    REQUIRE(wait_until([&] { return read_text(told).find(all) != std::string::npos; }));
    child.signal(SIGKILL);
    REQUIRE(child.wait() == -SIGKILL);
  }

  [[nodiscard]] Outcome go_on(const std::string& state) const {
    const std::string told = state + ".told";
    fs::remove(told);
    Outcome outcome;
    outcome.code = run_program({"watch", "--to-end", rest_path_, "--state", state, "--checkpoint",
                                "64K", "--watermark", "400", "--progress", "0"},
                               told);
    outcome.told = read_text(told);
    outcome.events = read_text(state + "/events.jsonl");
    const std::string summary = last_line(outcome.told);
    const std::size_t counts = summary.find(R"("transactions":)");
    outcome.verdict = counts == std::string::npos ? summary : summary.substr(counts);
    return outcome;
  }

 private:
  const TemporaryFolder& folder_;
  std::string first_;
  std::string rest_path_;
  std::size_t count_ = 0;
};

std::vector<fs::path> files_of(const std::string& state) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(state)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// Writes bytes over those of a file.
void overwrite(const fs::path& path, std::size_t offset, std::string_view bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(offset));
  file << bytes;
}

/// What was done, in words.
std::string damage(const fs::path& path, Random& random) {
  const std::size_t size = fs::file_size(path);
  const std::string name = path.filename().string() + " of " + std::to_string(size) + " bytes: ";
  const std::size_t place = random.below(size + 1);
  if (random.percent(5)) {
    fs::remove(path);
    return name + "removed";
  }
  if (size == 0 || random.percent(20)) {
    fs::resize_file(path, place);
    return name + "cut at " + std::to_string(place);
  }
  std::string bytes = read_text(path).substr(std::min(place, size - 1), 1);
  bytes.front() =
      static_cast<char>(static_cast<unsigned char>(bytes.front()) ^ (1U + random.below(255)));
  if (random.percent(40)) {
    const std::size_t length = std::min(1 + random.below(9000), size - place);
    const bool is_zero = random.percent(50);
    bytes.clear();
    for (std::size_t i = 0; i < length; ++i) {
      bytes += is_zero ? '\0' : static_cast<char>(random.below(256));
    }
  }
  overwrite(path, std::min(place, size - 1), bytes);
  return name + std::to_string(bytes.size()) + " bytes at " + std::to_string(place);
}

/// Copies a state, damages copies, and looks at what becomes of each.
void check_damages(const RandomStreamOptions& options, std::uint64_t seed, bool is_ended) {
  constexpr std::size_t kRounds = 40;
  const std::size_t count = round_count(kRounds, 1000);
  seed += first_seed_of_cases();
  const TemporaryFolder folder;
  const Stream stream(options, seed, folder);
  const std::string state = folder.path() / "state";
  stream.make_state(state);
  if (is_ended) {
    (void)stream.go_on(state);
  }
  const std::string copy = folder.path() / "copy";
  const auto renew = [&] {
    fs::remove_all(copy);
    fs::copy(state, copy, fs::copy_options::recursive);
  };
  renew();
  const Outcome expected = stream.go_on(copy);
  REQUIRE(expected.code == 1);
  Random random(seed);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < count; ++i) {
    renew();
    const std::vector<fs::path> files = files_of(copy);
    const std::string what = damage(files[random.below(files.size())], random);
    INFO("seed " << seed << ", " << i << ": " << what);
    const Outcome outcome = stream.go_on(copy);
    INFO(outcome.told);
    const bool is_refused =
        outcome.code == kUnreadable &&
        outcome.told.find("send the stream from the beginning") != std::string::npos;
    refused += is_refused ? 1 : 0;
    CHECK((is_refused || outcome == expected));
  }
  const std::size_t share = count < kRounds ? 3 : 2;  // few rounds may have fewer refusals
  CHECK(refused > count / share);
}

TEST_CASE("damage: a state that was killed between two checkpoints") {
  check_damages({.txns = 2000}, 1, false);
}

TEST_CASE("damage: a state of lists that was killed between two checkpoints") {
  check_damages({.txns = 1500, .is_recorder = true, .is_list = true}, 2, false);
}

TEST_CASE("damage: a state whose run has ended") {
  check_damages({.txns = 1000, .is_recorder = true}, 3, true);
}

}  // namespace
}  // namespace elapid
