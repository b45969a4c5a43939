// A small solver for clauses with a theory: conflict-driven clause learning.
//
// Why not CaDiCaL: the theory (an acyclic order of events, core_search.h) must be asked after each
// assignment, must derive clauses while the search runs, and must add variables. CaDiCaL does that
// through its user propagator (IPASIR-UP, 2023), which Debian 12's version does not have. And
// proofs must name the cycle behind each derived clause, so that certificates need no trust in a
// solver. The tests compare this solver with CaDiCaL on random clauses.
//
// Example: the clauses (a or b) and (not a or b). The solver tries a = false, so b must hold; the
// theory then says that b closes a cycle, by the clause (not b). With it, both clauses contradict
// one another: unsatisfiable, and the proof derives a, then the empty clause.
//
// Marques-Silva and Sakallah, "GRASP" (1999), for learning; Moskewicz et al., "Chaff" (2001), for
// watched literals and activities; Audemard and Simon (2009) for keeping clauses by the number of
// their decision levels; Nadel and Ryvchin (2018) for going back no further than needed; Luby
// restarts and saved phases.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace elapid {

/// A variable or its contrary.
class Literal {
 public:
  Literal() = default;

  Literal(std::uint32_t variable, bool holds) : code_(2 * variable + (holds ? 0 : 1)) {}

  [[nodiscard]] std::uint32_t variable() const { return code_ / 2; }

  [[nodiscard]] bool holds() const { return code_ % 2 == 0; }

  [[nodiscard]] std::uint32_t code() const { return code_; }

  [[nodiscard]] Literal operator~() const { return {variable(), !holds()}; }

  friend bool operator==(Literal, Literal) = default;

 private:
  std::uint32_t code_ = 0;
};

/// What the clauses do not say.
class Theory {
 public:
  virtual ~Theory() = default;

  /// A literal became true. If that cannot be, puts a clause of false literals into `conflict` and
  /// returns the number of its proof line; else kNoConflict.
  virtual std::uint32_t assign(Literal literal, std::vector<Literal>& conflict) = 0;

  /// The literal that became true last, among those still true, is true no longer.
  virtual void retract(Literal literal) = 0;

  /// The literal to try next where the search would try `usual`: another literal without a value,
  /// or the same.
  virtual Literal prefer(Literal usual) { return usual; }

  /// All variables have values. False if the theory has made new variables since it found some
  /// missing: then all values but those of level 0 are taken back, and the search goes on.
  virtual bool accepts() = 0;

  static constexpr std::uint32_t kNoConflict = 0xffffffffU;
};

/// A clause that was derived, and from what; for proofs.
struct ProofLine {
  std::vector<Literal> clause = {};
  std::vector<std::uint32_t> premises = {};  ///< earlier lines
};

class SatSolver {
 public:
  enum class Answer : std::uint8_t { kSatisfiable, kUnsatisfiable, kOutOfWork };

  explicit SatSolver(Theory& theory) : theory_(theory) {}

  /// `phase`: which value to try first.
  std::uint32_t new_variable(bool phase);

  /// A clause that always holds, with its line in the proof (add_line), or kGiven. Call only before
  /// solve() or from Theory::accepts, before which no value but those of level 0 stands.
  void add_clause(std::vector<Literal> clause, std::uint32_t line = kGiven);

  static constexpr std::uint32_t kGiven = 0xffffffffU;

  /// A clause that the theory has derived, from the clauses of these lines if any.
  std::uint32_t add_line(std::vector<Literal> clause, std::vector<std::uint32_t> premises = {});

  /// Searches until an answer is found or `spent()` says that it was enough.
  template <class Spent>
  Answer solve(Spent spent) {
    while (true) {
      switch (step()) {
        case Step::kSatisfied:
          return Answer::kSatisfiable;
        case Step::kRefuted:
          return Answer::kUnsatisfiable;
        case Step::kOn:
          break;
      }
      if (spent()) {
        return Answer::kOutOfWork;
      }
    }
  }

  [[nodiscard]] bool is_true(Literal literal) const { return value(literal) == kTrue; }

  [[nodiscard]] bool is_open(std::uint32_t variable) const { return values_[variable] == kUnset; }

  /// Which value would be tried.
  [[nodiscard]] bool phase(std::uint32_t variable) const { return phase_[variable]; }

  [[nodiscard]] bool is_permanent(std::uint32_t variable) const {
    return values_[variable] != kUnset && levels_[variable] == 0;
  }

