// The clauses of an argument about rows, as the solver gets them, each with the step of the proof
// that says why it holds.
//
//   clause "T2 before T1", step {kFound: T2 would have found row 7 of T1}
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/solve/sat_solver.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::argue {

/// Borrows the solver.
class ProofLog {
 public:
  explicit ProofLog(SatSolver& sat) : sat_(sat) {}

  /// A variable for the choice. `phase`: what is tried first.
  std::uint32_t new_variable(RowsChoice choice, bool phase);

  [[nodiscard]] const RowsChoice& choice(Literal literal) const {
    return choices_[literal.variable()];
  }

  /// A clause that the solver knows already, as a line of its proof.
  std::uint32_t add_line(const std::vector<Literal>& clause, RowsProofStep step,
                         std::vector<std::uint32_t> from = {});

  /// Gives the solver a clause. `from`: lines of the proof that the step rests on.
  void add(std::vector<Literal> clause, RowsProofStep step, std::vector<std::uint32_t> from = {});

  /// Whether the last line is the contradiction.
  [[nodiscard]] bool is_refuted() const;

  /// The lines that the contradiction rests on, as steps.
  [[nodiscard]] std::vector<RowsProofStep> proof() const;

  /// Of all clauses added.
  [[nodiscard]] std::uint64_t literal_count() const { return literal_count_; }

 private:
  SatSolver& sat_;
  std::vector<RowsChoice> choices_;                           // by variable
  std::unordered_map<std::uint32_t, RowsProofStep> reasons_;  // by proof line
  std::uint64_t literal_count_ = 0;
};

/// Sorted, each literal once.
void make_clause(std::vector<Literal>& literals);

}  // namespace elapid::argue
