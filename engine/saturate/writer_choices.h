// The choices that reads of repeated values leave, as variables of a solver: whether an
// indeterminate transaction took effect, and whose write a read saw.
//
//   1 and 2 write 5 to x, 3 reads 5: a variable says that 3 saw the write of 1, another that it saw
//   that of 2, and a clause that one of them holds
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/saturate/observations.h"
#include "engine/solve/sat_solver.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

class WriterChoices {
 public:
  /// Borrows all. Makes a variable for each optional transaction, the first ones of `sat`. Clauses:
  /// if it took effect, so did those that it read from without a choice. `likely`: by ambiguous
  /// read, the writer that is tried first.
  WriterChoices(Observations& seen, std::span<const std::uint32_t> likely, SatSolver& sat);

  /// Makes the variables of an ambiguous read; one read after another, before any other variables.
  /// Clauses: if the reader took effect, one of its candidates is the writer, and that one took
  /// effect. (The clauses allow two at once; then either one explains the read.)
  void make_read(std::uint32_t read);

  /// Its variables are numbered from 0 on.
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(read_of_.size()); }

  /// That an optional transaction took effect; nothing for those that are known to have.
  [[nodiscard]] std::optional<Literal> took_effect(std::uint32_t txn) const {
    const auto fate = fate_.find(txn);
    return fate == fate_.end() ? std::nullopt : std::optional(Literal(fate->second, true));
  }

  /// Calls `visit(writer, variable)` for each writer that the read may have seen.
  template <class Visit>
  void each_candidate(std::uint32_t read, Visit visit) const {
    const Observations::Ambiguous& open = seen_.ambiguous()[read];
    std::uint32_t variable = first_variable_[read];
    for (const std::uint32_t writer : seen_.writers_of(open.value)) {
      if (writer != open.txn) {
        visit(writer, variable++);
      }
    }
  }

  /// To be told of each literal that becomes true (1), or is true no longer (-1).
  void count_choice(Literal literal, int by) {
    const bool is_known = literal.holds() && literal.variable() < count();
    if (is_known && read_of_[literal.variable()] != kNoRead) {
      chosen_[read_of_[literal.variable()]] += by;
    }
  }

  /// The read whose writer the literal denies to be one, if none was chosen yet, and the reader may
  /// have taken effect. Before all but one of its writers are ruled out by chance, a search had
  /// better try one.
  [[nodiscard]] std::optional<std::uint32_t> open_read(Literal denied) const;

  /// Hands the values of the variables to the observations.
  void settle();

  /// What a literal of these variables says.
  [[nodiscard]] Choice choice_of(Literal literal) const;

 private:
  static constexpr std::uint32_t kNoRead = 0xffffffffU;

  std::uint32_t new_variable(bool phase, std::uint32_t read, std::uint32_t writer);

  Observations& seen_;
  std::span<const std::uint32_t> likely_;  // by ambiguous read
  SatSolver& sat_;
  std::vector<std::uint32_t> optional_;
  std::unordered_map<std::uint32_t, std::uint32_t> fate_;  // variables, by optional transaction
  std::vector<std::uint32_t> first_variable_;              // by ambiguous read, of its candidates
  std::vector<int> chosen_;                                // by ambiguous read: how many of them
  std::vector<std::uint32_t> read_of_;                     // by variable
  std::vector<std::uint32_t> writers_;                     // by variable
};

/// Whether the clauses contradict one another whatever is chosen.
[[nodiscard]] inline bool is_refuted(const SatSolver& sat) {
  return !sat.proof().empty() && sat.proof().back().clause.empty();
}

}  // namespace elapid
