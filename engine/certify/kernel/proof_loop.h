// The one loop over the steps of a proof.
//
// A step is a clause of choices and a reason, such as a cycle. The choices are assumed to be false,
// and the consequences are drawn by unit propagation. Then there is a contradiction, or the reason
// must hold, such as edges of a cycle that cannot all hold. So the clause is proved, and later
// steps may rest on it. The last clause is empty.
//
//   step 1   T1 read from T2, or T1 read from T3    no cycle: it follows from the candidates
//   step 2   not T1 read from T2                    otherwise T2 -> T1 -> T2 would hold
//   step 3   not T1 read from T3                    likewise; with step 1 a contradiction
//   step 4   (empty)
//
// The axioms of a level are a class of these functions:
//
//   void begin()                     forgets all proved clauses
//   auto& choices()                  the variables: literal(choice), assume_false(), take_back()
//   Flaw open(const Step&)           makes the variables of the step's reason; a flaw if the reason
//                                    names a thing that the history does not have
//   Flaw check(const Step&)          why the step's reason need not hold under the assumptions
//   void prove(step, literals)       adds the clause
//
// After reverse unit propagation (Goldberg and Novikov, "Verification of Proofs of Unsatisfiability
// for CNF Formulas", DATE 2003), with reasons as the clauses of a theory.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/certify/flaw.h"
#include "engine/certify/kernel/clauses.h"
#include "engine/certify/operations/participants.h"
#include "engine/certify/patience.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::certify {

inline constexpr const char* kDoesNotFollow = "it does not follow from the steps before";

template <class Axioms, class Step>
[[nodiscard]] Flaw check_step(Axioms& axioms, const Step& step, Patience& patience) {
  std::vector<Literal> clause;
  for (const auto& choice : step.clause) {
    const std::optional<Literal> literal = axioms.choices().literal(choice);
    if (!literal) {
      return "a choice speaks of what the history does not have, or does not tell";
    }
    clause.push_back(*literal);
  }
  if (Flaw flaw = axioms.open(step)) {
    return flaw;
  }
  if (!patience.goes_on()) {  // then not all variables are there
    return kToldToStop;
  }
  Flaw flaw;
  if (axioms.choices().assume_false(clause)) {
    flaw = axioms.check(step);
  }
  axioms.choices().take_back();
  if (!flaw) {
    axioms.prove(step, clause);
  }
  return flaw;
}

/// The reason why the steps do not prove that the history violates the level; nothing if they do.
/// After a contradiction another proof may begin.
template <class Axioms, class Step>
[[nodiscard]] Flaw check_steps(Axioms& axioms, const std::vector<Step>& steps, Patience& patience) {
  if (steps.empty() || !steps.back().clause.empty()) {
    return "the proof does not end in a contradiction";
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == 0 || steps[i - 1].clause.empty()) {
      axioms.begin();
    }
    if (Flaw flaw = check_step(axioms, steps[i], patience)) {
      return "step " + std::to_string(i + 1) + ": " + *flaw;
    }
  }
  return {};
}

/// Axioms whose reasons are cycles of edges. Level::check_cycle(edges) returns why the edges need
/// not hold, or why they may hold together.
template <class Level>
class CycleAxioms {
 public:
  [[nodiscard]] Flaw check(const ProofStep& step) {
    Level& level = static_cast<Level&>(*this);
    return step.cycle.empty() ? Flaw(kDoesNotFollow) : level.check_cycle(step.cycle);
  }

  void prove(const ProofStep&, std::span<const Literal> clause) {
    static_cast<Level&>(*this).choices().prove(clause);
  }
};

/// Whether the edges lead from transaction to transaction and back to the first.
/// `may_return(edge)`: whether the edge may lead from a transaction to itself.
template <class MayReturn>
[[nodiscard]] Flaw check_links(const History& history, std::span<const OrderEdge> cycle,
                               MayReturn may_return) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (!is_participant(history, cycle[i].from) || !is_participant(history, cycle[i].to)) {
      return "an edge names a transaction that does not exist or did not take effect";
    }
    if (cycle[i].from == cycle[i].to && !may_return(cycle[i])) {
      return kEdgeToItself;
    }
    if (cycle[i].to != cycle[(i + 1) % cycle.size()].from) {
      return "edge " + std::to_string(i + 1) + " does not lead to the edge after it";
    }
  }
  return {};
}

}  // namespace elapid::certify
