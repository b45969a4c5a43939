// The anomalies of rw-register histories that need no cycle.
#pragma once

#include <vector>

#include "engine/verdict/verdict.h"
#include "engine/workloads/rw_register/register_versions.h"

namespace elapid {

/// internal: reads that contradict the transaction's own earlier operations; the first of each.
void find_register_internal(const History& history, std::vector<Anomaly>& out);

/// G1a, G1b and garbage-read: values of aborted transactions, of intermediate states, of no
/// transaction.
void find_register_bad_reads(const History& history, const RegisterVersions& versions,
                             std::vector<Anomaly>& out);

}  // namespace elapid
