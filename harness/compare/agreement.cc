#include "harness/compare/agreement.h"

#include <algorithm>

#include "engine/levels/workload_entailment.h"
#include "harness/compare/question.h"

namespace elapid {
namespace {

constexpr std::size_t kFailuresKept = 5;

/// Whether an answer at one level decides the question of another level.
bool decides(const Statement& statement, Model question, Workload workload) {
  return statement.answer.outcome == Outcome::kValid
             ? entailed(statement.question, workload).test(question)
         : statement.answer.outcome == Outcome::kInvalid
             ? entailed(question, workload).test(statement.question)
             : false;
}

/// The statement that decides the question for a checker: its direct answer, else an implied one.
const Statement* deciding(std::span<const Statement> statements, std::size_t checker,
                          Model question, Workload workload) {
  const Statement* found = nullptr;
  for (const Statement& statement : statements) {
    if (statement.checker != checker || !decides(statement, question, workload)) {
      continue;
    }
    if (ask_the_same(statement.question, question, workload)) {
      return &statement;
    }
    found = found == nullptr ? &statement : found;
  }
  return found;
}

/// The questions that were asked, in order, each once.
std::vector<Model> asked(std::span<const Statement> statements) {
  std::vector<Model> all;
  for (const Statement& statement : statements) {
    if (std::ranges::find(all, statement.question) == all.end()) {
      all.push_back(statement.question);
    }
  }
  return all;
}

std::size_t checkers_in(std::span<const Statement> statements) {
  std::size_t count = 0;
  for (const Statement& statement : statements) {
    count = std::max(count, statement.checker + 1);
  }
  return count;
}

/// Adds the checker to its side, with its answer to the same question if it has one. A checker that
/// contradicts itself is on both sides.
void add_sides(std::span<const Statement> statements, Workload workload, std::size_t checker,
               Disagreement& found) {
  const Statement* valid = nullptr;
  const Statement* invalid = nullptr;
  for (const Statement& statement : statements) {
    if (statement.checker != checker || !decides(statement, found.question, workload)) {
      continue;
    }
    const bool is_own = ask_the_same(statement.question, found.question, workload);
    const bool is_valid = statement.answer.outcome == Outcome::kValid;
    if (!is_valid && !is_own) {
      continue;
    }
    const Statement*& kept = is_valid ? valid : invalid;
    const bool is_closer = kept != nullptr && is_own && kept->question != found.question;
    if (kept == nullptr || is_closer) {
      kept = &statement;
    }
  }
  if (valid != nullptr) {
    found.valid.push_back({checker, valid->question});
  }
  if (invalid != nullptr) {
    found.invalid.push_back({checker, invalid->question});
  }
}

}  // namespace

std::vector<Disagreement> disagreements(std::span<const Statement> statements, Workload workload) {
  std::vector<Disagreement> all;
  for (const Model question : asked(statements)) {
    Disagreement found = {.question = question};
    for (std::size_t checker = 0; checker < checkers_in(statements); ++checker) {
      add_sides(statements, workload, checker, found);
    }
    if (!found.valid.empty() && !found.invalid.empty()) {
      all.push_back(std::move(found));
    }
  }
  return all;
}

Agreement::Agreement(std::size_t checkers) : checkers_(checkers), pairs_(checkers * checkers) {}

void Agreement::add(std::span<const Statement> statements, Workload workload) {
  ++histories_;
  for (const Statement& statement : statements) {
    count(statement);
  }
  for (std::size_t a = 0; a < checkers_.size(); ++a) {
    for (std::size_t b = a + 1; b < checkers_.size(); ++b) {
      compare(statements, workload, a, b);
    }
  }
}

const PairCount& Agreement::pair(std::size_t a, std::size_t b) const {
  return pairs_[a * checkers_.size() + b];
}

bool Agreement::is_alone(std::size_t checker) const {
  for (std::size_t other = 0; other < checkers_.size(); ++other) {
    if (pair(checker, other).compared > 0) {
      return false;
    }
  }
  return true;
}

void Agreement::count(const Statement& statement) {
  CheckerCount& counts = checkers_[statement.checker];
  const CheckerAnswer& answer = statement.answer;
  ++(answer.outcome == Outcome::kValid     ? counts.valid
     : answer.outcome == Outcome::kInvalid ? counts.invalid
     : answer.outcome == Outcome::kUnknown ? counts.unknown
     : answer.outcome == Outcome::kFailed  ? counts.failed
                                           : counts.not_asked);
  if (answer.outcome == Outcome::kNotAsked) {
    return;
  }
  counts.cpu_times.push_back(answer.cpu_time);
  if (answer.peak_bytes > 0) {
    counts.peak_bytes.push_back(answer.peak_bytes);
  }
  if (answer.outcome == Outcome::kFailed && counts.failures.size() < kFailuresKept &&
      std::ranges::find(counts.failures, answer.reason) == counts.failures.end()) {
    counts.failures.push_back(answer.reason);
  }
}

/// Compares the answers to the same question; if there are none, counts once what is implied.
void Agreement::compare(std::span<const Statement> statements, Workload workload, std::size_t a,
                        std::size_t b) {
  PairCount direct;
  PairCount implied;
  for (const Model question : asked(statements)) {
    const Statement* of_a = deciding(statements, a, question, workload);
    const Statement* of_b = deciding(statements, b, question, workload);
    if (of_a == nullptr || of_b == nullptr) {
      continue;
    }
    const bool is_direct = ask_the_same(of_a->question, question, workload) &&
                           ask_the_same(of_b->question, question, workload);
    PairCount& counts = is_direct ? direct : implied;
    ++counts.compared;
    counts.agreed += of_a->answer.outcome == of_b->answer.outcome ? 1 : 0;
  }
  if (direct.compared == 0 && implied.compared > 0) {
    direct = {.compared = 1, .agreed = implied.agreed == implied.compared ? 1U : 0U};
  }
  for (const std::size_t place : {a * checkers_.size() + b, b * checkers_.size() + a}) {
    pairs_[place].compared += direct.compared;
    pairs_[place].agreed += direct.agreed;
  }
}

}  // namespace elapid
