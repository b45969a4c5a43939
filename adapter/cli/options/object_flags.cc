#include "adapter/cli/options/object_flags.h"

#include "adapter/cli/options/names.h"

namespace elapid {

void add_failed_cas_flag(Options& options, std::string& how) {
  options
      .value("--failed-cas", "HOW", how,
             "What a compare-and-set that failed tells: drop, nothing; witness, that the value was "
             "another (default: as the format says; Porcupine's are witnesses)")
      .one_of({"drop", "witness"});
}

FailedCas failed_cas_of(std::string_view how) {
  return how.empty()     ? FailedCas::kUnsaid
         : how == "drop" ? FailedCas::kDropped
                         : FailedCas::kWitness;
}

void add_lock_flags(Options& options, WorkloadSettings& settings) {
  options
      .value("--lock", "KIND", settings.lock,
             "mutex: plain (default), owned, reentrant, fenced, reentrant-fenced or semaphore")
      .one_of(lock_kinds());
  options.number("--lock-limit", "N", settings.lock_limit,
                 "mutex: holds of a reentrant lock, permits of a semaphore (default 2)",
                 {.least = 1});
}

}  // namespace elapid
