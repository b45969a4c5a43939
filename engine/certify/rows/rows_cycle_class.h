// The name of a cycle in which a proof about rows ends. A name says more than that there is no
// order: it rules out weaker levels too. So each step that shows an edge is checked again without
// the earlier steps.
//
// A step may need that other operations show an order, say that T1 comes before T2. Then it leaves
// out what contradicts that order, as T2 before T1. At a weaker level that may be so, but it closes
// a cycle with the order. So there is the cycle of the step, or that one: the name is the weaker
// one's.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/certify/rows/rows_effects.h"
#include "engine/certify/rows/rows_proof_check.h"
#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::certify {

/// The orders that a step needs beside its own operation.
enum class StepNeeds : std::uint8_t { kNothing, kSessions, kRealTime, kOtherSteps };

/// The orders that other operations show, and that a step needs too. What a step leaves out because
/// of them closes a cycle with them.
enum class NeedsFacts : std::uint8_t { kNone, kDependencies, kAll };

struct StepBasis {
  StepNeeds needs = StepNeeds::kOtherSteps;
  NeedsFacts facts = NeedsFacts::kNone;
  bool by_predicate = false;  ///< what is left out may be an anti-dependency of a predicate
};

/// For the steps of a cycle, and those that refute what they leave out. Borrows history and
/// evidence.
class RowsStepBases {
 public:
  RowsStepBases(const History& history, const RowsProofEvidence& evidence,
                std::span<const RowsCycleEdge> cycle);

  /// The least that the step rests on.
  [[nodiscard]] StepBasis of(const RowsProofStep& step) const;

 private:
  /// A check that knows the facts.
  struct Facts {
    Facts(const History& history, OrderLevel level, const RowsProofEvidence& evidence)
        : check(history, level, evidence) {}

    RowsProofCheck check;
    bool by_predicate = false;  ///< a cycle of what they leave out may have a predicate's edge
  };

  /// Notes whom the transaction read the row from. A proof does not say so if the order was known.
  void note_reads(TxnId reader, KeyId row);

  /// Whether the step does not hold without its later findings.
  [[nodiscard]] bool needs_later(const RowsProofCheck& check, const RowsProofStep& step) const;

  [[nodiscard]] const Facts& facts_of(StepNeeds needs, NeedsFacts kind) const;

  const History& history_;
  const RowsProofEvidence& evidence_;
  OrderLevel level_;
  RowsEffects effects_;
  std::vector<RowsChoice> reads_;
  mutable std::deque<RowsProofStep> asked_;  // checks tell steps apart by their addresses
  mutable std::map<std::pair<StepNeeds, NeedsFacts>, std::unique_ptr<Facts>> facts_;
};

/// Borrows all arguments.
class RowsCycleClass {
 public:
  RowsCycleClass(const History& history, const RowsProofEvidence& evidence,
                 const RowsStepBases& bases)
      : history_(history), evidence_(evidence), bases_(bases) {}

  /// Nothing if some edge follows from several operations together.
  [[nodiscard]] std::optional<AnomalyType> of(std::span<const RowsCycleEdge> cycle);

 private:
  /// The anti-dependencies of a cycle. Fewer levels forbid those that come later.
  enum class Anti : std::uint8_t { kNone, kOne, kApart, kAdjacent };

  /// What decides a cycle's name.
  struct Kind {
    Anti anti = Anti::kNone;
    bool by_predicate = false;  ///< some anti-dependency
    bool has_read = false;      ///< some read dependency
  };

  [[nodiscard]] Kind kind_of(std::span<const RowsCycleEdge> cycle) const;

  [[nodiscard]] AnomalyType name() const;

  /// Notes that there is this cycle, or another one of this kind.
  void join(const Kind& kind);

  /// Whether the edge is shown; notes how.
  [[nodiscard]] bool note(const RowsCycleEdge& edge);

  [[nodiscard]] bool note(const RowsProofStep& step);

  void note(StepNeeds needs);

  /// Whether a single operation refutes the choice of the step. Then the two close a cycle.
  [[nodiscard]] bool note_refuted(const RowsProofStep& step, const RowsChoice& choice);

  const History& history_;
  const RowsProofEvidence& evidence_;
  const RowsStepBases& bases_;
  Kind kind_;
  bool has_process_ = false;
  bool has_real_time_ = false;
};

}  // namespace elapid::certify
