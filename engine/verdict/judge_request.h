// What is asked of a workload without isolation levels.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/levels/models.h"
#include "engine/verdict/workload_settings.h"

namespace elapid {

/// What a compare-and-set that failed tells.
enum class FailedCas : std::uint8_t {
  kUnsaid,   ///< what the history's format says (HistoryInfo::failed_cas_shows)
  kDropped,  ///< nothing: it may have failed for any reason
  kWitness,  ///< that the value was another than the one expected
};

struct JudgeRequest {
  /// The models demanded, among WorkloadRow::models; none: the first of these, if there are any.
  ModelSet models = {};
  /// The verdict of Jepsen's checker of the workload, false alarms included.
  bool elle_compat = false;
  FailedCas failed_cas = FailedCas::kUnsaid;
  WorkloadSettings settings = {};
  /// Steps of a search, an object; deterministic.
  std::uint64_t work = 1'000'000'000;
  /// Asked now and then in a search; returning false gives unknown, because of `spent_budget`.
  std::function<bool()> has_budget = {};
  std::string spent_budget = {};
};

}  // namespace elapid
