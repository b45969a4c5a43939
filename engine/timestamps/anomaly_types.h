// Elle's and Adya's names for violations of timestamps.
#pragma once

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The type of a violation; see TimestampViolationKind. Linear in the operations of the
/// transactions.
[[nodiscard]] AnomalyType anomaly_type(const History& history, const TimestampEvidence& violation);

/// Whether an anomaly of this type shows in reads and writes alone, without timestamps.
[[nodiscard]] bool rests_on_reads_alone(AnomalyType type);

}  // namespace elapid
