// The corpus of timestamps as streams: in any order `elapid watch` counts what `elapid check` does.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/generate/random.h"
#include "tests/support/sample_size.h"
#include "tests/support/temporary_folder.h"
#include "tests/watch/child.h"
#include "tests/watch/told.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

using Counts = std::map<std::string, std::size_t>;  // by axiom or origin, if there are any

/// The objects of an array, a line each, with `seq`: the order that the array is in.
std::vector<std::string> lines_of_array(const std::string& array) {
  std::vector<std::string> lines;
  std::string line;
  int depth = 0;
  for (const char c : array.substr(array.find('[') + 1)) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth > 0 && c != '\n') {
      line += c;
    } else if (c == '}') {
      lines.push_back(R"({"seq":)" + std::to_string(lines.size() + 1) + "," + line.substr(1) +
                      "}\n");
      line.clear();
    }
  }
  return lines;
}

constexpr auto kNames = {
    "int",         "ext",   "noconflict",   "session", "start-after-commit", "before",
    "uncommitted", "after", "intermediate", "aborted", "own-future",         "nowhere"};

Counts counts_of_check(const std::string& report) {
  Counts counts;
  for (const char* name : kNames) {
    for (const char* field : {R"("elapid/axiom": ")", R"("elapid/origin": ")"}) {
      const std::string what = field + std::string(name) + '"';
      for (std::size_t at = report.find(what); at != std::string::npos;
           at = report.find(what, at + 1)) {
        ++counts[name];
      }
    }
  }
  return counts;
}

Counts counts_of_watch(const std::string& told) {
  const std::string summary = last_line(told);
  Counts counts;
  for (const char* name : kNames) {
    const std::size_t violations = summary.find(R"("violations":)");
    REQUIRE(violations != std::string::npos);
    if (const std::string count = field_of(summary.substr(violations), name); !count.empty()) {
      counts[name] = std::stoul(count.substr(count.find(':') + 1));
    }
  }
  return counts;
}

/// How a program ends, and what it writes.
std::pair<int, std::string> outcome(const std::vector<std::string>& arguments,
                                    const TemporaryFolder& folder) {
  const std::string output = folder.path() / "output";
  fs::remove(output);
  const int code = run_program(arguments, output);
  return {code, read_text(output)};
}

TEST_CASE("watch corpus: in any order as many violations as the check of the whole finds") {
  const fs::path corpus = fs::path(ELAPID_SHARED) / "corpus/crafted/timestamps";
  if (!fs::exists(corpus)) {
    std::cerr << "SKIPPED: there is no " << corpus << '\n';
    return;
  }
  const TemporaryFolder folder;
  std::size_t violations = 0;
  for (const auto& entry : fs::directory_iterator(corpus)) {
    const std::vector<std::string> in_order = lines_of_array(read_text(entry.path()));
    REQUIRE(!in_order.empty());
    for (const std::string level : {"snapshot-isolation", "si", "ser"}) {
      INFO(entry.path() << " " << level);
      const auto [checked, report] = outcome({"check", "--engine", "timestamps", "-c", level, "-o",
                                              "json", "--initial", "0", entry.path()},
                                             folder);
      const std::uint64_t first = stride() > 1 ? 1 : 0;  // 0: in the order of the file
      for (std::uint64_t seed = first; seed <= round_count(4, 20); ++seed) {
        std::vector<std::string> lines = in_order;
        if (seed > 0) {
          Random(seed).shuffle(lines);
        }
        std::string text;
        for (const std::string& line : lines) {
          text += line;
        }
        const auto [watched, told] =
            outcome({"watch", "--to-end", "-c", level, "--initial", "0", "--memory", "1K",
                     "--watermark", "50", folder.write("stream.jsonl", text)},
                    folder);
        CHECK(watched == checked);
        CHECK(counts_of_watch(told) == counts_of_check(report));
        violations += counts_of_watch(told).size();
      }
    }
  }
  CHECK(violations > 50);
}

}  // namespace
}  // namespace elapid
