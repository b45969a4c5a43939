#include "engine/certify/predictions/possible_executions.h"

#include <algorithm>
#include <cadical.hpp>
#include <ranges>

#include "engine/certify/predictions/circle.h"

namespace elapid::certify {

PossibleExecutions::PossibleExecutions(const KeptSessions& sessions, const NoPrediction& claim)
    : sessions_(sessions),
      claim_(claim),
      solver_(std::make_unique<CaDiCaL::Solver>()),
      stops_(sessions.txns.size()),
      choices_(sessions.txns.size()),
      writes_(sessions.writers.size()),
      shown_(sessions.writers.size()) {
  solver_->set("quiet", 1);
  solver_->set("phase", 0);  // an edge is absent unless a clause asks for it
  true_ = new_literal();
  add({true_});
  for (std::size_t t = 0; t < sessions.txns.size(); ++t) {
    whole_.push_back(new_literal());
  }
  for (std::uint32_t t = 0; t < sessions.txns.size(); ++t) {
    add_boundary(t);
    for (std::uint32_t i = 0; i < sessions.txns[t].events.size(); ++i) {
      sessions.txns[t].events[i].is_write ? add_write(t, i) : add_read(t, i);
    }
  }
  find_happens_before();
  demand_level();
  if (sessions.has_lists) {
    order_lists();
    find_shown();
  }
}

PossibleExecutions::~PossibleExecutions() = default;

PossibleExecutions::Literal PossibleExecutions::new_literal() {
  return ++variables_;
}

void PossibleExecutions::add(std::span<const Literal> clause) {
  for (const Literal literal : clause) {
    solver_->add(literal);
  }
  solver_->add(0);
}

/// A literal that is true if and only if one of these is.
PossibleExecutions::Literal PossibleExecutions::any_of(const std::vector<Literal>& literals) {
  if (literals.empty() || std::ranges::count(literals, true_) > 0) {
    return literals.empty() ? -true_ : true_;
  }
  if (literals.size() == 1) {
    return literals.front();
  }
  const Literal any = new_literal();
  std::vector<Literal> clause = literals;
  clause.push_back(-any);
  add(clause);
  for (const Literal literal : literals) {
    add({-literal, any});
  }
  return any;
}

/// A literal that implies both.
PossibleExecutions::Literal PossibleExecutions::both(Literal a, Literal b) {
  if (a == b || b == true_) {
    return a;
  }
  const auto [found, is_new] = both_.try_emplace(std::minmax(a, b), 0);
  if (is_new) {
    found->second = new_literal();
    add({-found->second, a});
    add({-found->second, b});
  }
  return found->second;
}

PossibleExecutions::Literal PossibleExecutions::edge(std::uint32_t from, std::uint32_t to) {
  const auto [found, is_new] = edges_.try_emplace({from, to}, 0);
  if (is_new) {
    found->second = new_literal();
    if (const auto back = edges_.find({to, from}); back != edges_.end()) {
      add({-found->second, -back->second});
    }
  }
  return found->second;
}

/// Where the transaction may stop as the last kept of its session, with a read of another writer:
/// strict, at a read; relaxed, at its end.
void PossibleExecutions::add_boundary(std::uint32_t t) {
  const KeptTxn& txn = sessions_.txns[t];
  if (txn.before != kNoTxn) {
    add({-whole_[t], whole_[txn.before]});
  }
  for (std::uint32_t i = 0; i < txn.events.size(); ++i) {
    const bool may_stop = claim_.is_strict ? !txn.events[i].is_write : i + 1 == txn.events.size();
    if (!may_stop) {
      continue;
    }
    const Literal stop = new_literal();
    add({-stop, -whole_[t]});
    if (txn.before != kNoTxn) {
      add({-stop, whole_[txn.before]});
    }
    for (const Literal other : stops_[t] | std::views::values) {
      add({-stop, -other});
    }
    stops_[t].emplace(i, stop);
  }
}

/// Whether the event is kept: its transaction is whole, or does not stop before.
PossibleExecutions::Literal PossibleExecutions::keeps(std::uint32_t t, std::uint32_t event) {
  std::vector<Literal> when = {whole_[t]};
  for (const auto& [i, stop] : stops_[t]) {
    if (i >= event) {
      when.push_back(stop);
    }
  }
  return any_of(when);
}

void PossibleExecutions::add_write(std::uint32_t t, std::uint32_t event) {
  writes_[sessions_.txns[t].events[event].key.index()].push_back(
      {.txn = t, .is_kept = keeps(t, event), .is_committed = keeps(t, 0)});
}

void PossibleExecutions::add_read(std::uint32_t t, std::uint32_t event) {
  const KeptEvent& read = sessions_.txns[t].events[event];
  std::vector<std::uint32_t> writers = sessions_.writers[read.key.index()];
  writers.push_back(kNoTxn);
  const Literal is_kept = keeps(t, event);
  std::vector<Literal> some = {-is_kept};
  Literal as_observed = -true_;
  const auto add_choice = [&](std::uint32_t writer, bool is_as_observed) {
    const Literal holds = new_literal();
    add({-holds, is_kept});
    if (writer != kNoTxn) {
      add({-holds, whole_[writer]});
    }
    for (std::size_t i = 1; i < some.size(); ++i) {
      add({-holds, -some[i]});
    }
    some.push_back(holds);
    choices_[t].push_back({t, event, read.key, writer, holds, is_as_observed});
    as_observed = is_as_observed ? holds : as_observed;
  };
  for (const std::uint32_t writer : writers) {
    if (writer != t) {
      add_choice(writer, writer == read.writer);
    }
  }
  if (!read.list.empty()) {
    add_choice(read.writer, false);  // another list that ends in the same way
  }
  add(some);
  add({-whole_[t], as_observed});
  for (const auto& [i, stop] : stops_[t]) {
    if (claim_.is_strict && i >= event) {  // it stops at the first read that is changed
      add({-stop, i > event ? as_observed : -as_observed});
    }
  }
}

void PossibleExecutions::find_happens_before() {
  const std::size_t count = sessions_.txns.size();
  before_.assign(count, std::vector<bool>(count, false));
  for (std::uint32_t t = 0; t < count; ++t) {
    std::vector<std::uint32_t> open = {t};
    while (!open.empty()) {
      const KeptTxn& at = sessions_.txns[open.back()];
      open.pop_back();
      const auto add_earlier = [&](std::uint32_t earlier) {
        if (earlier != kNoTxn && !before_[t][earlier]) {
          before_[t][earlier] = true;
          open.push_back(earlier);
        }
      };
      add_earlier(at.before);
      for (const KeptEvent& event : at.events) {
        add_earlier(event.is_write ? kNoTxn : event.writer);
      }
    }
  }
}

/// Whether the first of two writers of a list's key commits before the second.
PossibleExecutions::Literal PossibleExecutions::precedes(std::uint32_t first,
                                                         std::uint32_t second) {
  return edge(commit_of(claim_.level, first), commit_of(claim_.level, second));
}

/// Whether the level regards the write.
PossibleExecutions::Literal PossibleExecutions::counts(const Write& write) const {
  return claim_.level == Visibility::kSnapshot ? write.is_committed : write.is_kept;
}

void PossibleExecutions::order_lists() {
  for (const std::vector<Write>& of_key : writes_) {
    for (std::size_t i = 0; i < of_key.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        add({-counts(of_key[i]), -counts(of_key[j]), precedes(of_key[i].txn, of_key[j].txn),
             precedes(of_key[j].txn, of_key[i].txn)});
      }
    }
  }
  for (const std::vector<Choice>& of_txn : choices_) {
    for (const Choice& choice : of_txn) {
      if (choice.writer != kNoTxn) {
        demand_list(choice);
      }
    }
  }
}

