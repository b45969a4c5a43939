#include "engine/solve/sat_solver.h"

#include <algorithm>
#include <utility>

namespace elapid {

namespace {

constexpr double kDecay = 0.95;
constexpr double kHuge = 1e100;
constexpr std::uint64_t kRestartUnit = 100;  // conflicts
constexpr std::uint32_t kGlue = 2;           // clauses of at most so many levels are always kept

/// A conflict that would undo more levels than this undoes one, since most of the undone decisions
/// would be made again (Nadel and Ryvchin, "Chronological Backtracking", SAT 2018). Then a literal
/// may stand on a higher level than its reasons, and a clause may force nothing until it is false.
constexpr std::uint32_t kFarBack = 100;

/// The Luby sequence: 1 1 2 1 1 2 4 ...
std::uint64_t luby(std::uint64_t i) {
  std::uint64_t size = 1;
  std::uint64_t exponent = 0;
  while (size < i + 1) {
    size = 2 * size + 1;
    ++exponent;
  }
  while (size - 1 != i) {
    size = (size - 1) / 2;
    --exponent;
    i %= size;
  }
  return std::uint64_t{1} << exponent;
}

}  // namespace

std::uint32_t SatSolver::new_variable(bool phase) {
  const std::uint32_t variable = variable_count();
  values_.push_back(kUnset);
  phase_.push_back(phase);
  levels_.push_back(0);
  reasons_.push_back(kNoReason);
  unit_line_.push_back(kGiven);
  activity_.push_back(0);
  heap_place_.push_back(kNoReason);
  is_seen_.push_back(false);
  watches_.resize(watches_.size() + 2);
  heap_insert(variable);
  return variable;
}

std::uint32_t SatSolver::add_line(std::vector<Literal> clause,
                                  std::vector<std::uint32_t> premises) {
  proof_.push_back({.clause = std::move(clause), .premises = std::move(premises)});
  return static_cast<std::uint32_t>(proof_.size() - 1);
}

void SatSolver::add_clause(std::vector<Literal> literals, std::uint32_t line) {
  if (is_refuted_) {
    return;
  }
  // The two literals to watch come first: those that are not false.
  std::stable_partition(literals.begin(), literals.end(),
                        [this](Literal literal) { return value(literal) != kFalse; });
  const auto open = static_cast<std::size_t>(
      std::count_if(literals.begin(), literals.end(),
                    [this](Literal literal) { return value(literal) != kFalse; }));
  if (open == 0) {
    refute(literals, line == kGiven ? std::vector<std::uint32_t>() : std::vector{line});
    return;
  }
  clauses_.push_back({.literals = std::move(literals), .line = line});
  const auto added = static_cast<std::uint32_t>(clauses_.size() - 1);
  if (clauses_[added].literals.size() > 1) {
    attach(added);
  }
  if (open == 1 && value(clauses_[added].literals[0]) == kUnset) {
    enqueue(clauses_[added].literals[0], added);
  }
}

void SatSolver::attach(std::uint32_t clause) {
  watches_[clauses_[clause].literals[0].code()].push_back(clause);
  watches_[clauses_[clause].literals[1].code()].push_back(clause);
}

SatSolver::Step SatSolver::step() {
  if (is_refuted_) {
    return Step::kRefuted;
  }
  std::vector<Literal> conflict;
  std::uint32_t line = kGiven;
  if (!propagate(conflict, line)) {
    return handle_conflict(std::move(conflict), line);
  }
  if (trail_.size() == values_.size()) {
    if (theory_.accepts()) {
      return Step::kSatisfied;
    }
    backtrack(0);
    return is_refuted_ ? Step::kRefuted : Step::kOn;
  }
  if (conflicts_left_ == 0) {
    conflicts_left_ = kRestartUnit * luby(++restart_count_);
    backtrack(0);
    if (learnt_count_ > learnt_limit_) {
      forget_clauses();
    }
    return Step::kOn;
  }
  return decide();
}

SatSolver::Step SatSolver::decide() {
  std::uint32_t variable = heap_pop();
  while (values_[variable] != kUnset) {
    variable = heap_pop();
  }
  const Literal literal = theory_.prefer({variable, phase_[variable]});
  if (literal.variable() != variable) {
    heap_insert(variable);
  }
  level_begin_.push_back(trail_.size());
  enqueue(literal, kNoReason);
  return Step::kOn;
}

void SatSolver::enqueue(Literal literal, std::uint32_t reason) {
  const std::uint32_t variable = literal.variable();
  values_[variable] = literal.holds() ? kTrue : kFalse;
  levels_[variable] = level();
  reasons_[variable] = reason;
  trail_.push_back(literal);
  if (level() > 0) {
    return;
  }
  ProofLine unit = {.clause = {literal}};
  if (clauses_[reason].line != kGiven) {
    unit.premises.push_back(clauses_[reason].line);
  }
  for (const Literal other : clauses_[reason].literals) {
    if (other != literal) {
      unit.premises.push_back(unit_line(other.variable()));
    }
  }
  proof_.push_back(std::move(unit));
  unit_line_[variable] = static_cast<std::uint32_t>(proof_.size() - 1);
}

/// Propagates until nothing more follows. Returns false on a contradiction.
bool SatSolver::propagate(std::vector<Literal>& conflict, std::uint32_t& line) {
  while (told_ < trail_.size()) {
    while (propagated_ < trail_.size()) {
      std::uint32_t broken = kNoReason;
      if (!propagate_clauses(trail_[propagated_++], broken)) {
        conflict = clauses_[broken].literals;
        line = clauses_[broken].line;
        return false;
      }
    }
    line = theory_.assign(trail_[told_++], conflict);
    if (line != Theory::kNoConflict) {
      return false;
    }
  }
  return true;
}

bool SatSolver::propagate_clauses(Literal assigned, std::uint32_t& conflict) {
  const Literal falsified = ~assigned;
  std::vector<std::uint32_t>& watching = watches_[falsified.code()];
  looked_ += 1 + watching.size();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < watching.size(); ++i) {
    Clause& clause = clauses_[watching[i]];
    if (clause.is_deleted) {
      continue;
    }
    std::vector<Literal>& literals = clause.literals;
    if (literals[0] == falsified) {
      std::swap(literals[0], literals[1]);
    }
    if (value(literals[0]) == kTrue) {
      watching[kept++] = watching[i];
      continue;
    }
    const auto other = std::find_if(literals.begin() + 2, literals.end(),
                                    [this](Literal l) { return value(l) != kFalse; });
    if (other != literals.end()) {
      std::swap(literals[1], *other);
      watches_[literals[1].code()].push_back(watching[i]);
      continue;
    }
    watching[kept++] = watching[i];
    if (value(literals[0]) == kFalse) {
      conflict = watching[i];
      kept = static_cast<std::size_t>(
          std::move(watching.begin() + static_cast<std::ptrdiff_t>(i) + 1, watching.end(),
                    watching.begin() + static_cast<std::ptrdiff_t>(kept)) -
          watching.begin());
      watching.resize(kept);
      return false;
    }
    enqueue(literals[0], watching[i]);
  }
  watching.resize(kept);
  return true;
}

