// Independent re-checking of evidence, from the operations alone.
//
// Shares no code with the inference that found the evidence: it includes the history, the verdict
// and the models only. Every step of a cycle and every read is verified against what transactions
// did.
//
// Example: a cycle claims T1 -rw-> T2, "T1 read x = [], T2 appended 1". The check looks up both
// operations, that no other transaction appended 1 to x, that 1 is the first element of x in the
// lists read, and that both transactions took effect. If any of this fails, the evidence is refused
// and the program reports an internal error, not a verdict.
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

/// What certify found out about one anomaly.
struct CertifyFailure {
  std::size_t anomaly = 0;  ///< index in Verdict::anomalies
  std::string reason;       ///< one sentence: which claim does not follow from the operations
};

/// The reason why an execution does not show that the history satisfies the level, or why a proof
/// does not show that it violates the level; nothing where it does. See witness.h and refutation.h,
/// for saturable levels (where assumptions do not count) commit_order.h and visible_proof.h.
/// `keep_going` is asked now and then. Once it says no the check ends and gives that as the reason:
/// then nothing is known of the evidence.
[[nodiscard]] std::optional<std::string> check_evidence(
    const History& history, OrderLevel level, const Witness& witness,
    const Assumptions& assumptions = {}, const std::function<bool()>& keep_going = {});
[[nodiscard]] std::optional<std::string> check_evidence(
    const History& history, OrderLevel level, const Refutation& refutation,
    const Assumptions& assumptions = {}, const std::function<bool()>& keep_going = {});

/// Why the evidence of a level's answer proves nothing, in one sentence; nothing if it does, or if
/// there is none to check. Near linear in the history and the evidence.
[[nodiscard]] std::optional<std::string> check_level_answer(
    const History& history, const LevelAnswer& answer, const Assumptions& assumptions = {},
    const std::function<bool()>& keep_going = {});

/// Checks the answers about levels of one history, one after the other, each as
/// check_level_answer() does. What levels have in common is looked at once. Refers to all it is
/// given.
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

/// Re-checks anomalies under the assumptions of the verdict. Empty if all evidence holds.
/// Refers to the history.
class Certifier {
 public:
  /// `levels`: answers with refutations that inferred cycles may refer to. They are checked by
  /// check_level_answer(), not here.
  Certifier(const History& history, Assumptions assumptions, bool list_append,
            std::span<const LevelAnswer> levels = {});
  Certifier(History&& history, Assumptions assumptions, bool list_append,
            std::span<const LevelAnswer> levels = {}) = delete;

  /// Costs nothing without anomalies. Violations of timestamps cost the operations of their
  /// transactions. For all others the history is indexed once, O(operations log
  /// operations) in time and about 30 bytes an operation, then near linear in the evidence. If
  /// `keep_going`, asked before each anomaly, says no, that one fails and the others are left out.
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