/// The elements before the last one are as observed, or they are not, if the last one is. Those of
/// a boundary transaction are in no list.
void PossibleExecutions::demand_list(const Choice& choice) {
  const std::vector<std::uint32_t>& list = sessions_.txns[choice.txn].events[choice.event].list;
  std::vector<Literal> is_other = {-choice.holds};
  for (const Write& write : writes_[choice.key.index()]) {
    if (write.txn == choice.writer) {
      continue;
    }
    const Literal is_later = precedes(choice.writer, write.txn);
    const bool is_in_list = std::ranges::find(list, write.txn) != list.end();
    add({-choice.holds, -counts(write), whole_[write.txn], is_later});
    if (choice.is_as_observed && is_in_list) {
      add({-choice.holds, whole_[write.txn]});
    } else if (choice.is_as_observed) {
      add({-choice.holds, -counts(write), is_later});
    }
    is_other.push_back(is_in_list ? -whole_[write.txn]
                                  : both(whole_[write.txn], precedes(write.txn, choice.writer)));
  }
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (choice.is_as_observed) {
      add({-choice.holds, precedes(list[i - 1], list[i])});
    }
    is_other.push_back(precedes(list[i], list[i - 1]));
  }
  if (!choice.is_as_observed && choice.writer == (list.empty() ? kNoTxn : list.back())) {
    add(is_other);
  }
}

