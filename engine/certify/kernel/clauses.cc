#include "engine/certify/kernel/clauses.h"

#include <algorithm>
#include <utility>

namespace elapid::certify {

Clauses::Clauses() : begin_{0} {
  const Literal truth = new_variable();
  values_[truth.index()] = kYes;
  values_[(~truth).index()] = kNo;
}

Literal Clauses::new_variable() {
  const auto variable = static_cast<std::uint32_t>(values_.size() / 2);
  values_.resize(values_.size() + 2, kOpen);
  watchers_.resize(watchers_.size() + 2);
  return Literal::of(variable);
}

bool Clauses::imply(Literal literal) {
  if (values_[literal.index()] == kOpen) {
    values_[literal.index()] = kYes;
    values_[(~literal).index()] = kNo;
    trail_.push_back(literal);
  }
  return is_true(literal);
}

bool Clauses::propagate(Rules& rules) {
  bool is_consistent = !is_contradictory_;
  while (is_consistent && propagated_ < trail_.size()) {
    const Literal literal = trail_[propagated_++];
    is_consistent = rules.became_true(literal) && visit_watchers(~literal);
  }
  is_contradictory_ = is_contradictory_ || (!is_consistent && !is_assuming_);
  return is_consistent;
}

void Clauses::prove(std::span<const Literal> clause, Rules& rules) {
  is_contradictory_ = is_contradictory_ || !add(clause) || !propagate(rules);
}

/// False if the clause is false already.
bool Clauses::add(std::span<const Literal> clause) {
  const std::size_t begin = literals_.size();
  if (std::ranges::any_of(clause, [this](Literal literal) { return is_true(literal); })) {
    return true;
  }
  std::ranges::copy_if(clause, std::back_inserter(literals_),
                       [this](Literal literal) { return !is_false(literal); });
  const std::span<const Literal> open = std::span(literals_).subspan(begin);
  if (open.size() < 2) {
    const Literal unit = open.empty() ? kFalse : open.front();
    literals_.resize(begin);
    return imply(unit);
  }
  const auto number = static_cast<std::uint32_t>(begin_.size() - 1);
  watchers_[open[0].index()].push_back(number);
  watchers_[open[1].index()].push_back(number);
  begin_.push_back(literals_.size());
  return true;
}

bool Clauses::assume_false(std::span<const Literal> clause, Rules& rules) {
  mark_ = trail_.size();
  is_assuming_ = true;
  return std::ranges::all_of(clause, [this](Literal literal) { return imply(~literal); }) &&
         propagate(rules);
}

void Clauses::take_back(Rules& rules) {
  while (trail_.size() > mark_) {
    const Literal literal = trail_.back();
    trail_.pop_back();
    if (trail_.size() < propagated_) {
      rules.became_open(literal);
    }
    values_[literal.index()] = kOpen;
    values_[(~literal).index()] = kOpen;
  }
  propagated_ = mark_;
  is_assuming_ = false;
}

/// Each clause that watched the literal watches another one now, or implies the one left.
bool Clauses::visit_watchers(Literal falsified) {
  std::vector<std::uint32_t>& watchers = watchers_[falsified.index()];
  std::size_t kept = 0;
  bool is_consistent = true;
  for (const std::uint32_t clause : watchers) {
    const std::span<Literal> all = literals(clause);
    if (all[0] == falsified) {
      std::swap(all[0], all[1]);
    }
    if (is_consistent && !is_true(all[0]) && find_other_watch(clause)) {
      continue;
    }
    watchers[kept++] = clause;
    is_consistent = is_consistent && imply(all[0]);
  }
  watchers.resize(kept);
  return is_consistent;
}

/// Exchanges the second literal, which is false, for one that is not.
bool Clauses::find_other_watch(std::uint32_t clause) {
  const std::span<Literal> all = literals(clause);
  const auto other =
      std::find_if(all.begin() + 2, all.end(), [this](Literal l) { return !is_false(l); });
  if (other == all.end()) {
    return false;
  }
  std::swap(all[1], *other);
  watchers_[all[1].index()].push_back(clause);
  return true;
}

}  // namespace elapid::certify
