#include "engine/certify/rows_propagation.h"

#include <algorithm>

namespace elapid::certify {

RowsPropagation::Literal RowsPropagation::literal_of(const RowsChoice& choice) {
  const auto code = [](OrderEvent event) { return std::pair(event.txn.value, event.is_commit); };
  RowsChoice about = choice;
  bool holds = choice.holds;
  if (choice.kind == RowsChoice::Kind::kBefore && code(choice.second) < code(choice.first)) {
    std::swap(about.first, about.second);
    holds = false;
  }
  const auto key = std::tuple(about.kind, code(about.first), code(about.second), about.middle.value,
                              about.row.value, about.mop, about.part, about.values);
  return {variables_.emplace(key, variables_.size()).first->second, holds};
}

void RowsPropagation::add(const std::vector<RowsChoice>& clause) {
  std::vector<Literal> literals;
  for (const RowsChoice& choice : clause) {
    literals.push_back(literal_of(choice));
    const std::size_t code = 2 * literals.back().first + (literals.back().second ? 1 : 0);
    occurs_.resize(std::max(occurs_.size(), 2 * variables_.size() + 2));
    occurs_[code].push_back(clauses_.size());
  }
  if (literals.size() <= 1) {
    units_.push_back(clauses_.size());
  }
  clauses_.push_back(std::move(literals));
}

bool RowsPropagation::is_derived(const std::vector<RowsChoice>& clause) {
  std::map<std::size_t, bool> values;
  std::vector<Literal> queue;
  bool has_conflict = false;
  const auto assume = [&](Literal literal) {
    const auto [known, is_new] = values.emplace(literal);
    has_conflict = has_conflict || known->second != literal.second;
    if (is_new) {
      queue.push_back(literal);
    }
  };
  const auto look = [&](const std::vector<Literal>& literals) {
    const Literal* open = nullptr;
    for (const Literal& literal : literals) {
      const auto known = values.find(literal.first);
      if (known == values.end()) {
        if (open != nullptr) {
          return;
        }
        open = &literal;
      } else if (known->second == literal.second) {
        return;
      }
    }
    if (open == nullptr) {
      has_conflict = true;
    } else {
      assume(*open);
    }
  };
  for (const RowsChoice& choice : clause) {
    const Literal literal = literal_of(choice);
    assume({literal.first, !literal.second});
  }
  for (const std::size_t unit : units_) {
    look(clauses_[unit]);
  }
  occurs_.resize(std::max(occurs_.size(), 2 * variables_.size() + 2));
  for (std::size_t next = 0; next < queue.size() && !has_conflict; ++next) {
    const auto [variable, holds] = queue[next];
    const std::vector<std::size_t>& broken = occurs_[2 * variable + (holds ? 0 : 1)];
    for (std::size_t i = 0; i < broken.size() && !has_conflict; ++i) {
      look(clauses_[broken[i]]);
    }
  }
  return has_conflict;
}

}  // namespace elapid::certify
