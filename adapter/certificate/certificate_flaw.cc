#include <fmt/format.h>

#include <variant>

#include "adapter/certificate/certificate.h"
#include "engine/certify/certify.h"
#include "engine/certify/orders/mixed_order.h"
#include "engine/certify/proofs/mixed_proof.h"
#include "engine/check/operation_levels.h"
#include "engine/check/rows_check.h"
#include "engine/levels/asked_levels.h"
#include "engine/workloads/object_claims.h"
#include "engine/workloads/table.h"

namespace elapid {

namespace {

/// Certificates of rows make no assumptions. A proof is verified without regard to the class of its
/// cycle.
std::optional<std::string> flaw_of_rows(const Certificate& certificate, const History& history) {
  if (!is_decided_for_rows(certificate.model)) {
    return fmt::format("{} is not decided for rows and predicates",
                       friendly_name(certificate.model));
  }
  if (certificate.assumptions.order_something()) {
    return "certificates of rows allow no assumptions";
  }
  if (const auto* witness = std::get_if<Witness>(&certificate.evidence)) {
    return check_level_answer(
        history, {.model = certificate.model, .validity = Validity::kValid, .witness = *witness});
  }
  const Certifier certifier(history, {}, false);
  const auto failures = certifier.certify(
      {{AnomalyType::kPl3CycleExists, std::get<RowsProofEvidence>(certificate.evidence)}});
  return failures.empty() ? std::nullopt : std::optional(failures.front().reason);
}

std::optional<std::string> flaw_by_transaction(const Certificate& certificate,
                                               const History& history) {
  const auto* const witness = std::get_if<Witness>(&certificate.evidence);
  Assumptions not_shown = certificate.assumptions;
  not_shown.wfr_keys = false;  // a transaction follows those that it read, in each commit order
  if (witness != nullptr && not_shown.order_something()) {
    return "a commit order does not show that the assumptions hold";
  }
  if (history.txn_count() == 0) {
    return "the history has no transactions";
  }
  const Result<AskedLevels> asked = asked_levels(history);
  if (!asked) {
    return asked.error().message;
  }
  if (asked_models(history, asked.value().models).count() <= 1) {
    return "all transactions ask for the same level, so the certificate has to name it";
  }
  return witness != nullptr ? check_mixed_order(history, asked.value().levels, *witness)
                            : check_mixed_proof(history, asked.value().levels,
                                                std::get<Refutation>(certificate.evidence));
}

/// Why the engines of transactions know too little about these operations; nullopt if they do not.
std::optional<std::string> flaw_of_operations(const Certificate& certificate,
                                              const History& history, FailedCas failed_cas) {
  if (has_odd_nil(history)) {
    return "the engines of transactions cannot decide what a nil means here";
  }
  if (std::holds_alternative<Witness>(certificate.evidence) && has_witnesses(history, failed_cas)) {
    return "an order of transactions does not show what failed compare-and-sets show";
  }
  return std::nullopt;
}

/// A claim about transactions, also those of single operations on registers.
std::optional<std::string> flaw_as_transactions(const Certificate& certificate,
                                                const History& history) {
  LevelAnswer answer = {.model = certificate.model};
  if (const auto* witness = std::get_if<Witness>(&certificate.evidence)) {
    answer.witness = *witness;
  } else {
    answer.refutation = std::get<Refutation>(certificate.evidence);
  }
  return check_level_answer(history, answer, certificate.assumptions);
}

/// A proof about transactions that the operations are, or become.
std::optional<std::string> flaw_of_refutation(const Certificate& certificate,
                                              const History& history) {
  if (row_of(history.workload()).infer != nullptr) {
    return transactions_refute(history, certificate.model, certificate.assumptions)
               ? flaw_as_transactions(certificate, history)
               : "the transactions that it is about are not quite the operations";
  }
  if (!has_register_transactions(history.workload())) {
    return "operations on these objects are no transactions";
  }
  const Result<RegisterTransactions> transactions =
      register_transactions(history, certificate.model);
  return transactions
             ? check_level_answer(transactions.value().necessary,
                                  {.model = level_of_transactions(certificate.model),
                                   .validity = Validity::kInvalid,
                                   .refutation = std::get<Refutation>(certificate.evidence)})
             : transactions.error().message;
}

/// Of an order that keeps each process. It keeps most assumptions, too, or their keys in real time.
std::optional<std::string> flaw_under_assumptions(const Certificate& certificate,
                                                  const History& history) {
  const bool keeps_keys =
      certificate.model != Model::kSequential || !certificate.assumptions.linearizable_keys;
  if (keeps_keys && certificate.assumptions.transaction_order.empty()) {
    return std::nullopt;
  }
  return row_of(history.workload()).infer != nullptr
             ? flaw_as_transactions(certificate, history)
             : std::optional<std::string>("the order does not show that the assumptions hold");
}

std::optional<std::string> flaw_of_objects(const Certificate& certificate, const History& history,
                                           const JudgeRequest& request) {
  if (std::holds_alternative<Refutation>(certificate.evidence)) {
    return flaw_of_refutation(certificate, history);
  }
  LevelAnswer claim = {.model = certificate.model, .validity = Validity::kInvalid};
  const auto* const witness = std::get_if<Witness>(&certificate.evidence);
  if (witness != nullptr && certificate.model == Model::kPlSs &&
      is_strict_apart(row_of(history.workload()), history, request.failed_cas)) {
    return flaw_as_transactions(certificate, history);
  }
  if (witness != nullptr) {
    claim.validity = Validity::kValid;
    claim.witness = *witness;
  } else {
    claim.failure = std::get<ExhaustedSearch>(certificate.evidence);
  }
  const Result<Verdict> proved = prove_objects(history, request, claim);
  if (!proved) {
    return proved.error().message;
  }
  return witness != nullptr && !proved.value().unknown_because
             ? flaw_under_assumptions(certificate, history)
             : proved.value().unknown_because;
}

}  // namespace

std::optional<std::string> flaw_of(const Certificate& certificate, const History& history,
                                   const JudgeRequest& objects) {
  if (certificate.transactions != history.txn_count() ||
      certificate.operations != history.op_count()) {
    return fmt::format(
        "the certificate belongs to a history of {} transactions and {} operations; this one has "
        "{} and {}",
        certificate.transactions, certificate.operations, history.txn_count(), history.op_count());
  }
  if (certificate.workload != history.workload()) {
    return "the history has operations of another workload";
  }
  if (certificate.unknown_name) {
    return certificate.unknown_name->to_string();
  }
  if (certificate.by_transaction) {
    return flaw_by_transaction(certificate, history);
  }
  if (has_object_claims(certificate.workload, certificate.model)) {
    return flaw_of_objects(certificate, history, objects);
  }
  if (certificate.workload == Workload::kRows) {
    return flaw_of_rows(certificate, history);
  }
  if (certificate.workload == Workload::kCasRegister) {
    if (auto flaw = flaw_of_operations(certificate, history, objects.failed_cas)) {
      return flaw;
    }
  }
  if (const auto* claim = std::get_if<certify::NoPrediction>(&certificate.evidence)) {
    return certify::check_no_prediction(history, *claim);
  }
  return flaw_as_transactions(certificate, history);
}

}  // namespace elapid