/// For each writer of a key whether a list that is read shows it.
void PossibleExecutions::find_shown() {
  std::vector<std::map<std::uint32_t, std::vector<Literal>>> reads(writes_.size());
  for (const std::vector<Choice>& of_txn : choices_) {
    for (const Choice& choice : of_txn) {
      if (choice.writer != kNoTxn) {
        reads[choice.key.index()][choice.writer].push_back(choice.holds);
      }
    }
  }
  for (std::size_t key = 0; key < writes_.size(); ++key) {
    std::map<std::uint32_t, Literal> is_last;
    for (const auto& [writer, holds] : reads[key]) {
      is_last.emplace(writer, any_of(holds));
    }
    for (const Write& write : writes_[key]) {
      std::vector<Literal> when;
      for (const auto& [writer, holds] : is_last) {
        when.push_back(writer == write.txn ? holds : both(holds, precedes(write.txn, writer)));
      }
      shown_[key].emplace(write.txn, both(any_of(when), whole_[write.txn]));
    }
  }
}

void PossibleExecutions::demand_level() {
  for (const std::vector<Choice>& of_txn : choices_) {
    for (const Choice& choice : of_txn) {
      if (choice.writer != kNoTxn) {
        add({-choice.holds,
             edge(commit_of(claim_.level, choice.writer), start_of(claim_.level, choice.txn))});
      }
      is_saturable(claim_.level) ? demand_visible(choice) : demand_not_between(choice);
    }
  }
  if (claim_.level == Visibility::kSnapshot) {
    demand_no_overlap();
  }
}

/// Another writer of the key that is visible to the read comes before the one that was read.
void PossibleExecutions::demand_visible(const Choice& choice) {
  for (const Write& other : writes_[choice.key.index()]) {
    if (other.txn != choice.txn && other.txn != choice.writer) {
      const Literal is_visible = visible(choice, other.txn, claim_.level);
      const Literal is_before = choice.writer == kNoTxn ? -true_ : edge(other.txn, choice.writer);
      add({-choice.holds, -is_visible, is_before});
    }
  }
}

/// Another writer of the key commits before the one that was read, or after the reader starts.
void PossibleExecutions::demand_not_between(const Choice& choice) {
  const Visibility level = claim_.level;
  for (const Write& other : writes_[choice.key.index()]) {
    if (other.txn != choice.txn && other.txn != choice.writer) {
      const Literal is_before = choice.writer == kNoTxn ? -true_
                                                        : edge(commit_of(level, other.txn),
                                                               commit_of(level, choice.writer));
      add({-choice.holds, -counts(other), is_before,
           edge(start_of(level, choice.txn), commit_of(level, other.txn))});
    }
  }
}

/// Of two writers of a key one commits before the other starts.
void PossibleExecutions::demand_no_overlap() {
  const Visibility level = claim_.level;
  for (const std::vector<Write>& of_key : writes_) {
    for (std::size_t i = 0; i < of_key.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        add({-of_key[i].is_committed, -of_key[j].is_committed,
             edge(commit_of(level, of_key[i].txn), start_of(level, of_key[j].txn)),
             edge(commit_of(level, of_key[j].txn), start_of(level, of_key[i].txn))});
      }
    }
  }
}

/// Whether a writer is visible to a read at a saturable level. No kept transaction is behind a
/// boundary transaction, so what a writer has seen is as observed.
PossibleExecutions::Literal PossibleExecutions::visible(const Choice& choice, std::uint32_t other,
                                                        Visibility level) {
  const std::uint32_t before = sessions_.txns[choice.txn].before;
  const auto leads_to = [&](std::uint32_t txn) {
    return txn != kNoTxn && (txn == other || (level == Visibility::kCausal && before_[txn][other]));
  };
  if (level != Visibility::kReadCommitted &&
      (leads_to(before) || sessions_.in_session(other, choice.txn))) {
    return true_;
  }
  std::vector<Literal> when;
  for (const Choice& earlier : choices_[choice.txn]) {
    const bool counts = level != Visibility::kReadCommitted || earlier.event < choice.event;
    if (counts && leads_to(earlier.writer)) {
      when.push_back(earlier.holds);
    }
  }
  return any_of(when);
}

void PossibleExecutions::exclude_explained(const Places& places) {
  std::vector<Literal> clause;
  for (const std::vector<Choice>& of_txn : choices_) {
    for (const Choice& choice : of_txn) {
      std::ranges::copy(breaches(choice, places), std::back_inserter(clause));
    }
  }
  if (claim_.target == Visibility::kSnapshot) {
    add_overlaps(places, clause);
  }
  add_reversed(places, clause);
  add(clause);
}

