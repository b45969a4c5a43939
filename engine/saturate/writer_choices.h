// The open choices about reads of repeated values, as variables of a solver: whether an
// indeterminate transaction took effect, and the writer of each read.
//
//   1 and 2 write 5 to x, 3 reads 5: one variable says that 3 read from 1, another one that 3 read
//   from 2, and a clause says that one of them holds
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/saturate/observations.h"
#include "engine/saturate/work_of_choices.h"
#include "engine/solve/sat_solver.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

class WriterChoices {
 public:
  /// Borrows all. Makes a variable for each optional transaction, the first ones of `sat`. Clauses:
  /// if it took effect, so did the transactions that it certainly read from. `likely`: by ambiguous
  /// read, the writer to try first.
  WriterChoices(Observations& seen, std::span<const std::uint32_t> likely, SatSolver& sat);

  /// Makes the variables of an ambiguous read. Call for one read after another, before any other
  /// variables. Clauses: if the reader took effect, one of its candidates is the writer and took
  /// effect. (The clauses allow two at once; then either one explains the read.)
  void make_read(std::uint32_t read);

  /// The number of these variables, which are numbered from 0.
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(read_of_.size()); }

  /// The literal that an optional transaction took effect; nothing if it certainly did.
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

  /// Notes a literal that became true (1), or is no longer true (-1).
  void count_choice(Literal literal, int by) {
    const bool is_known = literal.holds() && literal.variable() < count();
    if (is_known && read_of_[literal.variable()] != kNoRead) {
      chosen_[read_of_[literal.variable()]] += by;
    }
  }

  /// The read whose writer the literal denies, if none was chosen yet and the reader may have
  /// taken effect. The search should try a writer for it, before chance rules out all but
  /// one.
  [[nodiscard]] std::optional<std::uint32_t> open_read(Literal denied) const;

  /// Gives the values of the variables to the observations.
  void settle();

  /// The meaning of a literal of these variables.
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
  std::vector<int> chosen_;             // by ambiguous read: number of chosen candidates
  std::vector<std::uint32_t> read_of_;  // by variable
  std::vector<std::uint32_t> writers_;  // by variable
};

/// The work of all choices, without which no search has a result.
[[nodiscard]] inline std::uint64_t work_of_all(const WriterChoices& choices) {
  return kWorkOfAssignment * choices.count();
}

/// Whether the clauses are contradictory, whatever is chosen.
[[nodiscard]] inline bool is_refuted(const SatSolver& sat) {
  return !sat.proof().empty() && sat.proof().back().clause.empty();
}

}  // namespace elapid
