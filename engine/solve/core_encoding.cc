#include "engine/solve/core_encoding.h"

#include <algorithm>

#include "engine/solve/core_replay.h"

namespace elapid {

namespace {

/// A write, or the initial state of a key.
std::uint64_t name_of(WriteRef writer, KeyId key) {
  return writer == kInitialState ? std::uint64_t{key.value} << 32 | kInitialState : writer;
}

}  // namespace

CoreEncoding::CoreEncoding(const OrderProblem& problem, const OrderGraph& graph,
                           const SettledReaders& readers, const Saturation* saturation,
                           const Cores& cores, std::uint32_t core, CoreTheory& theory,
                           SatSolver& sat)
    : problem_(problem),
      events_(graph.events()),
      readers_(readers),
      saturation_(saturation),
      cores_(cores),
      number_(core),
      core_(cores.cores[core]),
      theory_(theory),
      sat_(sat) {
  collect_open_reads();
  for (const std::uint32_t r : open_reads_) {
    open_read(r);
  }
  open_lists(find_core_lists(problem, graph, cores, core));
}

template <class Visit>
void CoreEncoding::each_read_at(std::uint32_t vertex, Visit visit) const {
  if (!events_.is_of_txn(vertex) || problem_.presence(events_.txn(vertex)) == Presence::kAbsent) {
    return;
  }
  const std::uint32_t txn = events_.txn(vertex);
  for (std::uint32_t r = problem_.first_read(txn); r < problem_.first_read(txn + 1); ++r) {
    if (events_.read_event(problem_.reads()[r]) == vertex) {
      visit(r);
    }
  }
}

void CoreEncoding::collect_open_reads() {
  for (const std::uint32_t vertex : core_.vertices) {
    each_read_at(vertex, [this](std::uint32_t r) {
      if (problem_.writer_of(r) == kOpenWriter) {
        open_reads_.push_back(r);
      }
    });
  }
}

std::uint32_t CoreEncoding::new_variable(const Variable& variable, bool phase,
                                         std::uint32_t list_place) {
  variables_.push_back(variable);
  theory_.add_variable(list_place);
  return sat_.new_variable(phase);
}

/// Makes a variable for each candidate: if the reader took effect, it saw one of them.
void CoreEncoding::open_read(std::uint32_t r) {
  const ExternalRead& read = problem_.reads()[r];
  std::vector<Literal> one_of;
  if (!problem_.is_certain(read.txn)) {
    one_of.push_back(~took_effect_literal(read.txn));
  }
  const WriteRef likely = likely_writer(r);
  for (const WriteRef writer : problem_.candidates(r)) {
    const Choice choice = {.kind = Choice::Kind::kReads,
                           .first = {read.txn},
                           .second = problem_.writer_id(writer),
                           .key = read.key};
    const Literal saw(new_variable({choice, r}, writer == likely), true);
    one_of.push_back(saw);
    selectors_[name_of(writer, read.key)].push_back({r, writer, saw});
    selectors_of_read_[r].push_back({r, writer, saw});
    add_read_from(r, writer, saw);
    if (writer != kInitialState && !problem_.is_certain(problem_.write(writer).txn)) {
      sat_.add_clause({~saw, took_effect_literal(problem_.write(writer).txn)});
    }
  }
  sat_.add_clause(one_of);
}

/// The candidate that comes last before the read in the first order.
WriteRef CoreEncoding::likely_writer(std::uint32_t r) const {
  const std::uint32_t event = events_.read_event(problem_.reads()[r]);
  WriteRef likely = problem_.candidates(r).empty() ? kInitialState : problem_.candidates(r)[0];
  std::optional<std::uint32_t> latest;
  for (const WriteRef writer : problem_.candidates(r)) {
    if (writer == kInitialState || !problem_.is_certain(problem_.write(writer).txn)) {
      continue;
    }
    const std::uint32_t commit = events_.commit(problem_.write(writer).txn);
    if (is_inside(commit) && place(commit) < place(event) && (!latest || place(commit) > *latest)) {
      latest = place(commit);
      likely = writer;
    }
  }
  return likely;
}

/// A greater rank is likelier. Writers before the read rank first, the latest of them highest.
/// Among the others, the earliest ranks highest.
std::pair<bool, std::uint32_t> CoreEncoding::likelihood(WriteRef writer,
                                                        std::uint32_t read_at) const {
  if (writer == kInitialState || !is_inside(events_.commit(problem_.write(writer).txn))) {
    return {true, 0};
  }
  const std::uint32_t at =
      theory_.order().position(place(events_.commit(problem_.write(writer).txn)));
  return at < read_at ? std::pair(true, at) : std::pair(false, ~at);
}

Literal CoreEncoding::took_effect_literal(std::uint32_t txn) {
  const auto [at, is_new] = took_effect_.try_emplace(txn, 0);
  if (is_new) {
    at->second =
        new_variable({.choice = {.kind = Choice::Kind::kTookEffect, .first = {txn}}}, false);
    if (problem_.is_certain(txn)) {
      sat_.add_clause({{at->second, true}});
    }
  }
  return {at->second, true};
}

/// The edges that hold if `r` saw `writer`, whatever the order of undecided writers.
void CoreEncoding::add_read_from(std::uint32_t r, WriteRef writer, Literal saw) {
  const ExternalRead& read = problem_.reads()[r];
  const std::uint32_t event = events_.read_event(read);
  if (writer != kInitialState && is_inside(events_.commit(problem_.write(writer).txn))) {
    bring({saw}, events_.commit(problem_.write(writer).txn), event,
          {problem_.writer_id(writer), {read.txn}, Relation::kWr, read.key});
    for (const KeyLink& link : problem_.links_from(r)) {
      if (link.second_read && link.second != problem_.write(writer).txn &&
          is_inside(events_.start(link.second))) {
        bring({saw}, events_.commit(problem_.write(writer).txn), events_.start(link.second),
              {problem_.writer_id(writer), {link.second}, Relation::kWr, read.key});
      }
    }
  }
  const auto overwritten_by = [&](std::uint32_t other) {
    bring({saw}, event, events_.commit(other),
          {{read.txn}, {other}, Relation::kRw, read.key, problem_.writer_id(writer)});
  };
  if (saturation_ != nullptr) {
    each_first_known_after(writer, read, overwritten_by);
  } else if (writer == kInitialState) {
    each_other_writer(read, overwritten_by);
  }
}

bool CoreEncoding::may_overwrite(std::uint32_t other, WriteRef writer,
                                 const ExternalRead& read) const {
  const bool is_writer = writer != kInitialState && other == problem_.write(writer).txn;
  return !is_writer && other != read.txn && problem_.presence(other) != Presence::kAbsent &&
         is_inside(events_.commit(other));
}

template <class Visit>
void CoreEncoding::each_other_writer(const ExternalRead& read, Visit visit) const {
  for (WriteRef w = problem_.first_write(read.key.value);
       w < problem_.first_write(read.key.value + 1); ++w) {
    if (may_overwrite(problem_.write(w).txn, kInitialState, read)) {
      visit(problem_.write(w).txn);
    }
  }
}

/// Calls `visit` for the writers of the read's key that are known to come after `writer`: in each
/// chain, for the first certain one and the uncertain ones before it. The rest of the chain follows
/// these anyway.
template <class Visit>
void CoreEncoding::each_first_known_after(WriteRef writer, const ExternalRead& read,
                                          Visit visit) const {
  const KeyWriters& writers = saturation_->writers();
  for (const KeyWriters::Group& group : writers.groups(read.key)) {
    std::uint32_t i = group.begin;
    if (writer != kInitialState) {
      const std::uint32_t barrier = events_.barrier(problem_.write(writer).txn);
      i = writers.end_below(group, saturation_->clocks().after(barrier)[group.chain]);
    }
    for (bool is_certain = false; i < group.end && !is_certain; ++i) {
      const std::uint32_t other = writers.entry(i).txn;
      if (may_overwrite(other, writer, read)) {
        visit(other);
        is_certain = problem_.is_certain(other);
      }
    }
  }
}

void CoreEncoding::open_lists(const CoreLists& lists) {
  const ListPlaces& all = problem_.lists();
  for (const CoreLists::OpenPlace& open : lists.places) {
    const ListPlaces::Place& place = all.places()[open.place];
    const ListPlaces::Line& line = all.lines()[place.line];
    const Choice choice = {.kind = Choice::Kind::kReads,
                           .first = {line.reader},
                           .second = {place.txn},
                           .key = line.key,
                           .length = place.end};
    stands_.emplace(open.place, new_variable({choice}, open.is_likely, open.place));
  }
  for (const std::vector<ListAtom>& atoms : lists.clauses) {
    sat_.add_clause(literals(atoms));
  }
  for (const GuardedEdge& edge : lists.edges) {
    bring(literals(edge.premises), edge.from, edge.to, edge.edge);
  }
}

std::vector<Literal> CoreEncoding::literals(const std::vector<ListAtom>& atoms) {
  std::vector<Literal> all;
  for (const ListAtom atom : atoms) {
    const Literal literal = atom.kind == ListAtom::Kind::kStands
                                ? Literal(stands_.at(atom.index), true)
                                : took_effect_literal(atom.index);
    all.push_back(atom.holds ? literal : ~literal);
  }
  return all;
}

void CoreEncoding::bring(std::span<const Literal> premises, std::uint32_t from, std::uint32_t to,
                         OrderEdge edge) {
  theory_.bring(premises, place(from), place(to), edge);
}

void CoreEncoding::order_pair(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t first = a == kInitialWriter ? a : std::min(a, b);
  const std::uint32_t second = a == kInitialWriter ? b : std::max(a, b);
  if (!pairs_.insert(std::uint64_t{first} << 32 | second).second) {
    return;
  }
  const IncrementalOrder& order = theory_.order();
  const bool phase = first == kInitialWriter || order.position(place(events_.commit(first))) <
                                                    order.position(place(events_.commit(second)));
  const std::uint32_t variable = new_variable(
      {.choice = {.kind = Choice::Kind::kBefore, .first = {first}, .second = {second}}}, phase);
  add_order(first, second, {variable, true});
  if (first == kInitialWriter) {
    sat_.add_clause({{variable, true}});
  } else {
    add_order(second, first, {variable, false});
  }
}

/// The edges that hold if `a` comes before `b`.
void CoreEncoding::add_order(std::uint32_t a, std::uint32_t b, Literal literal) {
  bool is_first_key = a != kInitialWriter;
  for (const WriteRef w : problem_.writes_by(b)) {
    const KeyId key = problem_.write(w).key;
    const WriteRef overwritten = a == kInitialWriter ? kInitialState : problem_.write_of(a, key);
    if (a != kInitialWriter && overwritten == kInitialState) {
      continue;
    }
    if (std::exchange(is_first_key, false)) {
      bring({literal}, events_.commit(a), events_.barrier(b), {{a}, {b}, Relation::kWw, key});
    }
    add_overwritten(overwritten, key, a, b, literal);
  }
}

void CoreEncoding::add_overwritten(WriteRef overwritten, KeyId key, std::uint32_t a,
                                   std::uint32_t b, Literal literal) {
  const auto edge = [&](std::uint32_t reader) {
    return OrderEdge{{reader}, {b}, Relation::kRw, key, {a}};
  };
  for (const std::uint32_t r : readers_.of(overwritten, key)) {
    const ExternalRead& read = problem_.reads()[r];
    if (read.txn != b && is_inside(events_.read_event(read))) {
      bring({literal}, events_.read_event(read), events_.commit(b), edge(read.txn));
    }
  }
  const auto open = selectors_.find(name_of(overwritten, key));
  if (open != selectors_.end()) {
    for (const Selector& selector : open->second) {
      const ExternalRead& read = problem_.reads()[selector.read];
      if (read.txn != b) {
        bring({literal, selector.literal}, events_.read_event(read), events_.commit(b),
              edge(read.txn));
      }
    }
  }
}

Literal CoreEncoding::prefer(Literal usual) const {
  const std::uint32_t r = variables_[usual.variable()].read;
  if (usual.holds() || r == CoreTheory::kNone || !takes_part(problem_.reads()[r].txn)) {
    return usual;
  }
  const std::uint32_t read_at =
      theory_.order().position(place(events_.read_event(problem_.reads()[r])));
  const Selector* best = nullptr;
  std::pair<bool, std::uint32_t> best_rank;
  for (const Selector& selector : selectors_of_read_.at(r)) {
    const std::uint32_t variable = selector.literal.variable();
    if (sat_.is_true(selector.literal)) {
      return usual;
    }
    if (!sat_.is_open(variable)) {
      continue;
    }
    if (sat_.phase(variable)) {
      return usual;
    }
    const auto rank = likelihood(selector.writer, read_at);
    if (best == nullptr || rank > best_rank) {
      best = &selector;
      best_rank = rank;
    }
  }
  return best != nullptr ? best->literal : usual;
}

bool CoreEncoding::takes_part(std::uint32_t txn) const {
  if (problem_.is_certain(txn)) {
    return true;
  }
  const auto variable = took_effect_.find(txn);
  return variable != took_effect_.end() && sat_.is_true({variable->second, true});
}

WriteRef CoreEncoding::chosen_writer(std::uint32_t r) const {
  const WriteRef settled = problem_.writer_of(r);
  if (settled != kOpenWriter) {
    return settled;
  }
  for (const Selector& selector : selectors_of_read_.at(r)) {
    if (sat_.is_true(selector.literal)) {
      return selector.writer;
    }
  }
  return kOpenWriter;
}

std::vector<ReadFrom> CoreEncoding::reads() const {
  std::vector<ReadFrom> reads;
  for (const std::uint32_t r : open_reads_) {
    const ExternalRead& read = problem_.reads()[r];
    if (takes_part(read.txn)) {
      reads.push_back({{read.txn}, read.key, problem_.writer_id(chosen_writer(r))});
    }
  }
  return reads;
}

std::vector<std::uint32_t> CoreEncoding::took_effect() const {
  std::vector<std::uint32_t> txns;
  for (const auto& [txn, variable] : took_effect_) {
    if (sat_.is_true({variable, true})) {
      txns.push_back(txn);
    }
  }
  std::ranges::sort(txns);
  return txns;
}

bool CoreEncoding::may_swap(WriteRef writer) const {
  return writer == kInitialState ||
         (writer != kOpenWriter && is_inside(events_.commit(problem_.write(writer).txn)));
}

std::optional<std::vector<Choice>> CoreEncoding::to_choices(std::span<const Literal> clause) const {
  std::vector<Choice> choices;
  for (const Literal literal : clause) {
    Choice choice = variables_[literal.variable()].choice;
    if (choice.kind != Choice::Kind::kBefore) {
      choice.holds = literal.holds();
    } else if (choice.first.is_none()) {
      if (literal.holds()) {
        return std::nullopt;
      }
      continue;
    } else if (!literal.holds()) {
      std::swap(choice.first, choice.second);
    }
    choices.push_back(choice);
  }
  return choices;
}

}  // namespace elapid
