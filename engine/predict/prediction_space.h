// All predictions within a boundary, as variables: the kept part of each transaction, and the
// writer of each free read. The clauses of the weak level and those learnt from orders share them.
//
//   whole(t)          t is kept as observed; so are the one before it and those it read from
//   boundary(t)       t is the boundary transaction of its session; the one before it is whole
//   stop(t, i)        strict: the first changed read of t is its event i
//   reads(t, i, w)    event i of the boundary transaction t reads from w, which is whole
//   before(v, w)      of lists: the edge of the weak level from v to w, which append to one key;
//                     it holds or its reverse does if both take part
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/predict/level_clauses.h"
#include "engine/predict/observation.h"
#include "engine/predict/prediction.h"
#include "engine/solve/sat_solver.h"

namespace elapid::predict {

enum class BoundaryKind : std::uint8_t { kStrict, kRelaxed };

class PredictionSpace {
 public:
  /// Adds the variables and clauses to `sat`.
  PredictionSpace(const Observation& observation, BoundaryKind boundary, SatSolver& sat);

  /// Adds what lists ask: the weak level orders the versions, and a list shows the first ones.
  /// O(writers of a key squared).
  void add_lists(Visibility level, OrderTheory& theory);

  [[nodiscard]] const Facts& facts() const { return facts_; }

  /// The facts by which the weak level is judged. At snapshot isolation they include the writes
  /// that a strict boundary cuts, since the transaction commits with them.
  [[nodiscard]] Facts facts_for(Visibility level) const;

  /// The prediction of the variables' values. Requires that all have one.
  [[nodiscard]] Prediction current() const;

  /// Literals for "no changed read", "at most one changed read", and so on. A solver that tries
  /// them in this order finds predictions with the fewest changed reads first.
  [[nodiscard]] const std::vector<Literal>& few_changes() const { return few_changes_; }

  /// A literal that implies `a` and `b`.
  [[nodiscard]] Literal both(Literal a, Literal b);

  /// The literals that hold of a prediction: of each kept transaction, of each free read, and of
  /// the order that it shows.
  [[nodiscard]] std::vector<Literal> literals_of(const Prediction& prediction);

 private:
  using LiteralsByWriter = std::map<std::uint32_t, std::vector<Literal>>;

  void add_wholes();
  void count_changes();
  Literal is_kept(std::uint32_t txn, std::uint32_t write, Literal kept);
  void add_relaxed(std::uint32_t txn);
  void add_strict(std::uint32_t txn);
  Literal before(std::uint32_t first, std::uint32_t second);
  void add_list(const ReadFact& read, const std::vector<WriteFact>& writes);
  void add_versions(const std::vector<WriteFact>& kept, const LiteralsByWriter& reads);

  Literal new_literal(bool phase = false) { return {sat_.new_variable(phase), true}; }

  /// A literal that holds if and only if one of the literals does.
  Literal any_of(const std::vector<Literal>& literals);
  /// The free read takes exactly one writer.
  void add_choices(std::uint32_t txn, std::uint32_t event, Literal is_read, bool with_observed);

  const Observation& observation_;
  BoundaryKind boundary_;
  SatSolver& sat_;
  Visibility level_ = Visibility::kCausal;  // the weak one
  OrderTheory* theory_ = nullptr;           // of the weak level, after add_lists()
  Literal true_;
  std::vector<Literal> whole_;                              // by transaction; the initial one: true
  std::vector<std::optional<Literal>> bound_;               // by transaction: boundary
  std::vector<std::vector<std::optional<Literal>>> stops_;  // by transaction and event; strict
  std::map<std::pair<std::uint32_t, std::uint32_t>, Literal> both_;
  Facts facts_;
  std::vector<Literal> few_changes_;
  std::vector<WriteFact> of_committed_;  // writes that hold if their transaction takes part
};

}  // namespace elapid::predict
