// The initial contents of rows of an open universe, as variables of the solver.
//
//   nothing shows the age of row 7: it was 15, or another number from 10 to 20, or one beyond
//
// A guess is tried first. A clause of a failure that depends on the guess names it.
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

  /// Sets the contents to the solver's choice, or to the guess if there is none.
  void choose();

  /// The chosen contents, by KeyId.
  [[nodiscard]] const std::vector<replay::RowState>& chosen() const { return chosen_; }

  /// The existing rows and their contents.
  [[nodiscard]] std::vector<PartAtFirst> parts() const;

  /// Adds to `clause` that the part had a value other than the assumed one and those that make no
  /// difference; adds nothing if that is certain.
  void doubt(const std::vector<Alike>& alike, KeyId row, std::uint32_t part,
             std::vector<Literal>& clause);

 private:
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // a row and a part of it
  /// Variables of values that a part may have had, or of sets of values.
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
  std::map<Place, ValueVariables> held_sets_;                // of sets of values
};

}  // namespace elapid::argue
