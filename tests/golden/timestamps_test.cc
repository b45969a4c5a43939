// Histories of TimeKiller's format with violations that were put into them: each is found, and
// nothing else. Counts by the axioms read word for word, pair by pair.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

#include "engine/timestamps/check_timestamps.h"
#include "parsers/read.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

/// By axiom: int, ext, noconflict, session, real-time, start-after-commit. Nothing, said aloud,
/// where the shared folder is missing.
std::optional<std::array<std::uint64_t, kTimestampAxiomCount>> counts(const std::string& name,
                                                                      ReadPoint point) {
  const fs::path path = fs::path(ELAPID_SHARED) / "corpus/crafted/timestamps" / name;
  if (!fs::exists(path)) {
    std::cerr << "SKIPPED: there is no " << path << '\n';
    return std::nullopt;
  }
  const Result<LoadedHistory> loaded = read_history(path.string(), {.initial = "0"});
  REQUIRE(loaded.ok());
  return check_timestamps(loaded.value().history(), {.read_point = point, .sessions = true})
      .counts.by_axiom;
}

void check_counts(const std::string& name, std::array<std::uint64_t, kTimestampAxiomCount> expected,
                  ReadPoint point = ReadPoint::kStart) {
  INFO(name);
  if (const auto found = counts(name, point)) {
    CHECK(*found == expected);
  }
}

TEST_CASE("timestamps corpus: injected violations are counted kind by kind") {
  check_counts("injected-EXT.json", {0, 3, 0, 0, 0, 0});
  check_counts("injected-INT.json", {4, 0, 0, 0, 0, 0});  // one makes the next read wrong
  check_counts("injected-NOCONFLICT.json", {0, 0, 4, 0, 0, 0});
  check_counts("injected-SESSION.json", {0, 0, 0, 3, 0, 0});
}

TEST_CASE("timestamps corpus: where other checkers count wrongly") {
  check_counts("double-write-one-conflict.json", {0, 0, 1, 0, 0, 0});
  check_counts("enclosing-conflict.json", {0, 0, 1, 0, 0, 0});
  check_counts("enclosing-conflict-reversed.json", {0, 0, 1, 0, 0, 0});
  check_counts("list-wrong-prefix.json", {0, 1, 0, 0, 0, 0});
  check_counts("negative-and-sparse-keys.json", {0, 0, 0, 0, 0, 0});
  check_counts("start-after-commit.json", {0, 0, 0, 0, 0, 1});
  check_counts("write-skew.json", {0, 0, 0, 0, 0, 0});
  check_counts("write-skew.json", {0, 1, 0, 0, 0, 0}, ReadPoint::kCommit);
}

}  // namespace
}  // namespace elapid
