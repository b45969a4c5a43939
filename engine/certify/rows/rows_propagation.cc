#include "engine/certify/rows/rows_propagation.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace elapid::certify {

namespace {

/// Of a pair of events, one that goes first whichever way round they stand.
bool is_turned(const RowsChoice& choice) {
  const auto code = [](OrderEvent event) { return std::pair(event.txn.value, event.is_commit); };
  return choice.kind == RowsChoice::Kind::kBefore && code(choice.second) < code(choice.first);
}

}  // namespace

std::size_t RowsPropagation::ChoiceHash::operator()(const RowsChoice& choice) const {
  std::size_t hash = static_cast<std::size_t>(choice.kind);
  for (const std::uint32_t part :
       {choice.first.txn.value, choice.second.txn.value, choice.middle.value, choice.row.value,
        choice.mop, choice.as, choice.part}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29;
  }
  return hash;
}

RowsPropagation::Literal RowsPropagation::literal_of(const RowsChoice& choice) {
  RowsChoice about = choice;
  about.holds = true;
  bool holds = choice.holds;
  if (is_turned(choice)) {
    std::swap(about.first, about.second);
    holds = !holds;
  }
  return {variables_.emplace(about, variables_.size()).first->second, holds};
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
