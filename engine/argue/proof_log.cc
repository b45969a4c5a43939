#include "engine/argue/proof_log.h"

#include <algorithm>
#include <utility>

namespace elapid::argue {

void make_clause(std::vector<Literal>& literals) {
  std::ranges::sort(literals, {}, &Literal::code);
  const auto repeated = std::ranges::unique(literals);
  literals.erase(repeated.begin(), repeated.end());
}

std::uint32_t ProofLog::new_variable(RowsChoice choice, bool phase) {
  choices_.push_back(std::move(choice));
  return sat_.new_variable(phase);
}

std::uint32_t ProofLog::add_line(const std::vector<Literal>& clause, RowsProofStep step,
                                 std::vector<std::uint32_t> from) {
  const std::uint32_t line = sat_.add_line(clause, std::move(from));
  reasons_.emplace(line, std::move(step));
  return line;
}

void ProofLog::add(std::vector<Literal> clause, RowsProofStep step,
                   std::vector<std::uint32_t> from) {
  if (is_refuted()) {
    return;
  }
  make_clause(clause);
  literal_count_ += clause.size();
  const std::uint32_t line = add_line(clause, std::move(step), std::move(from));
  sat_.add_clause(std::move(clause), line);
}

bool ProofLog::is_refuted() const {
  return !sat_.proof().empty() && sat_.proof().back().clause.empty();
}

std::vector<RowsProofStep> ProofLog::proof() const {
  std::vector<RowsProofStep> proof;
  for (const std::uint32_t line : sat_.needed_lines()) {
    const auto reason = reasons_.find(line);
    RowsProofStep step = reason == reasons_.end() ? RowsProofStep{} : reason->second;
    for (const Literal literal : sat_.proof()[line].clause) {
      RowsChoice choice = choices_[literal.variable()];
      choice.holds = literal.holds();
      if (choice.kind == RowsChoice::Kind::kBefore && !choice.holds) {
        std::swap(choice.first, choice.second);
        choice.holds = true;
      }
      step.clause.push_back(choice);
    }
    proof.push_back(std::move(step));
  }
  return proof;
}

}  // namespace elapid::argue
