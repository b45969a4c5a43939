// One question, one answer: of a whole stream `elapid watch` says what `elapid check` says of the
// file, in whatever order its lines are.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/generate/random.h"
#include "tests/support/sample_size.h"
#include "tests/support/temporary_folder.h"
#include "tests/watch/child.h"
#include "tests/watch/random_stream.h"
#include "tests/watch/told.h"

namespace elapid {
namespace {

/// How a program ends, and how many violations there are by axiom and anomaly.
struct Answer {
  int code = 0;
  std::map<std::string, std::size_t> violations;
  bool doubts_sessions = false;  ///< the order of some is not known

  /// Without what rests on the order of sessions, if something else decides.
  void drop_sessions() {
    std::erase_if(violations, [](const auto& v) { return v.first.starts_with("session "); });
    code = violations.empty() ? 0 : code;
    doubts_sessions = false;
  }

  friend bool operator==(const Answer&, const Answer&) = default;
};

/// What stands between two texts, for each place where the first one does; moves behind it.
std::string between(std::string_view& text, std::string_view before, std::string_view after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string_view::npos) {
    return "";
  }
  text.remove_prefix(begin + before.size());
  return std::string(text.substr(0, text.find(after)));
}

class Commands {
 public:
  Commands(const TemporaryFolder& folder, std::vector<std::string> flags)
      : folder_(folder), flags_(std::move(flags)) {}

  [[nodiscard]] Answer check(const std::string& path) const {
    Answer answer;
    const std::string report =
        run({"check", "--engine", "timestamps", "-o", "json", path}, answer.code);
    std::string_view rest = report;
    const std::string_view types = R"("type": ")";
    for (std::string axiom = between(rest, R"(, "elapid/axiom": ")", "\""); !axiom.empty();
         axiom = between(rest, R"(, "elapid/axiom": ")", "\"")) {
      const auto here = static_cast<std::size_t>(rest.data() - report.data());
      const std::size_t type = report.rfind(types, here) + types.size();
      ++answer.violations[axiom + ' ' + report.substr(type, report.find('"', type) - type)];
    }
    return answer;
  }

  [[nodiscard]] Answer watch(const std::string& path) const {
    Answer answer;
    const std::string text =
        run({"watch", "--to-end", "--memory", "16K", "--watermark", "300", path}, answer.code);
    Told told;
    REQUIRE(told.hear(text) == "");
    answer.doubts_sessions = text.find("place in their session is in doubt") != std::string::npos;
    for (const auto& [name, line] : told.violations()) {
      std::string anomaly = field_of(line, "anomaly");
      std::erase(anomaly, '"');
      ++answer.violations[name.substr(1, name.find('"', 1) - 1) + ' ' + anomaly];
    }
    return answer;
  }

 private:
  std::string run(std::vector<std::string> arguments, int& code) const {
    const std::string output = folder_.path() / "output";
    std::filesystem::remove(output);
    arguments.insert(arguments.end(), flags_.begin(), flags_.end());
    code = run_program(arguments, output);
    return read_text(output);
  }

  const TemporaryFolder& folder_;
  std::vector<std::string> flags_;
};

/// The names that there were in all streams.
using Names = std::map<std::string, std::size_t>;

void compare(const RandomStreamOptions& options, const std::vector<std::string>& flags,
             std::uint64_t seed, Names& names) {
  const TemporaryFolder folder;
  const Commands commands(folder, flags);
  std::vector<std::string> lines = random_stream(options, seed);
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("{\"tid\": no"); });
  if (seed % 2 == 0) {
    Random(seed).shuffle(lines);
  }
  std::string text;
  for (const std::string& line : lines) {
    text += line;
  }
  const std::string path = folder.write("stream.jsonl", text);
  INFO("seed " << seed << " " << flags[1] << (options.is_list ? " lists" : " registers"));
  Answer checked = commands.check(path);
  Answer watched = commands.watch(path);
  if (watched.doubts_sessions) {
    CHECK(checked.code == 1);
    CHECK((watched.code == 1 || watched.code == 2));
    checked.drop_sessions();
    watched.drop_sessions();
  }
  CHECK(watched == checked);
  for (const auto& [name, count] : checked.violations) {
    names[name] += count;
  }
}

TEST_CASE("agreement: names and counts, in any order, with sessions") {
  Names names;
  for (std::uint64_t round = 0; round < round_count(8, 200); ++round) {
    const std::uint64_t seed = first_seed_of_cases() + round;
    for (const bool is_list : {false, true}) {
      const RandomStreamOptions options = {.txns = 500, .is_recorder = true, .is_list = is_list};
      for (const char* level : {"si", "ser"}) {
        compare(options, {"-c", level}, seed, names);
      }
      compare(options, {"-c", "si", "--clock-skew", "15"}, seed, names);
    }
  }
  for (const char* name : {"ext GSIb", "ext GSIa", "ext G-single-item", "ext PL-3-cycle-exists",
                           "int internal", "noconflict GSIa", "ext garbage-read",
                           "session strong-session-snapshot-isolation-cycle-exists",
                           "session strong-session-serializable-cycle-exists"}) {
    INFO(name);
    CHECK(names[name] > 0);
  }
}

TEST_CASE("agreement: names and counts of TimeKiller's transactions") {
  Names names;
  for (std::uint64_t round = 0; round < round_count(8, 200); ++round) {
    const std::uint64_t seed = first_seed_of_cases() + round;
    for (const bool is_list : {false, true}) {
      // In the order of their commits, and late.
      for (const std::size_t delay : {1U, 50U}) {
        const RandomStreamOptions options = {.txns = 200, .is_list = is_list, .delay = delay};
        for (const char* level : {"si", "ser"}) {
          compare(options, {"-c", level, "--initial", "0"}, seed, names);
        }
      }
    }
  }
  CHECK(names.size() > 5);
}

}  // namespace
}  // namespace elapid
