// Properties of histories that minimization keeps: an anomaly, or the violation of a
// level.
//
// A candidate may have an anomaly of single reads (a read of an unwritten value, say) only if the
// whole history has one. Else a lost update would shrink to a transaction that contradicts itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/check/check.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"
#include "harness/minimize/minimize.h"

namespace elapid {

/// An anomaly of a verdict, and the transactions that its evidence names, with those that only show
/// what others did; ascending.
struct FoundAnomaly {
  std::string name = {};  ///< type, as `G-single-item`; or a name of a workload without levels
  std::vector<TxnId> named = {};
};

/// The anomalies of an invalid verdict, in the order of its report. A search that ended early is no
/// anomaly.
[[nodiscard]] std::vector<FoundAnomaly> anomalies_found(const History& history,
                                                        const Verdict& verdict);

/// The history is still invalid, and has an anomaly of this name. `verdict`: of the whole history,
/// with the same options. If the anomaly is only known as a violated level, this level must stay
/// violated, and no weaker level may become violated.
[[nodiscard]] Keeps keeps_anomaly(std::string_view name, const Verdict& verdict,
                                  const CheckOptions& options);

/// For MinimizeOptions::name_evidence: the transactions that the evidence names in a candidate, for
/// the anomaly of this name, or else for the first anomaly.
[[nodiscard]] std::vector<TxnId> named_in(const History& history, std::string_view name,
                                          const CheckOptions& options);

/// The history is still invalid, by any evidence.
[[nodiscard]] Keeps keeps_violation(const Verdict& verdict, const CheckOptions& options);

}  // namespace elapid