SatSolver::Step SatSolver::handle_conflict(std::vector<Literal> conflict, std::uint32_t line) {
  ++conflict_count_;
  conflicts_left_ -= conflicts_left_ > 0 ? 1 : 0;
  std::vector<std::uint32_t> premises;
  if (line != kGiven) {
    premises.push_back(line);
  }
  const std::uint32_t highest = lower(conflict, premises);
  backtrack(highest);
  if (highest == 0) {
    refute(conflict, std::move(premises));
    return Step::kRefuted;
  }
  analyse(std::move(conflict), std::move(premises));
  increment_ /= kDecay;
  return Step::kOn;
}

/// Returns the level of the conflict. If one literal alone has the highest level and a reason, its
/// reason replaces it.
std::uint32_t SatSolver::lower(std::vector<Literal>& conflict,
                               std::vector<std::uint32_t>& premises) const {
  while (true) {
    const auto highest =
        std::ranges::max_element(conflict, {}, [this](Literal l) { return levels_[l.variable()]; });
    const std::uint32_t level = highest == conflict.end() ? 0 : levels_[highest->variable()];
    const auto on_level =
        std::ranges::count_if(conflict, [&](Literal l) { return levels_[l.variable()] == level; });
    if (level == 0 || on_level > 1 || reasons_[highest->variable()] == kNoReason) {
      return level;
    }
    const Literal alone = *highest;
    const Clause& reason = clauses_[reasons_[alone.variable()]];
    conflict.erase(highest);
    if (reason.line != kGiven) {
      premises.push_back(reason.line);
    }
    for (const Literal literal : reason.literals) {
      if (literal != ~alone && std::ranges::find(conflict, literal) == conflict.end()) {
        conflict.push_back(literal);
      }
    }
  }
}

