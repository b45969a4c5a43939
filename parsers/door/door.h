// The one door: from an input to its verdicts. Every caller of the checker goes through it:
// subcommands, a service, other programs.
//
//   const auto checked = check_input("store/latest", {.check = {.models = {Model::kPlSs}}});
//   if (checked && checked.value().front().verdict.validity == Validity::kInvalid) { ... }
//
// The door loads, decides what is demanded where the caller does not say, and keeps to the limits.
// It prints nothing, and speaks of limits in the caller's words (Limits::words).
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
  bool demands_default = false;             ///< check.models were not asked for: see set_demands
  LevelRules levels = {};                   ///< what the user says of transactions' levels
  std::optional<double> availability = {};  ///< share of operations that have to succeed
};

/// Told how far the work is; false stops it. Either may be empty.
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

/// Sets in `options` what the job demands of the history. Where the user does not say, that is
/// what the map of the test claims (`:consistency-models`), else strict serializability, as Elle;
/// of session traces that know no real time, strong session serializability; nothing where the
/// workload has no levels; and the levels of the transactions where these have some of their own.
/// Returns why levels that the history names do not count; empty if they do, or if there are none.
std::string set_demands(const CheckJob& job, const LoadedHistory& loaded, CheckOptions& options);

/// Checks a history that was read, with what the map of its test tells (test_settings.h), unless
/// the question is what elle-cli answers. Errors as below, without a file's name.
[[nodiscard]] Result<Verdict> check_loaded(const LoadedHistory& loaded,
                                           const CheckOptions& options);

/// The same as a job asks: with the models demanded where the user does not say, and the limits.
[[nodiscard]] Result<Verdict> check_as_asked(const LoadedHistory& loaded, const CheckJob& job,
                                             const Observer& observer = {});

/// The same of a history that need not come from a file.
[[nodiscard]] Result<Verdict> check_history(const History& history, const CheckOptions& options);

/// The place of a history among those of its input.
struct HistoryPlace {
  std::size_t place = 0;
  std::size_t count = 1;
};

using VisitHistory = std::function<void(CheckedHistory history, HistoryPlace at)>;

/// As check_input(), but gives each history away as soon as it is checked, in any order, so that
/// not all need to be in memory. After an error, and where one place is given again, what was given
/// before does not count.
[[nodiscard]] Status check_each(const std::string& path, const CheckJob& job,
                                const Observer& observer, const VisitHistory& visit);

/// Reads `path` and checks what is in it, one history or, if they are independent, one a key.
/// Running out of memory while checking gives unknown. Where processes share the work, the first
/// one has the answer, and the others nothing. Error: of the reader, of the engine, and
/// kUsage for a workload without a check.
[[nodiscard]] Result<std::vector<CheckedHistory>> check_input(const std::string& path,
                                                              const CheckJob& job,
                                                              const Observer& observer = {});

/// Whether what is read from there is there a second time, as it is not of a pipe.
[[nodiscard]] bool can_be_reread(const std::string& path);

/// What a history is called in reports: its path, and the independent key it is of.
[[nodiscard]] std::string label_of(const std::string& path, const LoadedHistory& history);

/// Reads what the history does not keep of an event from its source again.
[[nodiscard]] EventFieldsFn event_fields(LoadedHistory& loaded);

}  // namespace elapid
