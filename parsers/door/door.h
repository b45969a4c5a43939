// The one door: from an input to its verdicts. Every caller of the checker goes through it:
// subcommands, a service, other programs.
//
//   const auto checked = check_input("store/latest", {.check = {.models = {Model::kPlSs}}});
//   if (checked && checked.value().front().verdict.validity == Validity::kInvalid) { ... }
//
// The door loads an input, decides the demanded models if the caller names none, and keeps to the
// limits. It prints nothing, and speaks of limits in the caller's words (Limits::words).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check/check.h"
#include "engine/ir/result.h"
#include "engine/verdict/event_fields.h"
#include "engine/verdict/verdict.h"
#include "parsers/door/level_rules.h"
#include "parsers/door/limits.h"
#include "parsers/read.h"

namespace elapid {

/// What to do with an input.
struct CheckJob {
  ReadOptions read = {};
  CheckOptions check = {};
  Limits limits = {};                       ///< of each history's check
  bool demands_default = false;             ///< the caller names no models: see set_demands()
  LevelRules levels = {};                   ///< the user's rules for transactions' levels
  std::optional<double> availability = {};  ///< least share of successful operations
};

/// Callbacks for progress; returning false stops the work. Either may be empty.
struct Observer {
  std::function<bool(std::uint64_t done, std::uint64_t total)> reading = {};  ///< bytes
  std::function<bool(std::string_view stage)> checking = {};
};

/// A history with its verdict.
struct CheckedHistory {
  LoadedHistory loaded;
  Verdict verdict;
  std::chrono::duration<double> reading = {};
  std::chrono::duration<double> checking = {};
};

/// Sets in `options` the models that the job demands of the history, and the levels of
/// transactions. If the job names no models: those that the test's map claims
/// (`:consistency-models`), else strict serializability, as Elle; for session traces without real
/// time strong session serializability; for a workload without levels none. Returns why levels
/// that the history or its test's map names do not count; empty if they count, or if there are
/// none.
std::string set_demands(const CheckJob& job, const LoadedHistory& loaded, CheckOptions& options);

/// Checks a history that was read, with the settings in its test's map (test_settings.h), except
/// with elle_compat. Errors as of check_input(), without a file's name.
[[nodiscard]] Result<Verdict> check_loaded(const LoadedHistory& loaded,
                                           const CheckOptions& options);

/// Checks a history as a job asks: with the models of set_demands(), and within the limits.
[[nodiscard]] Result<Verdict> check_as_asked(const LoadedHistory& loaded, const CheckJob& job,
                                             const Observer& observer = {});

/// Checks a history that need not come from a file, without a test's map.
[[nodiscard]] Result<Verdict> check_history(const History& history, const CheckOptions& options);

/// The place of a history among those of its input.
struct HistoryPlace {
  std::size_t place = 0;
  std::size_t count = 1;
  std::string key = {};  ///< of independent keys, as LoadedHistory::key()
};

/// Takes a history with its verdict, or the error of its check.
using VisitHistory = std::function<void(Result<CheckedHistory> history, HistoryPlace at)>;

/// As check_input(), but hands over each history once it is checked, in any order, so that not all
/// need to be in memory. The error of one check does not end those of the other keys. Histories
/// that were handed over do not count if the input cannot be read: that error is returned. If a
/// place is handed over twice, the later history counts.
[[nodiscard]] Status check_each(const std::string& path, const CheckJob& job,
                                const Observer& observer, const VisitHistory& visit);

/// Reads `path` and checks its histories: one, or one for each independent key. If memory runs out
/// during the check, the verdict is unknown. If processes share the work, the first one has the
/// answer, and the others have none. Errors: of the reader, of the engine, and kUsage for a
/// workload without a check.
[[nodiscard]] Result<std::vector<CheckedHistory>> check_input(const std::string& path,
                                                              const CheckJob& job,
                                                              const Observer& observer = {});

/// Whether the input can be read a second time: a pipe cannot.
[[nodiscard]] bool can_be_reread(const std::string& path);

/// The name of a history in reports: its path, and its independent key.
[[nodiscard]] std::string label_of(const std::string& path, const LoadedHistory& history);

/// Completes the error of a judge: adds the history's name, and the line of the operation.
[[nodiscard]] Error completed(Error error, const std::string& path, LoadedHistory& loaded);

/// Reads those fields of an event that the history does not keep from its source again.
[[nodiscard]] EventFieldsFn event_fields(LoadedHistory& loaded);

}  // namespace elapid
