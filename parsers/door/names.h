// What users type: names of levels, anomalies, workloads, formats and engines; durations and sizes.
//
// Every failure is a usage error with the wrong name, or with all possible names.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check/check.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "parsers/read.h"

namespace elapid {

/// A level, and the user's name of it.
struct NamedModel {
  Model model;
  std::string name;
};

/// The level that is demanded if the user names none, as in Elle.
inline constexpr std::string_view kDefaultModel = "strict-serializable";

/// A list without names, for a place where no text means that there is no list.
inline constexpr std::string_view kEmptyList = ",";

/// The parts of a comma-separated list, without blanks around them; nothing for "" and for "none".
[[nodiscard]] std::vector<std::string_view> split_list(std::string_view list);

/// Comma-separated levels, `none` or `all` (every level that can be checked). A list without names
/// is an error. With `elle_compat` only Elle's levels are accepted, in Elle's spelling. Then a list
/// may be empty, and empty names at its end do not count, as in elle-cli.
[[nodiscard]] Result<ModelSet> parse_models(std::string_view list, bool elle_compat);

/// As parse_models(), but in the order of the list, each level with the user's name of it. A level
/// that the list repeats counts once. `all`: with the friendly names.
[[nodiscard]] Result<std::vector<NamedModel>> parse_model_list(std::string_view list,
                                                               bool elle_compat);

/// Whether the list is `all`.
[[nodiscard]] bool is_all(std::string_view list);

/// One level by any of its names, in capitals or not; `psi` is parallel snapshot isolation.
[[nodiscard]] Result<Model> parse_model(std::string_view name);

/// Comma-separated anomalies, or `none`.
[[nodiscard]] Result<AnomalySet> parse_anomalies(std::string_view list);

/// A workload that can be checked.
[[nodiscard]] Result<Workload> parse_workload(std::string_view name);

/// A format that can be read.
[[nodiscard]] Result<FormatName> parse_format(std::string_view name);

/// An engine.
[[nodiscard]] Result<Engine> parse_engine(std::string_view name);

// All possible names, for help and completion.
[[nodiscard]] std::vector<std::string_view> lock_kinds();  ///< WorkloadSettings::lock
[[nodiscard]] std::vector<std::string_view> level_words();
[[nodiscard]] std::vector<std::string_view> anomaly_words();
[[nodiscard]] std::vector<std::string_view> engine_names();

/// The longest duration that can be added to any clock's time, also in nanoseconds.
inline constexpr std::chrono::hours kLongestDuration{1'000'000};
inline constexpr std::uint64_t kLongestMilliseconds =
    std::chrono::milliseconds(kLongestDuration).count();

/// A positive number of `ms`, `s` (also without a unit), `m` or `h`, at most kLongestDuration.
[[nodiscard]] Result<std::chrono::milliseconds> parse_duration(std::string_view text);

/// A positive number of bytes, or of `K`, `M`, `G` or `T`: 1024 to the power of 1 to 4 bytes.
[[nodiscard]] Result<std::uint64_t> parse_bytes(std::string_view text);

/// A longer line would need more than 32 bits for readers' counts of things of two bytes or more.
inline constexpr std::uint64_t kLongestLine = std::uint64_t{4} << 30;

/// A length of a line, as parse_bytes() reads it, at most kLongestLine.
[[nodiscard]] Result<std::uint64_t> parse_line_length(std::string_view text);

}  // namespace elapid
