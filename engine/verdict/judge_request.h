// The question to a workload that has no isolation levels.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/levels/models.h"
#include "engine/verdict/workload_settings.h"

namespace elapid {

/// What a failed compare-and-set says of the value.
enum class FailedCas : std::uint8_t {
  kUnsaid,   ///< as the history's format has it (HistoryInfo::failed_cas_shows)
  kDropped,  ///< nothing: it may have failed for any reason
  kWitness,  ///< that the value was not the expected one
};

struct JudgeRequest {
  /// The demanded models, among WorkloadRow::models. None: the first of these, if there are any.
  ModelSet models = {};
  /// Whether to give the verdict of Jepsen's checker, with its false alarms.
  bool elle_compat = false;
  FailedCas failed_cas = FailedCas::kUnsaid;
  WorkloadSettings settings = {};
  /// The most steps of a search for one object; deterministic.
  std::uint64_t work = 1'000'000'000;
  /// Asked now and then in a search. False: the verdict is unknown, because of `spent_budget`.
  std::function<bool()> has_budget = {};
  std::string spent_budget = {};
};

}  // namespace elapid
