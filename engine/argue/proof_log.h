// The clauses of an argument about rows, for the solver. Each has the proof step that says why it
// holds.
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

  /// A new variable for the choice. `phase`: the value to try first.
  std::uint32_t new_variable(RowsChoice choice, bool phase);

  [[nodiscard]] const RowsChoice& choice(Literal literal) const {
    return choices_[literal.variable()];
  }

  /// Logs a clause that the solver already has, as a line of its proof.
  std::uint32_t add_line(const std::vector<Literal>& clause, RowsProofStep step,
                         std::vector<std::uint32_t> from = {});

  /// Gives the solver a clause. `from`: proof lines that the step depends on.
  void add(std::vector<Literal> clause, RowsProofStep step, std::vector<std::uint32_t> from = {});

  /// Whether the last line is the empty clause.
  [[nodiscard]] bool is_refuted() const;

  /// The lines that the empty clause depends on, as steps.
  [[nodiscard]] std::vector<RowsProofStep> proof() const;

  /// The number of literals of all added clauses.
  [[nodiscard]] std::uint64_t literal_count() const { return literal_count_; }

 private:
  SatSolver& sat_;
  std::vector<RowsChoice> choices_;                           // by variable
  std::unordered_map<std::uint32_t, RowsProofStep> reasons_;  // by proof line
  std::uint64_t literal_count_ = 0;
};

/// Sorts the literals and removes duplicates.
void make_clause(std::vector<Literal>& literals);

}  // namespace elapid::argue
