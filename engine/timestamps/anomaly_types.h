// Elle's and Adya's names for violations of timestamps.
#ifndef ELAPID_ENGINE_TIMESTAMPS_ANOMALY_TYPES_H_
#define ELAPID_ENGINE_TIMESTAMPS_ANOMALY_TYPES_H_

#include "engine/ir/history.h"
#include "engine/models.h"
#include "engine/verdict.h"

namespace elapid {

/// The type that fits closest. What no cycle of dependencies shows, but dependencies together with
/// the order of time, has the names of Adya's thesis, 4.3: GSIa (interference) is a dependency on
/// somebody who had not committed when one started, GSIb (missed effects) an anti-dependency
/// towards somebody who had. It is G-single-item where the reader depends on that one, too, and
/// lost-update where both writers had read one version. Of serial orders and orders of sessions
/// there is but the existence of a cycle to be said. Linear in the operations of the transactions.
[[nodiscard]] AnomalyType anomaly_type(const History& history, const TimestampEvidence& violation);

/// Whether an anomaly of this type shows in what was read and written, whatever the timestamps say.
[[nodiscard]] bool rests_on_reads_alone(AnomalyType type);

}  // namespace elapid

#endif  // ELAPID_ENGINE_TIMESTAMPS_ANOMALY_TYPES_H_
