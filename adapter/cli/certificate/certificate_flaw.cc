#include <fmt/format.h>

#include <variant>

#include "adapter/cli/certificate/certificate.h"
#include "engine/certify/certify.h"

namespace elapid {

std::optional<std::string> flaw_of(const Certificate& certificate, const History& history) {
  if (certificate.transactions != history.txn_count() ||
      certificate.operations != history.op_count()) {
    return fmt::format("it is of a history of {} transactions and {} operations, not {} and {}",
                       certificate.transactions, certificate.operations, history.txn_count(),
                       history.op_count());
  }
  if (certificate.workload != history.workload()) {
    return "the history has operations of another workload";
  }
  if (certificate.unknown_name) {
    return certificate.unknown_name->to_string();
  }
  const OrderLevel level = order_level(certificate.model).value();
  return std::visit(
      [&](const auto& evidence) {
        return check_evidence(history, level, evidence, certificate.assumptions);
      },
      certificate.evidence);
}

}  // namespace elapid
