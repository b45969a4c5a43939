// The questions about a history that an engine refuses.
#pragma once

#include <optional>

#include "engine/check/check.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/workloads/table.h"

namespace elapid {

/// Whether the workload's judge answers instead of the engines of levels: the workload has one, and
/// the options ask for nothing that the judge does not know. Registers of single operations have
/// both, since each operation is a transaction too.
[[nodiscard]] bool is_judged(const WorkloadRow& row, const CheckOptions& options);

/// Whether a judge answers by rules of the workload's own, and about no level. They know no
/// assumptions about keys.
[[nodiscard]] bool has_own_rules(const WorkloadRow& row, const CheckOptions& options);

/// The reason why the requested engine cannot answer the question about `history`, as far as it is
/// known without a search; nothing if it can. kUsage, as for check().
[[nodiscard]] std::optional<Error> refusal(const History& history, const CheckOptions& options);

}  // namespace elapid
