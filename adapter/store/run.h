// Runs of a Jepsen store: folders `<store>/<test>/<time>`.
//
// While a test runs, Jepsen keeps `test.jepsen` there and notes each operation in it. After the
// last completion, it writes `history.edn`, makes the link `<store>/<test>/latest` point at the
// run, and runs its checkers; after their answers it writes `results.edn`. If checkers die, there
// are no results. So a run has ended if it has a history and either the link or the results: then
// its history is written, and no longer changes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace elapid {

/// The run's folder of a history. The history is that folder, or a file `history.edn` or
/// `test.jepsen` in it. Nothing for other histories.
[[nodiscard]] std::optional<std::filesystem::path> run_of(const std::string& history);

/// Whether the history no longer changes.
[[nodiscard]] bool has_ended(const std::filesystem::path& run);

/// Differs between two states of a history: its size, and its time of change.
struct HistoryStamp {
  std::uintmax_t bytes = 0;
  std::filesystem::file_time_type changed = {};

  friend bool operator==(const HistoryStamp&, const HistoryStamp&) = default;
};

/// The stamp of `history.edn`, or else of `test.jepsen`, to which Jepsen adds results later.
[[nodiscard]] HistoryStamp stamp_of_run(const std::filesystem::path& run);

}  // namespace elapid