  /// The line that says so of a permanent variable.
  [[nodiscard]] std::uint32_t unit_line(std::uint32_t variable) const {
    return unit_line_[variable];
  }

  [[nodiscard]] std::uint32_t variable_count() const {
    return static_cast<std::uint32_t>(values_.size());
  }

  /// Variables whose values follow from the clauses alone.
  [[nodiscard]] std::uint32_t permanent_count() const {
    return static_cast<std::uint32_t>(level_begin_.empty() ? trail_.size() : level_begin_[0]);
  }

  [[nodiscard]] std::uint64_t conflict_count() const { return conflict_count_; }

  /// Literals that got a value, and clauses looked at for them.
  [[nodiscard]] std::uint64_t looked() const { return looked_; }

  /// All lines; after kUnsatisfiable the last one is empty.
  [[nodiscard]] const std::vector<ProofLine>& proof() const { return proof_; }

  /// The numbers of the lines that the last one rests on, itself included, ascending.
  [[nodiscard]] std::vector<std::uint32_t> needed_lines() const;

  /// Takes back all values but those of level 0.
  void restart() { backtrack(0); }

 private:
  enum class Step : std::uint8_t { kOn, kSatisfied, kRefuted };

  enum Value : std::uint8_t { kFalse, kTrue, kUnset };

  static constexpr std::uint32_t kNoReason = 0xffffffffU;

  struct Clause {
    std::vector<Literal> literals = {};
    std::uint32_t line = kGiven;
    std::uint32_t levels = 0;  // of learnt ones when learnt; 0: kept for ever
    bool is_deleted = false;
  };

  [[nodiscard]] Value value(Literal literal) const {
    const Value of_variable = values_[literal.variable()];
    return of_variable == kUnset                       ? kUnset
           : (of_variable == kTrue) == literal.holds() ? kTrue
                                                       : kFalse;
  }

  [[nodiscard]] std::uint32_t level() const {
    return static_cast<std::uint32_t>(level_begin_.size());
  }

  Step step();
  Step handle_conflict(std::vector<Literal> conflict, std::uint32_t line);
  Step decide();
  bool propagate(std::vector<Literal>& conflict, std::uint32_t& line);
  bool propagate_clauses(Literal assigned, std::uint32_t& conflict);
  void attach(std::uint32_t clause);
  void enqueue(Literal literal, std::uint32_t reason);
  void backtrack(std::uint32_t level);
  std::uint32_t lower(std::vector<Literal>& conflict, std::vector<std::uint32_t>& premises) const;
  void analyse(std::vector<Literal> conflict, std::vector<std::uint32_t> premises);
  void refute(const std::vector<Literal>& conflict, std::vector<std::uint32_t> premises);

  void bump(std::uint32_t variable);
  void forget_clauses();

  // A heap of unset variables by activity, the largest first.
  void heap_insert(std::uint32_t variable);
  std::uint32_t heap_pop();
  void heap_up(std::size_t place);
  void heap_down(std::size_t place);

  [[nodiscard]] bool is_more_active(std::uint32_t a, std::uint32_t b) const {
    return activity_[a] > activity_[b] || (activity_[a] == activity_[b] && a < b);
  }

  Theory& theory_;
  std::vector<Clause> clauses_;
  std::vector<std::vector<std::uint32_t>>
      watches_;  // by literal: clauses to look at if it is false
  std::vector<Value> values_;
  std::vector<bool> phase_;
  std::vector<std::uint32_t> levels_;
  std::vector<std::uint32_t> reasons_;
  std::vector<std::uint32_t> unit_line_;  // of variables set at level 0
  std::vector<Literal> trail_;
  std::vector<std::size_t> level_begin_;
  std::size_t propagated_ = 0;  // of the trail, by clauses
  std::size_t told_ = 0;        // of the trail, to the theory
  std::vector<double> activity_;
  double increment_ = 1;
  std::vector<std::uint32_t> heap_;
  std::vector<std::uint32_t> heap_place_;
  std::vector<bool> is_seen_;
  std::vector<ProofLine> proof_;
  bool is_refuted_ = false;
  std::uint64_t conflict_count_ = 0;
  std::uint64_t looked_ = 0;
  std::uint64_t restart_count_ = 0;
  std::uint64_t conflicts_left_ = 100;  // until the next restart
  std::size_t learnt_count_ = 0;
  std::size_t learnt_limit_ = 4000;
};

}  // namespace elapid
