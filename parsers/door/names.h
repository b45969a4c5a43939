// What users type: names of levels, anomalies, workloads, formats and engines; durations and sizes.
//
// Every failure is a usage error that says which name was meant, or what there is to choose from.
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

/// A level and what the user calls it.
struct NamedModel {
  Model model;
  std::string name;
};

/// The level demanded where the user names none, as in Elle.
inline constexpr std::string_view kDefaultModel = "strict-serializable";

/// The parts of a comma-separated list, without blanks around them; nothing for "" and for "none".
[[nodiscard]] std::vector<std::string_view> split_list(std::string_view list);

/// Comma-separated levels, `none` or `all` (every level that can be checked). With `elle_compat`
/// one that Elle does not know is refused, in Elle's spelling only.
[[nodiscard]] Result<ModelSet> parse_models(std::string_view list, bool elle_compat);

/// The same, one by one in the order asked for, each with the name it was asked for by; a level
/// asked for twice counts once. `all`: by their friendly names.
[[nodiscard]] Result<std::vector<NamedModel>> parse_model_list(std::string_view list,
                                                               bool elle_compat);

/// Whether the list is `all`: each level that there is.
[[nodiscard]] bool is_all(std::string_view list);

/// One level by any of its names, in capitals or not; `psi` is parallel snapshot isolation.
[[nodiscard]] Result<Model> parse_model(std::string_view name);

/// Comma-separated anomalies, or `none`.
[[nodiscard]] Result<AnomalySet> parse_anomalies(std::string_view list);

/// A workload that can be checked.
[[nodiscard]] Result<Workload> parse_workload(std::string_view name);

/// A format that can be read; likewise.
[[nodiscard]] Result<FormatName> parse_format(std::string_view name);

/// Whether this engine exists; likewise.
[[nodiscard]] Result<Engine> parse_engine(std::string_view name);

// What there is to choose from, for help and completion.
[[nodiscard]] std::vector<std::string_view> lock_kinds();  ///< WorkloadSettings::lock
[[nodiscard]] std::vector<std::string_view> level_words();
[[nodiscard]] std::vector<std::string_view> anomaly_words();
[[nodiscard]] std::vector<std::string_view> engine_names();

/// So much may be added to any clock's time, in nanoseconds too.
inline constexpr std::chrono::hours kLongestDuration{1'000'000};
inline constexpr std::uint64_t kLongestMilliseconds =
    std::chrono::milliseconds(kLongestDuration).count();

/// A positive number of `ms`, `s` (also without a unit), `m` or `h`, at most kLongestDuration.
[[nodiscard]] Result<std::chrono::milliseconds> parse_duration(std::string_view text);

/// A positive number of bytes, or of `K`, `M`, `G` or `T` of them, 1024 to the power of 1 to 4.
[[nodiscard]] Result<std::uint64_t> parse_bytes(std::string_view text);

/// What readers count in a line, at least two bytes each, then has no more than 32 bits.
inline constexpr std::uint64_t kLongestLine = std::uint64_t{4} << 30;

/// The same for the length of a line, at most kLongestLine.
[[nodiscard]] Result<std::uint64_t> parse_line_length(std::string_view text);

}  // namespace elapid
