#include "engine/check/certification.h"

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/certify/certify.h"

namespace elapid {

namespace {

Error internal_error(std::string message) {
  return {.kind = ErrorKind::kInternal, .message = std::move(message)};
}

std::optional<Error> certify_levels(const History& history, const CheckOptions& options,
                                    std::span<const LevelAnswer> levels,
                                    const std::function<bool()>& keep_going) {
  LevelCertifier certifier(history, options.assumptions, keep_going);
  for (const LevelAnswer& level : levels) {
    if (!keep_going()) {
      break;
    }
    if (const auto flaw = certifier.check(level)) {
      return internal_error("evidence did not survive certification: " +
                            std::string(friendly_name(level.model)) + ": " + *flaw);
    }
  }
  return std::nullopt;
}

/// `levels`: those that the anomalies may refer to.
std::optional<Error> certify_anomalies(const History& history, const CheckOptions& options,
                                       const std::vector<Anomaly>& anomalies,
                                       std::span<const LevelAnswer> levels,
                                       std::vector<std::string>& warnings,
                                       const std::function<bool()>& keep_going) {
  const Certifier certifier(history, options.assumptions, history.has_lists(), levels);
  for (const CertifyFailure& failure : certifier.certify(anomalies, keep_going)) {
    const std::string which =
        std::string(name(anomalies[failure.anomaly].type)) + ": " + failure.reason;
    if (!options.assumptions.elle_compat) {
      return internal_error("evidence did not survive certification: " + which);
    }
    warnings.push_back("reported as Elle does, but it does not follow from the operations: " +
                       which);
  }
  return std::nullopt;
}

std::optional<Error> certify_evidence(const History& history, const CheckOptions& options,
                                      const std::vector<Anomaly>& anomalies,
                                      std::span<const LevelAnswer> levels,
                                      std::vector<std::string>& warnings,
                                      const std::function<bool()>& keep_going) {
  auto error = certify_levels(history, options, levels, keep_going);
  return error ? error
               : certify_anomalies(history, options, anomalies, levels, warnings, keep_going);
}

}  // namespace

std::optional<Error> certify_verdict(const History& history, const CheckOptions& options,
                                     const KnownModels& known, const UnshownEvidence& unshown,
                                     Verdict& verdict) {
  const ModelSet torn =
      (known.proven() & known.refuted()) | (unshown.known.proven() & unshown.known.refuted());
  if (torn.any() && !options.assumptions.elle_compat) {
    const Model first = torn.first();
    return internal_error("engines contradict one another about " +
                          std::string(friendly_name(first)));
  }
  bool was_stopped = false;
  const auto keep_going = [&] {
    was_stopped = was_stopped || (options.may_certify && !options.may_certify());
    return !was_stopped;
  };
  const auto certify = [&](const std::vector<Anomaly>& anomalies,
                           const std::vector<LevelAnswer>& levels) {
    return certify_evidence(history, options, anomalies, levels, verdict.warnings, keep_going);
  };
  auto error = certify(unshown.anomalies, unshown.levels);
  error = error ? error : certify(verdict.anomalies, verdict.levels);
  if (was_stopped) {  // the error may only be that the check was told to stop
    verdict = verdict_uncertified(options, verdict.engine);
    return std::nullopt;
  }
  return error;
}

}  // namespace elapid