/// The literals that contradict the order together with the choice. The initial state comes before
/// all.
std::vector<PossibleExecutions::Literal> PossibleExecutions::breaches(const Choice& choice,
                                                                      const Places& places) {
  const Visibility target = claim_.target;
  const auto commit = [&](std::uint32_t txn) { return places[commit_of(target, txn)]; };
  const std::uint32_t start = places[start_of(target, choice.txn)];
  if (choice.writer != kNoTxn && commit(choice.writer) > start) {
    return {choice.holds};
  }
  std::vector<Literal> found;
  for (const Write& other : writes_[choice.key.index()]) {
    const bool is_later = choice.writer == kNoTxn || commit(other.txn) > commit(choice.writer);
    if (other.txn == choice.txn || other.txn == choice.writer || !is_later) {
      continue;
    }
    if (is_saturable(target)) {
      const Literal is_visible = visible(choice, other.txn, target);
      if (is_visible != -true_) {
        found.push_back(both(choice.holds, is_visible));
      }
    } else if (commit(other.txn) < start) {
      found.push_back(both(choice.holds, other.is_kept));
    }
  }
  return found;
}

void PossibleExecutions::add_overlaps(const Places& places, std::vector<Literal>& clause) {
  const auto overlap = [&](std::uint32_t a, std::uint32_t b) {
    return places[start_of(claim_.target, a)] < places[commit_of(claim_.target, b)] &&
           places[start_of(claim_.target, b)] < places[commit_of(claim_.target, a)];
  };
  for (const std::vector<Write>& of_key : writes_) {
    for (std::size_t i = 0; i < of_key.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (overlap(of_key[i].txn, of_key[j].txn)) {
          clause.push_back(both(of_key[i].is_kept, of_key[j].is_kept));
        }
      }
    }
  }
}

/// Lists that are read show a first writer, and so that it comes before a second; the order has
/// them the other way round.
void PossibleExecutions::add_reversed(const Places& places, std::vector<Literal>& clause) {
  for (std::size_t key = 0; key < writes_.size(); ++key) {
    for (const auto& [first, is_shown] : shown_[key]) {
      for (const Write& second : writes_[key]) {
        if (places[commit_of(claim_.target, first)] >
            places[commit_of(claim_.target, second.txn)]) {
          clause.push_back(both(both(is_shown, second.is_kept), precedes(first, second.txn)));
        }
      }
    }
  }
}

/// Whether the edges of the solution close a cycle with session order. Then clauses forbid such
/// cycles.
bool PossibleExecutions::forbid_circle() {
  const auto events =
      static_cast<std::uint32_t>(sessions_.txns.size()) * (has_two_events(claim_.level) ? 2 : 1);
  std::vector<std::vector<std::uint32_t>> after(events);
  for (std::uint32_t t = 0; t < sessions_.txns.size(); ++t) {
    if (has_two_events(claim_.level)) {
      after[start_of(claim_.level, t)].push_back(commit_of(claim_.level, t));
    }
    if (const std::uint32_t before = sessions_.txns[t].before; before != kNoTxn) {
      after[commit_of(claim_.level, before)].push_back(start_of(claim_.level, t));
    }
  }
  for (const auto& [ends, literal] : edges_) {
    if (solver_->val(literal) > 0) {
      after[ends.first].push_back(ends.second);
    }
  }
  const std::vector<std::vector<std::uint32_t>> circles = disjoint_circles(after);
  std::vector<std::vector<Literal>> clauses;  // all first: adding one loses the values
  for (const std::vector<std::uint32_t>& circle : circles) {
    std::vector<Literal>& clause = clauses.emplace_back();
    for (std::size_t i = 0; i < circle.size(); ++i) {
      const auto found = edges_.find({circle[i], circle[(i + 1) % circle.size()]});
      if (found != edges_.end() && solver_->val(found->second) > 0) {
        clause.push_back(-found->second);
      }
    }
  }
  for (const std::vector<Literal>& clause : clauses) {
    add(clause);
  }
  return !circles.empty();
}

namespace {

class StopWhenTold final : public CaDiCaL::Terminator {
 public:
  explicit StopWhenTold(const std::function<bool()>& keep_going) : keep_going_(keep_going) {}

  bool terminate() override { return keep_going_ && !keep_going_(); }

 private:
  const std::function<bool()>& keep_going_;
};

}  // namespace

PossibleExecutions::Left PossibleExecutions::search(const std::function<bool()>& keep_going) {
  constexpr int kSatisfiable = 10;
  constexpr int kUnsatisfiable = 20;
  StopWhenTold terminator(keep_going);
  solver_->connect_terminator(&terminator);
  Left left = Left::kUnknown;
  while (left == Left::kUnknown) {
    const int answer = solver_->solve();
    if (answer == kUnsatisfiable) {
      left = Left::kNothing;
    } else if (answer != kSatisfiable) {
      break;
    } else if (!forbid_circle()) {
      left = Left::kSomething;
    }
  }
  solver_->disconnect_terminator();
  return left;
}

}  // namespace elapid::certify
