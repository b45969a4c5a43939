#include "engine/certify/certify.h"

#include <utility>
#include <variant>

#include "engine/certify/evidence.h"
#include "engine/certify/index.h"

namespace elapid {

namespace certify {

Flaw check(const Index&, AnomalyType type, const SearchTimeoutEvidence&) {
  if (type != AnomalyType::kCycleSearchTimeout) {
    return "a search given up is no evidence of " + std::string(name(type));
  }
  return {};
}

Flaw check(const Index&, AnomalyType type, const EmptyGraphEvidence&) {
  if (type != AnomalyType::kEmptyTransactionGraph) {
    return "a history without transactions is no evidence of " + std::string(name(type));
  }
  return {};
}

}  // namespace certify

Certifier::Certifier(const History& history, Assumptions assumptions, bool list_append)
    : history_(history), assumptions_(std::move(assumptions)), list_append_(list_append) {}

std::vector<CertifyFailure> Certifier::certify(const std::vector<Anomaly>& anomalies) const {
  std::vector<CertifyFailure> failures;
  if (anomalies.empty()) {
    return failures;
  }
  const certify::Index index(history_, assumptions_, list_append_);
  for (std::size_t i = 0; i < anomalies.size(); ++i) {
    const AnomalyType type = anomalies[i].type;
    certify::Flaw flaw =
        std::visit([&](const auto& evidence) { return certify::check(index, type, evidence); },
                   anomalies[i].evidence);
    if (flaw) {
      failures.push_back({i, *std::move(flaw)});
    }
  }
  return failures;
}

}  // namespace elapid
