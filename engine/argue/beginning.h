// What the rows of an open universe held before the first transaction, as variables of the solver.
//
//   nothing tells what age row 7 had: it held 15, or another number from 10 to 20, or one beyond
//
// A guess is tried first; a clause that a failure rests on names what was guessed.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/argue/first_contents.h"
#include "engine/argue/proof_log.h"
#include "engine/argue/trial.h"
#include "engine/ir/history.h"
#include "engine/replay/table_state.h"
#include "engine/solve/sat_solver.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::argue {

/// Borrows all. In a closed universe nothing is open.
class Beginning {
 public:
  Beginning(const History& history, const SatSolver& sat, ProofLog& log)
      : contents_(history), sat_(sat), log_(log) {}

  [[nodiscard]] const FirstContents& contents() const { return contents_; }

  [[nodiscard]] bool is_open() const { return contents_.is_open(); }

  /// Takes what the solver has chosen, else the guess.
  void choose();

  /// What is chosen, by KeyId.
  [[nodiscard]] const std::vector<replay::RowState>& chosen() const { return chosen_; }

  /// The rows that exist, and what they hold.
  [[nodiscard]] std::vector<PartAtFirst> parts() const;

  /// Adds that the part was not what it is taken to have been, nor what would have made no
  /// difference; nothing where that is certain.
  void doubt(const std::vector<Alike>& alike, KeyId row, std::uint32_t part,
             std::vector<Literal>& clause);

 private:
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // a row and a part of it
  /// Of values that a part may have had, or of sets of them.
  using ValueVariables = std::vector<std::pair<std::vector<ValueId>, std::uint32_t>>;

  std::uint32_t exists(KeyId row);
  std::uint32_t held(KeyId row, std::uint32_t part, const std::vector<ValueId>& values);
  void state_all_values(KeyId row, std::uint32_t part);

  FirstContents contents_;
  const SatSolver& sat_;
  ProofLog& log_;
  std::vector<replay::RowState> chosen_;
  std::unordered_map<std::uint32_t, std::uint32_t> exists_;  // variables by row
  std::map<Place, ValueVariables> held_;                     // of single values
  std::map<Place, ValueVariables> held_sets_;                // of several
};

}  // namespace elapid::argue
