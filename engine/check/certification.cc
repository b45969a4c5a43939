#include "engine/check/certification.h"

#include <string>
#include <utility>

#include "engine/certify/certify.h"

namespace elapid {

namespace {

Error internal_error(std::string message) {
  return {.kind = ErrorKind::kInternal, .message = std::move(message)};
}

std::optional<Error> certify_levels(const History& history, const CheckOptions& options,
                                    const Verdict& verdict) {
  for (const LevelAnswer& level : verdict.levels) {
    if (const auto flaw = check_level_answer(history, level, options.assumptions)) {
      return internal_error("evidence did not survive certification: " +
                            std::string(friendly_name(level.model)) + ": " + *flaw);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> certify_verdict(const History& history, const CheckOptions& options,
                                     const KnownModels& known, Verdict& verdict) {
  const ModelSet torn = known.proven() & known.refuted();
  if (torn.any() && !options.assumptions.elle_compat) {
    const Model first = torn.first();
    return internal_error("engines contradict one another about " +
                          std::string(friendly_name(first)));
  }
  if (auto error = certify_levels(history, options, verdict)) {
    return error;
  }
  const Certifier certifier(history, options.assumptions, history.has_lists(), verdict.levels);
  for (const CertifyFailure& failure : certifier.certify(verdict.anomalies)) {
    const std::string which =
        std::string(name(verdict.anomalies[failure.anomaly].type)) + ": " + failure.reason;
    if (!options.assumptions.elle_compat) {
      return internal_error("evidence did not survive certification: " + which);
    }
    verdict.warnings.push_back(
        "reported as Elle does, but it does not follow from the operations: " + which);
  }
  return std::nullopt;
}

}  // namespace elapid
