// Names that users type: levels, anomalies, workloads, formats, engines.
//
// Every failure is a usage error that says which name was meant, or what there is to choose from.
#ifndef ELAPID_ADAPTER_CLI_NAMES_H_
#define ELAPID_ADAPTER_CLI_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "engine/check.h"
#include "engine/ir/result.h"
#include "engine/models.h"
#include "parsers/read.h"

namespace elapid {

/// The level demanded where the user names none, as in Elle.
inline constexpr std::string_view kDefaultModel = "strict-serializable";

/// The parts of a comma-separated list; nothing for "" and for "none".
[[nodiscard]] std::vector<std::string_view> split_list(std::string_view list);

/// Comma-separated levels, `none` or `all` (every level that can be checked). A level without a
/// sound check is refused with its reason; with `elle_compat` one that Elle does not know instead.
[[nodiscard]] Result<ModelSet> parse_models(std::string_view list, bool elle_compat);

/// One level by any of its names.
[[nodiscard]] Result<Model> parse_model(std::string_view name);

/// Comma-separated anomalies, or `none`.
[[nodiscard]] Result<AnomalySet> parse_anomalies(std::string_view list);

/// A workload that can be checked. Those known but not there yet are told apart from unknown ones.
[[nodiscard]] Result<Workload> parse_workload(std::string_view name);

/// A format that can be read; likewise.
[[nodiscard]] Result<FormatName> parse_format(std::string_view name);

/// Whether this engine exists; likewise.
[[nodiscard]] Result<Engine> parse_engine(std::string_view name);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_NAMES_H_
