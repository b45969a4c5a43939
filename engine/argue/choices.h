// The open choices of an order of transactions on rows, as variables of the solver.
//
//   before(a, b)       event a comes before event b
//   took_effect(t)     the indeterminate transaction took effect
//   between(a, m, r)   m took effect after a's commit and before the point where r reads
//   found(o, row, as)  operation o, which may have found the row, found it in the way `as`
//   concerned(o, w)    operation o saw the version of a row that w left
//
// A variable is made when a clause first uses it, with the clauses that define it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "engine/argue/chosen_order.h"
#include "engine/argue/fixed_order.h"
#include "engine/argue/proof_log.h"
#include "engine/argue/row_parts.h"
#include "engine/argue/trial.h"
#include "engine/ir/history.h"
#include "engine/solve/sat_solver.h"

namespace elapid::argue {

/// Borrows all.
class Choices {
 public:
  Choices(const History& history, const RowWrites& writes, const FixedOrder& fixed,
          const ChosenOrder& order, bool is_of_one_state, const SatSolver& sat, ProofLog& log)
      : history_(history),
        writes_(writes),
        fixed_(fixed),
        order_(order),
        is_of_one_state_(is_of_one_state),
        sat_(sat),
        log_(log) {}

  /// Requires that the fixed order leaves it open.
  [[nodiscard]] Literal before(OrderEvent a, OrderEvent b);

  [[nodiscard]] Literal took_effect(TxnId txn);

  /// The conditions for `middle` to take effect between `first`, if any, and the reads of `reader`.
  [[nodiscard]] std::vector<Literal> atoms_of_between(TxnId first, TxnId middle, TxnId reader);

  /// Whether `middle` takes effect between `first`, if any, and the reads of `reader`. Nothing: it
  /// certainly does.
  [[nodiscard]] std::optional<Literal> between(TxnId first, TxnId middle, TxnId reader);

  /// Whether the operation found the row so. `phase`: the value to try first.
  [[nodiscard]] Literal found(TxnId txn, std::uint32_t mop, KeyId row, std::uint32_t as,
                              bool phase = false);

  /// Whether found() was asked for.
  [[nodiscard]] bool has_found(TxnId txn, std::uint32_t mop, KeyId row, std::uint32_t as) const {
    return found_.contains({txn.value, mop, row.value, as});
  }

  /// Whether the failing operation saw the row as the writer left it. If the writer wrote all parts
  /// that matter, it is enough that it came before, unless operations see one state.
  [[nodiscard]] Literal concerned(const Failure& failure, TxnId writer);

  // The values now chosen.

  [[nodiscard]] bool takes_effect(TxnId txn) const;

  /// Writes the chosen ways in which operations found rows to `choices`.
  void note_found(FoundChoices& choices) const;

 private:
  /// The clause that the writer wrote the row, or `is_not`.
  void add_write(Literal is_not, TxnId writer, KeyId row);

  const History& history_;
  const RowWrites& writes_;
  const FixedOrder& fixed_;
  const ChosenOrder& order_;
  bool is_of_one_state_;
  const SatSolver& sat_;
  ProofLog& log_;
  std::unordered_map<std::uint64_t, std::uint32_t> before_;       // variables by vertices
  std::unordered_map<std::uint32_t, std::uint32_t> took_effect_;  // by transaction
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> between_;
  // By reader, operation, row, and way; for concerned_ by the writer in between.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>
      found_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>,
           std::uint32_t>
      concerned_;
};

}  // namespace elapid::argue
