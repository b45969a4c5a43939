// The Boolean core against CaDiCaL, on random clauses; its proofs against unit propagation.
#include "engine/solve/sat_solver.h"

#include <algorithm>
#include <cadical.hpp>
#include <catch2/catch.hpp>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/sample_size.h"

namespace elapid {
namespace {

using Clauses = std::vector<std::vector<Literal>>;

struct Formula {
  std::uint32_t variables = 0;
  Clauses clauses = {};
};

/// About as many clauses of three literals as make it open whether they can be satisfied.
Formula random_formula(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  Formula formula{.variables = 3 + below(60)};
  const std::uint32_t count = formula.variables * 43 / 10;
  for (std::uint32_t c = 0; c < count; ++c) {
    std::vector<Literal> clause;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const Literal literal(below(formula.variables), below(2) == 0);
      const bool is_there = std::any_of(clause.begin(), clause.end(), [&](Literal other) {
        return other.variable() == literal.variable();
      });
      if (!is_there) {
        clause.push_back(literal);
      }
    }
    formula.clauses.push_back(std::move(clause));
  }
  return formula;
}

/// Accepts everything.
class NoTheory final : public Theory {
 public:
  std::uint32_t assign(Literal /*literal*/, std::vector<Literal>& /*conflict*/) override {
    return kNoConflict;
  }

  void retract(Literal /*literal*/) override {}

  bool accepts() override { return true; }
};

bool cadical_says_satisfiable(const Formula& formula) {
  CaDiCaL::Solver solver;
  for (const std::vector<Literal>& clause : formula.clauses) {
    for (const Literal literal : clause) {
      const int number = static_cast<int>(literal.variable()) + 1;
      solver.add(literal.holds() ? number : -number);
    }
    solver.add(0);
  }
  constexpr int kSatisfiable = 10;
  return solver.solve() == kSatisfiable;
}

/// Whether unit propagation contradicts the negation of `clause`, given `clauses`.
bool follows(const Clauses& clauses, const std::vector<Literal>& clause, std::uint32_t variables) {
  std::vector<int> value(variables, 0);
  const auto assume = [&](Literal literal) {
    value[literal.variable()] = literal.holds() ? 1 : -1;
  };
  const auto of = [&](Literal literal) {
    return literal.holds() ? value[literal.variable()] : -value[literal.variable()];
  };
  for (const Literal literal : clause) {
    assume(~literal);
  }
  for (bool is_news = true; is_news;) {
    is_news = false;
    for (const std::vector<Literal>& other : clauses) {
      const bool is_true =
          std::any_of(other.begin(), other.end(), [&](Literal l) { return of(l) > 0; });
      std::vector<Literal> open;
      std::copy_if(other.begin(), other.end(), std::back_inserter(open),
                   [&](Literal l) { return of(l) == 0; });
      if (is_true || open.size() > 1) {
        continue;
      }
      if (open.empty()) {
        return true;
      }
      assume(open.front());
      is_news = true;
    }
  }
  return false;
}

bool satisfies(const SatSolver& solver, const Formula& formula) {
  return std::all_of(formula.clauses.begin(), formula.clauses.end(), [&](const auto& clause) {
    return std::any_of(clause.begin(), clause.end(),
                       [&](Literal literal) { return solver.is_true(literal); });
  });
}

/// Whether each line follows from the clauses and the lines before, and the last one is empty.
bool is_proof(const std::vector<ProofLine>& proof, const Formula& formula) {
  Clauses known = formula.clauses;
  for (const ProofLine& line : proof) {
    if (!follows(known, line.clause, formula.variables)) {
      return false;
    }
    known.push_back(line.clause);
  }
  return !proof.empty() && proof.back().clause.empty();
}

/// The same formula in variables that are `gap` apart. The variables between are free, so dependent
/// decisions are levels apart.
Formula spread(Formula formula, std::uint32_t gap) {
  for (std::vector<Literal>& clause : formula.clauses) {
    for (Literal& literal : clause) {
      literal = Literal(literal.variable() * gap, literal.holds());
    }
  }
  formula.variables *= gap;
  return formula;
}

/// Whether it can be satisfied; the answer has been checked.
bool decide(const Formula& formula) {
  NoTheory theory;
  SatSolver solver(theory);
  for (std::uint32_t v = 0; v < formula.variables; ++v) {
    solver.new_variable(v % 2 == 0);
  }
  for (const std::vector<Literal>& clause : formula.clauses) {
    solver.add_clause(clause);
  }
  const SatSolver::Answer answer = solver.solve([] { return false; });
  const bool expected = cadical_says_satisfiable(formula);
  REQUIRE(answer ==
          (expected ? SatSolver::Answer::kSatisfiable : SatSolver::Answer::kUnsatisfiable));
  CHECK((expected ? satisfies(solver, formula) : is_proof(solver.proof(), formula)));
  return expected;
}

TEST_CASE("the Boolean core agrees with CaDiCaL, and proves it") {
  const std::uint32_t gap = GENERATE(1U, 40U);
  std::uint32_t satisfiable = 0;
  const auto formulas = static_cast<std::uint32_t>(round_count(200, 4000));
  for (std::uint32_t seed = 1; seed <= formulas; ++seed) {
    INFO("seed " << seed << ", gap " << gap);
    satisfiable += decide(spread(random_formula(seed), gap)) ? 1U : 0U;
  }
  CHECK(satisfiable > formulas / 10);
  CHECK(satisfiable < formulas * 9 / 10);
}

TEST_CASE("the Boolean core gives up when its budget is spent") {
  NoTheory theory;
  SatSolver solver(theory);
  const Literal a(solver.new_variable(true), true);
  const Literal b(solver.new_variable(true), true);
  solver.add_clause({a, b});
  CHECK(solver.solve([] { return true; }) == SatSolver::Answer::kOutOfWork);
  CHECK(solver.solve([] { return false; }) == SatSolver::Answer::kSatisfiable);
}

}  // namespace
}  // namespace elapid
