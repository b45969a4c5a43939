// The question to a workload that has no isolation levels.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/levels/models.h"
#include "engine/verdict/workload_settings.h"

namespace elapid {

/// The meaning of a failed compare-and-set for the value.
enum class FailedCas : std::uint8_t {
  kUnsaid,   ///< as in the history's format (HistoryInfo::failed_cas_shows)
  kDropped,  ///< nothing: it may have failed for any reason
  kWitness,  ///< the value was not the expected one
};

struct JudgeRequest {
  /// The demanded models, among WorkloadRow::models. If empty: the first of these, if there is one,
  /// or the workload's own claim (WorkloadRow::has_own_claim).
  ModelSet models = {};
  /// Whether to give the verdict of Jepsen's checker, with its false alarms.
  bool elle_compat = false;
  FailedCas failed_cas = FailedCas::kUnsaid;
  WorkloadSettings settings = {};
  /// The most steps of a search for one object; deterministic.
  std::uint64_t work = 1'000'000'000;
  /// Called now and then in a search. If it returns false, the verdict is unknown.
  std::function<bool()> has_budget = {};
  std::string spent_budget = {};  ///< the reason in that verdict
  /// The work of an earlier request that left the answer open. What did as much then is not tried
  /// again.
  std::uint64_t work_before = 0;

  [[nodiscard]] bool is_spent() const { return has_budget && !has_budget(); }
};

}  // namespace elapid
