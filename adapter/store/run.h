// Runs of a Jepsen store: folders `<store>/<test>/<time>`.
//
// While a test runs, Jepsen keeps `test.jepsen` there and notes each operation in it. When the last
// one has completed, it writes `history.edn`, has the link `<store>/<test>/latest` point at the
// run, and asks its checkers; when these have answered it writes `results.edn`. Checkers may die,
// and then there are no results. So a run has ended once it has a history and either of the other
// two: by then its history is written, and remains as it is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace elapid {

/// The folder of the run that a history is of: the history is that folder, or a file `history.edn`
/// or `test.jepsen` in it. Nothing for other histories.
[[nodiscard]] std::optional<std::filesystem::path> run_of(const std::string& history);

/// Whether nothing is going to happen to the history any more.
[[nodiscard]] bool has_ended(const std::filesystem::path& run);

/// Tells one state of a history from another: its size, and when it was changed.
struct HistoryStamp {
  std::uintmax_t bytes = 0;
  std::filesystem::file_time_type changed = {};

  friend bool operator==(const HistoryStamp&, const HistoryStamp&) = default;
};

/// That of `history.edn`, or else of `test.jepsen`, to which Jepsen adds results later.
[[nodiscard]] HistoryStamp stamp_of_run(const std::filesystem::path& run);

}  // namespace elapid