std::vector<std::uint32_t> SatSolver::needed_lines() const {
  std::vector<bool> is_needed(proof_.size(), false);
  if (!proof_.empty()) {
    is_needed.back() = true;
  }
  for (std::size_t line = proof_.size(); line-- > 0;) {
    for (const std::uint32_t premise : proof_[line].premises) {
      if (is_needed[line] && premise != kGiven) {
        is_needed[premise] = true;
      }
    }
  }
  std::vector<std::uint32_t> lines;
  for (std::uint32_t line = 0; line < proof_.size(); ++line) {
    if (is_needed[line]) {
      lines.push_back(line);
    }
  }
  return lines;
}

/// The clause is false at level 0, so the formula is unsatisfiable.
void SatSolver::refute(const std::vector<Literal>& conflict, std::vector<std::uint32_t> premises) {
  ProofLine last = {.premises = std::move(premises)};
  for (const Literal literal : conflict) {
    last.premises.push_back(unit_line(literal.variable()));
  }
  proof_.push_back(std::move(last));
  is_refuted_ = true;
}

/// Learns the first unique implication point. Then goes back to the level where the learnt clause
/// forces a literal, or one level (kFarBack). `premises`: the proof lines that the conflict comes
/// from.
void SatSolver::analyse(std::vector<Literal> conflict, std::vector<std::uint32_t> premises) {
  std::vector<Literal> learnt(1);
  std::vector<std::uint32_t> seen;
  std::size_t open = 0;  // literals of this level not resolved yet
  std::size_t at = trail_.size();
  const auto resolve = [&](std::span<const Literal> clause, std::uint32_t clause_line) {
    if (clause_line != kGiven) {
      premises.push_back(clause_line);
    }
    for (const Literal literal : clause) {
      const std::uint32_t variable = literal.variable();
      if (is_seen_[variable] || value(literal) == kTrue) {
        continue;  // the literal that the clause forced
      }
      is_seen_[variable] = true;
      seen.push_back(variable);
      bump(variable);
      if (levels_[variable] == 0) {
        premises.push_back(unit_line(variable));
      } else if (levels_[variable] == level()) {
        ++open;
      } else {
        learnt.push_back(literal);
      }
    }
  };
  resolve(conflict, kGiven);
  while (true) {
    while (!is_seen_[trail_[at - 1].variable()] || levels_[trail_[at - 1].variable()] != level()) {
      --at;
    }
    const Literal literal = trail_[--at];
    if (--open == 0) {
      learnt[0] = ~literal;
      break;
    }
    const Clause& reason = clauses_[reasons_[literal.variable()]];
    resolve(reason.literals, reason.line);
  }
  for (const std::uint32_t variable : seen) {
    is_seen_[variable] = false;
  }
  std::vector<std::uint32_t> levels;
  for (const Literal literal : learnt) {
    levels.push_back(levels_[literal.variable()]);
  }
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  std::sort(learnt.begin() + 1, learnt.end(),
            [this](Literal a, Literal b) { return levels_[a.variable()] > levels_[b.variable()]; });
  proof_.push_back({.clause = learnt, .premises = std::move(premises)});
  clauses_.push_back({.literals = learnt,
                      .line = static_cast<std::uint32_t>(proof_.size() - 1),
                      .levels = static_cast<std::uint32_t>(levels.size())});
  ++learnt_count_;
  const std::uint32_t asserting = learnt.size() > 1 ? levels_[learnt[1].variable()] : 0;
  const bool is_far = asserting > 0 && level() - asserting > kFarBack;
  backtrack(is_far ? level() - 1 : asserting);
  const auto added = static_cast<std::uint32_t>(clauses_.size() - 1);
  if (learnt.size() > 1) {
    attach(added);
  }
  enqueue(learnt[0], added);
}

