// Independent re-checking of evidence, from the operations alone.
//
// Shares no code with the inference that found the evidence: it includes only the history, the
// verdict and the models. It verifies every step of a cycle and every read against the
// transactions' operations.
//
// Example: a cycle claims T1 -rw-> T2, "T1 read x = [], T2 appended 1". The check looks up both
// operations. It verifies that no other transaction appended 1 to x, that 1 is the first element of
// x in the lists read, and that both transactions took effect. If any of this fails, the evidence
// is refused, and the program reports an internal error instead of a verdict.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

namespace certify {
class Index;
class VisibleProofs;
}  // namespace certify

/// A failed check of one anomaly.
struct CertifyFailure {
  std::size_t anomaly = 0;  ///< index in Verdict::anomalies
  std::string reason;       ///< one sentence: the claim that does not follow from the operations
};

/// The reason why an execution does not show that the history satisfies the level, or why a proof
/// does not show that the history violates it; nothing if it does. See witness.h and refutation.h;
/// for saturable levels, which assumptions do not concern, see commit_order.h and visible_proof.h.
/// Calls `keep_going` now and then. Once it returns false the check ends with that as the reason,
/// and nothing is known of the evidence.
[[nodiscard]] std::optional<std::string> check_evidence(
    const History& history, OrderLevel level, const Witness& witness,
    const Assumptions& assumptions = {}, const std::function<bool()>& keep_going = {});
[[nodiscard]] std::optional<std::string> check_evidence(
    const History& history, OrderLevel level, const Refutation& refutation,
    const Assumptions& assumptions = {}, const std::function<bool()>& keep_going = {});

/// The reason why the evidence of a level's answer proves nothing, in one sentence. Nothing if it
/// proves the answer, or if there is no evidence that the level is violated: then an anomaly has to
/// show that. Near linear in the history and the evidence.
[[nodiscard]] std::optional<std::string> check_level_answer(
    const History& history, const LevelAnswer& answer, const Assumptions& assumptions = {},
    const std::function<bool()>& keep_going = {});

/// Checks the answers about levels of one history, one after the other, each as
/// check_level_answer() does. Work that levels have in common is done once. Refers to all
/// arguments.
class LevelCertifier {
 public:
  LevelCertifier(const History& history, const Assumptions& assumptions,
                 const std::function<bool()>& keep_going);
  LevelCertifier(const LevelCertifier&) = delete;
  LevelCertifier& operator=(const LevelCertifier&) = delete;
  ~LevelCertifier();

  [[nodiscard]] std::optional<std::string> check(const LevelAnswer& answer);

 private:
  const History& history_;
  const Assumptions& assumptions_;
  const std::function<bool()>& keep_going_;
  std::unique_ptr<certify::VisibleProofs> proofs_;  // of saturable levels
};

/// Re-checks anomalies under the verdict's assumptions. Empty if all evidence holds. Refers to the
/// history.
class Certifier {
 public:
  /// `levels`: answers with refutations that inferred cycles may refer to. They are checked by
  /// check_level_answer(), not here.
  Certifier(const History& history, Assumptions assumptions, bool list_append,
            std::span<const LevelAnswer> levels = {});
  Certifier(History&& history, Assumptions assumptions, bool list_append,
            std::span<const LevelAnswer> levels = {}) = delete;

  /// Free without anomalies. Violations of timestamps cost the operations of their transactions.
  /// For all others the history is indexed once, in O(operations log operations) time and about 30
  /// bytes an operation; the checks are near linear in the evidence. That a graph has a cycle needs
  /// a walk, or another anomaly that rules out the model, except with elle_compat and where the
  /// search for cycles was given up. Calls `keep_going` before each
  /// anomaly. If it returns false, that anomaly fails and the later ones are left out.
  [[nodiscard]] std::vector<CertifyFailure> certify(
      const std::vector<Anomaly>& anomalies, const std::function<bool()>& keep_going = {}) const;

 private:
  [[nodiscard]] std::optional<std::string> check(const certify::Index& index,
                                                 const Anomaly& anomaly) const;

  const History& history_;
  Assumptions assumptions_;
  bool list_append_;
  std::span<const LevelAnswer> levels_;
};

}  // namespace elapid
