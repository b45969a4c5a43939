// Properties of histories to keep while they are made small: an anomaly, or the violation of a
// level.
//
// A candidate may show no anomaly in single reads (a read of an unwritten value, say) unless the
// whole history did: else a lost update would shrink to a transaction that contradicts itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/check/check.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"
#include "harness/minimize/minimize.h"

namespace elapid {

/// An anomaly that a verdict shows, and the transactions that its evidence names, with those that
/// only show what others did; ascending.
struct FoundAnomaly {
  std::string name = {};  ///< of its type, as `G-single-item`; of workloads without levels theirs
  std::vector<TxnId> named = {};
};

/// What can be kept of an invalid verdict, in the order of its report. A search that ended early is
/// no anomaly.
[[nodiscard]] std::vector<FoundAnomaly> anomalies_found(const History& history,
                                                        const Verdict& verdict);

/// The history is still invalid, and shows an anomaly of this name. `verdict`: of the whole
/// history, by the same options. Where all that is known of the anomaly is that some level is
/// impossible, that level must stay violated, and no weaker one that was not.
[[nodiscard]] Keeps keeps_anomaly(std::string_view name, const Verdict& verdict,
                                  const CheckOptions& options);

/// The transactions that the evidence names in a candidate, for MinimizeOptions::name_evidence: of
/// the anomaly of this name, otherwise of the first.
[[nodiscard]] std::vector<TxnId> named_in(const History& history, std::string_view name,
                                          const CheckOptions& options);

/// The history is still invalid, whatever shows it.
[[nodiscard]] Keeps keeps_violation(const Verdict& verdict, const CheckOptions& options);

}  // namespace elapid
