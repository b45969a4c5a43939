// The proved clauses over boolean variables, closed under unit propagation.
//
//   proved: a or b, not a or c; assume_false({b, c}) makes a true, then c: a contradiction
//
// Two literals of each clause are watched, as in Moskewicz et al., "Chaff" (DAC 2001): while
// neither is false, nothing follows from the clause. Assumptions come on top of the permanent
// facts, and are taken back all at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace elapid::certify {

/// A variable or its negation.
class Literal {
 public:
  constexpr Literal() = default;

  static constexpr Literal of(std::uint32_t variable) { return Literal(variable << 1); }

  [[nodiscard]] constexpr std::uint32_t variable() const { return code_ >> 1; }

  [[nodiscard]] constexpr bool is_negated() const { return (code_ & 1) != 0; }

  [[nodiscard]] constexpr std::size_t index() const { return code_; }

  [[nodiscard]] constexpr Literal operator~() const { return Literal(code_ ^ 1); }

  friend constexpr bool operator==(Literal, Literal) = default;

 private:
  constexpr explicit Literal(std::uint32_t code) : code_(code) {}

  std::uint32_t code_ = 0;
};

/// Rules beside the clauses. They are called for every literal that becomes true, in order, and
/// again when it becomes open.
class Rules {
 public:
  Rules() = default;
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;
  virtual ~Rules() = default;

  /// Implies the consequences of `literal`; false on a contradiction.
  virtual bool became_true(Literal literal) = 0;
  /// Takes back the notes that became_true() made.
  virtual void became_open(Literal literal) = 0;
};

/// No rules: all consequences come from clauses.
class NoRules final : public Rules {
 public:
  bool became_true(Literal) override { return true; }

  void became_open(Literal) override {}
};

class Clauses {
 public:
  static constexpr Literal kTrue = Literal::of(0);
  static constexpr Literal kFalse = ~Literal::of(0);

  Clauses();

  [[nodiscard]] Literal new_variable();

  [[nodiscard]] bool is_true(Literal literal) const { return values_[literal.index()] == kYes; }

  [[nodiscard]] bool is_false(Literal literal) const { return values_[literal.index()] == kNo; }

  /// Whether a literal that becomes true now stays true.
  [[nodiscard]] bool is_permanent() const { return !is_assuming_; }

  /// Makes a literal true; propagate() draws the consequences. False if the literal is false.
  [[nodiscard]] bool imply(Literal literal);

  /// Draws all consequences. False on a contradiction, which is permanent without assumptions.
  [[nodiscard]] bool propagate(Rules& rules);

  /// Adds a clause and its consequences for good; nothing may be assumed.
  void prove(std::span<const Literal> clause, Rules& rules);

  /// Notes that no valuation satisfies the clauses and the rules. Then every clause follows.
  void contradict() { is_contradictory_ = true; }

  /// Assumes that all of these are false, and draws the consequences. False on a contradiction.
  /// take_back() takes back everything that becomes true from here on.
  [[nodiscard]] bool assume_false(std::span<const Literal> clause, Rules& rules);
  void take_back(Rules& rules);

  [[nodiscard]] bool is_contradictory() const { return is_contradictory_; }

 private:
  enum Value : std::uint8_t { kOpen, kYes, kNo };

  /// The literals of a clause; the first two are watched.
  [[nodiscard]] std::span<Literal> literals(std::uint32_t clause) {
    return std::span(literals_).subspan(begin_[clause], begin_[clause + 1] - begin_[clause]);
  }

  [[nodiscard]] bool add(std::span<const Literal> clause);
  [[nodiscard]] bool visit_watchers(Literal falsified);
  [[nodiscard]] bool find_other_watch(std::uint32_t clause);

  std::vector<Value> values_;  // by literal
  std::vector<Literal> trail_;
  std::size_t propagated_ = 0;
  std::size_t mark_ = 0;
  bool is_assuming_ = false;
  bool is_contradictory_ = false;
  std::vector<std::size_t> begin_;  // one more than clauses
  std::vector<Literal> literals_;
  std::vector<std::vector<std::uint32_t>> watchers_;  // by literal: clauses that watch it
};

}  // namespace elapid::certify
