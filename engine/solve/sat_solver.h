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

/// A variable or its negation.
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

/// The knowledge that clauses do not express.
class Theory {
 public:
  virtual ~Theory() = default;

  /// Called when a literal became true. If the theory forbids it, writes a clause of false literals
  /// to `conflict` and returns the number of its proof line; else returns kNoConflict.
  virtual std::uint32_t assign(Literal literal, std::vector<Literal>& conflict) = 0;

  /// Called when the literal that became true last, among the true ones, loses its value.
  virtual void retract(Literal literal) = 0;

  /// The literal to try next, if the search prefers `usual`: another literal without a value, or
  /// `usual`.
  virtual Literal prefer(Literal usual) { return usual; }

  /// Called when all variables have values. False if the theory made new variables in this call:
  /// then all values above level 0 are taken back, and the search goes on.
  virtual bool accepts() = 0;

  static constexpr std::uint32_t kNoConflict = 0xffffffffU;
};

/// A derived clause and its premises, for proofs.
struct ProofLine {
  std::vector<Literal> clause = {};
  std::vector<std::uint32_t> premises = {};  ///< numbers of earlier lines
};

class SatSolver {
 public:
  enum class Answer : std::uint8_t { kSatisfiable, kUnsatisfiable, kOutOfWork };

  explicit SatSolver(Theory& theory) : theory_(theory) {}

  /// `phase`: the value to try first.
  std::uint32_t new_variable(bool phase);

  /// Adds a clause that always holds, with its line in the proof (add_line), or kGiven. No value
  /// above level 0 may stand: call it before solve(), or in Theory::accepts() after restart().
  void add_clause(std::vector<Literal> clause, std::uint32_t line = kGiven);

  static constexpr std::uint32_t kGiven = 0xffffffffU;

  /// Adds a clause that the theory derived, from the clauses of these lines, if any.
  std::uint32_t add_line(std::vector<Literal> clause, std::vector<std::uint32_t> premises = {});

  /// Searches until it finds an answer or `spent()` returns true.
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

  /// The value that the search would try.
  [[nodiscard]] bool phase(std::uint32_t variable) const { return phase_[variable]; }

  [[nodiscard]] bool is_permanent(std::uint32_t variable) const {
    return values_[variable] != kUnset && levels_[variable] == 0;
  }

  /// For a permanent variable: the line that proves its value.
  [[nodiscard]] std::uint32_t unit_line(std::uint32_t variable) const {
    return unit_line_[variable];
  }

  [[nodiscard]] std::uint32_t variable_count() const {
    return static_cast<std::uint32_t>(values_.size());
  }

  /// The number of variables with values that follow from the clauses alone.
  [[nodiscard]] std::uint32_t permanent_count() const {
    return static_cast<std::uint32_t>(level_begin_.empty() ? trail_.size() : level_begin_[0]);
  }

  [[nodiscard]] std::uint64_t conflict_count() const { return conflict_count_; }

  /// The number of assigned literals and of clauses looked at to assign them.
  [[nodiscard]] std::uint64_t looked() const { return looked_; }

  /// All lines; after kUnsatisfiable the last one is empty.
  [[nodiscard]] const std::vector<ProofLine>& proof() const { return proof_; }

  /// The numbers of the lines that the last line depends on, with itself, ascending.
  [[nodiscard]] std::vector<std::uint32_t> needed_lines() const;

  /// Takes back all values above level 0.
  void restart() { backtrack(0); }

 private:
  enum class Step : std::uint8_t { kOn, kSatisfied, kRefuted };

  enum Value : std::uint8_t { kFalse, kTrue, kUnset };

  static constexpr std::uint32_t kNoReason = 0xffffffffU;

  struct Clause {
    std::vector<Literal> literals = {};
    std::uint32_t line = kGiven;
    std::uint32_t levels = 0;  // decision levels of a learnt clause at its birth; 0: keep always
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
      watches_;  // by literal: the clauses to look at if the literal is false
  std::vector<Value> values_;
  std::vector<bool> phase_;
  std::vector<std::uint32_t> levels_;
  std::vector<std::uint32_t> reasons_;
  std::vector<std::uint32_t> unit_line_;  // by variable set at level 0
  std::vector<Literal> trail_;
  std::vector<std::size_t> level_begin_;
  std::size_t propagated_ = 0;  // how much of the trail the clauses have seen
  std::size_t told_ = 0;        // how much of the trail the theory has seen
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
