#include "engine/check/certification.h"

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
                                    std::span<const LevelAnswer> levels) {
  for (const LevelAnswer& level : levels) {
    if (const auto flaw = check_level_answer(history, level, options.assumptions)) {
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
                                       std::vector<std::string>& warnings) {
  const Certifier certifier(history, options.assumptions, history.has_lists(), levels);
  for (const CertifyFailure& failure : certifier.certify(anomalies)) {
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
                                      std::vector<std::string>& warnings) {
  auto error = certify_levels(history, options, levels);
  return error ? error : certify_anomalies(history, options, anomalies, levels, warnings);
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
  if (auto error =
          certify_evidence(history, options, unshown.anomalies, unshown.levels, verdict.warnings)) {
    return error;
  }
  return certify_evidence(history, options, verdict.anomalies, verdict.levels, verdict.warnings);
}

}  // namespace elapid
