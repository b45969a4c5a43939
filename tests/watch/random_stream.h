// Streams of a database whose isolation is nearly right, as they would be recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace elapid {

struct RandomStreamOptions {
  std::size_t txns = 1000;
  /// In the recorder format, with aborted and indeterminate transactions; else in TimeKiller's.
  bool is_recorder = false;
  bool is_list = false;
  /// How many places a transaction comes late at most; one in a hundred ten times as many.
  std::size_t delay = 50;
};

/// Lines, each with its newline. Commits are 10, 20, ...; starts never equal them. There are some
/// violations of each axiom, and some lines that are none.
[[nodiscard]] std::vector<std::string> random_stream(const RandomStreamOptions& options,
                                                     std::uint64_t seed);

}  // namespace elapid
