// Which questions an engine cannot be asked of a history.
#pragma once

#include <optional>

#include "engine/check/check.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/workloads/table.h"

namespace elapid {

/// Whether the workload's judge answers, rather than the engines of levels: it has one, and is
/// asked for no more than it knows. Registers of single operations have both: each operation is a
/// transaction, too.
[[nodiscard]] bool is_judged(const WorkloadRow& row, const CheckOptions& options);

/// Why the engine asked for cannot answer what is asked of `history`, which is known without any
/// search; nothing if it can. kUsage, as check() has it.
[[nodiscard]] std::optional<Error> refusal(const History& history, const CheckOptions& options);

}  // namespace elapid