void SatSolver::backtrack(std::uint32_t target) {
  if (level() <= target) {
    return;
  }
  const std::size_t begin = level_begin_[target];
  while (told_ > begin) {
    theory_.retract(trail_[--told_]);
  }
  for (std::size_t i = trail_.size(); i-- > begin;) {
    const std::uint32_t variable = trail_[i].variable();
    phase_[variable] = trail_[i].holds();
    values_[variable] = kUnset;
    heap_insert(variable);
  }
  trail_.resize(begin);
  level_begin_.resize(target);
  propagated_ = begin;
}

/// Drops the half of the learnt clauses that spans the most levels. Only at level 0.
void SatSolver::forget_clauses() {
  std::vector<std::uint32_t> learnt;
  std::vector<bool> is_reason(clauses_.size(), false);
  for (const Literal literal : trail_) {
    if (reasons_[literal.variable()] != kNoReason) {
      is_reason[reasons_[literal.variable()]] = true;
    }
  }
  for (std::uint32_t c = 0; c < clauses_.size(); ++c) {
    if (clauses_[c].levels > kGlue && !clauses_[c].is_deleted && !is_reason[c]) {
      learnt.push_back(c);
    }
  }
  std::stable_sort(learnt.begin(), learnt.end(), [this](std::uint32_t a, std::uint32_t b) {
    return clauses_[a].levels > clauses_[b].levels;
  });
  learnt.resize(learnt.size() / 2);
  for (const std::uint32_t c : learnt) {
    clauses_[c].is_deleted = true;
    --learnt_count_;
  }
  learnt_limit_ += learnt_limit_ / 10;
  for (std::vector<std::uint32_t>& watching : watches_) {
    std::erase_if(watching, [this](std::uint32_t c) { return clauses_[c].is_deleted; });
  }
  for (const std::uint32_t c : learnt) {
    clauses_[c].literals = {};
  }
}

void SatSolver::bump(std::uint32_t variable) {
  activity_[variable] += increment_;
  if (activity_[variable] > kHuge) {
    for (double& activity : activity_) {
      activity /= kHuge;
    }
    increment_ /= kHuge;
  }
  if (heap_place_[variable] != kNoReason) {
    heap_up(heap_place_[variable]);
  }
}

void SatSolver::heap_insert(std::uint32_t variable) {
  if (heap_place_[variable] == kNoReason) {
    heap_place_[variable] = static_cast<std::uint32_t>(heap_.size());
    heap_.push_back(variable);
    heap_up(heap_.size() - 1);
  }
}

std::uint32_t SatSolver::heap_pop() {
  const std::uint32_t top = heap_.front();
  heap_place_[top] = kNoReason;
  const std::uint32_t last = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) {
    heap_[0] = last;
    heap_place_[last] = 0;
    heap_down(0);
  }
  return top;
}

void SatSolver::heap_up(std::size_t place) {
  const std::uint32_t variable = heap_[place];
  while (place > 0 && is_more_active(variable, heap_[(place - 1) / 2])) {
    heap_[place] = heap_[(place - 1) / 2];
    heap_place_[heap_[place]] = static_cast<std::uint32_t>(place);
    place = (place - 1) / 2;
  }
  heap_[place] = variable;
  heap_place_[variable] = static_cast<std::uint32_t>(place);
}

void SatSolver::heap_down(std::size_t place) {
  const std::uint32_t variable = heap_[place];
  while (2 * place + 1 < heap_.size()) {
    std::size_t child = 2 * place + 1;
    if (child + 1 < heap_.size() && is_more_active(heap_[child + 1], heap_[child])) {
      ++child;
    }
    if (!is_more_active(heap_[child], variable)) {
      break;
    }
    heap_[place] = heap_[child];
    heap_place_[heap_[place]] = static_cast<std::uint32_t>(place);
    place = child;
  }
  heap_[place] = variable;
  heap_place_[variable] = static_cast<std::uint32_t>(place);
}

}  // namespace elapid
