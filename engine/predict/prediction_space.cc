#include "engine/predict/prediction_space.h"

#include <algorithm>

namespace elapid::predict {

PredictionSpace::PredictionSpace(const Observation& observation, BoundaryKind boundary,
                                 SatSolver& sat)
    : observation_(observation),
      boundary_(boundary),
      sat_(sat),
      true_(sat.new_variable(true), true),
      bound_(observation.txns.size()),
      stops_(observation.txns.size()) {
  sat_.add_clause({true_});
  add_wholes();
  for (std::uint32_t t = 1; t < observation.txns.size(); ++t) {
    const ObservedTxn& txn = observation.txns[t];
    for (std::uint32_t i = 0; i < txn.events.size(); ++i) {
      const ObservedEvent& event = txn.events[i];
      if (!event.is_write) {
        facts_.reads.push_back({t, i, event.key, event.writer, whole_[t], true});
      }
    }
    boundary == BoundaryKind::kRelaxed ? add_relaxed(t) : add_strict(t);
    const Literal kept = bound_[t] ? any_of({whole_[t], *bound_[t]}) : whole_[t];
    for (std::uint32_t i = 0; i < txn.events.size(); ++i) {
      if (txn.events[i].is_write) {
        of_committed_.push_back({t, txn.events[i].key, kept});
        facts_.writes.push_back({t, txn.events[i].key, is_kept(t, i, kept)});
      }
    }
  }
  count_changes();
}

/// A sequential counter (Sinz, "Towards an Optimal CNF Encoding of Boolean Cardinality
/// Constraints", CP 2005): at_least[j] says that more than j of the reads so far are changed.
void PredictionSpace::count_changes() {
  constexpr std::size_t kCounted = 5;
  std::vector<std::optional<Literal>> at_least(kCounted);
  for (std::size_t i = 0; i < facts_.reads.size();) {
    const ReadFact& first = facts_.reads[i];
    std::vector<Literal> changes;
    for (; i < facts_.reads.size() && facts_.reads[i].txn == first.txn &&
           facts_.reads[i].event == first.event;
         ++i) {
      const ReadFact& fact = facts_.reads[i];
      if (fact.is_changed) {
        changes.push_back(fact.holds);
      }
    }
    if (changes.empty()) {
      continue;
    }
    const Literal changed = any_of(changes);
    std::vector<std::optional<Literal>> next(kCounted);
    for (std::size_t j = 0; j < kCounted; ++j) {
      if (j > 0 && !at_least[j - 1]) {
        break;
      }
      next[j] = new_literal();
      if (at_least[j]) {
        sat_.add_clause({~*at_least[j], *next[j]});
      }
      std::vector<Literal> clause = {~changed, *next[j]};
      if (j > 0) {
        clause.push_back(~*at_least[j - 1]);
      }
      sat_.add_clause(std::move(clause));
    }
    at_least = std::move(next);
  }
  for (const std::optional<Literal>& more : at_least) {
    if (more) {
      few_changes_.push_back(~*more);
    }
  }
}

/// Whether the write is kept. A relaxed write is kept with its transaction. A strict one is kept if
/// the transaction does not stop before it.
Literal PredictionSpace::is_kept(std::uint32_t t, std::uint32_t write, Literal kept) {
  if (boundary_ == BoundaryKind::kRelaxed) {
    return kept;
  }
  std::vector<Literal> when = {whole_[t]};
  for (std::uint32_t i = write + 1; i < stops_[t].size(); ++i) {
    if (stops_[t][i]) {
      when.push_back(*stops_[t][i]);
    }
  }
  return any_of(when);
}

void PredictionSpace::add_wholes() {
  whole_.push_back(true_);
  for (std::uint32_t t = 1; t < observation_.txns.size(); ++t) {
    whole_.push_back(new_literal(true));
  }
  for (std::uint32_t t = 1; t < observation_.txns.size(); ++t) {
    const ObservedTxn& txn = observation_.txns[t];
    sat_.add_clause({~whole_[t], whole_[txn.before]});
    for (const ObservedEvent& event : txn.events) {
      if (!event.is_write && event.writer != kInitial) {
        sat_.add_clause({~whole_[t], whole_[event.writer]});
      }
    }
  }
}

Facts PredictionSpace::facts_for(Visibility level) const {
  return {.reads = facts_.reads,
          .writes = level == Visibility::kSnapshot ? of_committed_ : facts_.writes};
}

Literal PredictionSpace::any_of(const std::vector<Literal>& literals) {
  if (literals.size() == 1) {
    return literals.front();
  }
  const Literal any = new_literal();
  std::vector<Literal> clause = {~any};
  for (const Literal literal : literals) {
    sat_.add_clause({~literal, any});
    clause.push_back(literal);
  }
  sat_.add_clause(std::move(clause));
  return any;
}

Literal PredictionSpace::both(Literal a, Literal b) {
  if (a == b || b == true_) {
    return a;
  }
  if (a == true_) {
    return b;
  }
  const std::pair<std::uint32_t, std::uint32_t> key = std::minmax(a.code(), b.code());
  if (const auto found = both_.find(key); found != both_.end()) {
    return found->second;
  }
  const Literal both = new_literal();
  both_.emplace(key, both);
  sat_.add_clause({~both, a});
  sat_.add_clause({~both, b});
  return both;
}

void PredictionSpace::add_choices(std::uint32_t txn, std::uint32_t event, Literal is_read,
                                  bool with_observed) {
  const ObservedEvent& read = observation_.txns[txn].events[event];
  std::vector<std::uint32_t> writers = observation_.writers[read.key.index()];
  writers.push_back(kInitial);
  std::vector<Literal> choices;
  const auto add_choice = [&](std::uint32_t w, bool is_changed) {
    const Literal chosen = new_literal();
    sat_.add_clause({~chosen, is_read});
    sat_.add_clause({~chosen, whole_[w]});
    for (const Literal other : choices) {
      sat_.add_clause({~chosen, ~other});
    }
    choices.push_back(chosen);
    facts_.reads.push_back({txn, event, read.key, w, chosen, false, is_changed});
  };
  for (const std::uint32_t w : writers) {
    if (w != txn && (with_observed || w != read.writer)) {
      add_choice(w, w != read.writer);
    }
    if (w == read.writer && !read.list.empty()) {
      add_choice(w, true);  // another list with this end
    }
  }
  choices.push_back(~is_read);
  sat_.add_clause(std::move(choices));
}

void PredictionSpace::add_relaxed(std::uint32_t t) {
  const ObservedTxn& txn = observation_.txns[t];
  if (std::ranges::all_of(txn.events, &ObservedEvent::is_write)) {
    return;
  }
  const Literal bound = new_literal();
  bound_[t] = bound;
  sat_.add_clause({~bound, ~whole_[t]});
  sat_.add_clause({~bound, whole_[txn.before]});
  for (std::uint32_t i = 0; i < txn.events.size(); ++i) {
    if (!txn.events[i].is_write) {
      add_choices(t, i, bound, true);
    }
  }
}

void PredictionSpace::add_strict(std::uint32_t t) {
  const ObservedTxn& txn = observation_.txns[t];
  stops_[t].resize(txn.events.size());
  std::vector<Literal> stops;
  for (std::uint32_t i = 0; i < txn.events.size(); ++i) {
    if (!txn.events[i].is_write) {
      const Literal stop = new_literal();
      for (const Literal other : stops) {
        sat_.add_clause({~stop, ~other});
      }
      sat_.add_clause({~stop, ~whole_[t]});
      sat_.add_clause({~stop, whole_[txn.before]});
      stops.push_back(stop);
      stops_[t][i] = stop;
    }
  }
  if (stops.empty()) {
    return;
  }
  bound_[t] = any_of(stops);
  // Reads before the stop are as observed.
  for (std::uint32_t i = 0; i < txn.events.size(); ++i) {
    if (!stops_[t][i]) {
      continue;
    }
    add_choices(t, i, *stops_[t][i], false);
    std::vector<Literal> later;
    for (std::uint32_t j = i + 1; j < txn.events.size(); ++j) {
      if (stops_[t][j]) {
        later.push_back(*stops_[t][j]);
      }
    }
    if (!later.empty()) {
      const Literal as_observed = any_of(later);
      const ObservedEvent& read = txn.events[i];
      sat_.add_clause({~as_observed, whole_[read.writer]});
      facts_.reads.push_back({t, i, read.key, read.writer, as_observed, false});
    }
  }
}

Literal PredictionSpace::before(std::uint32_t first, std::uint32_t second) {
  return theory_->edge(commit_of(level_, first), commit_of(level_, second));
}

void PredictionSpace::add_lists(Visibility level, OrderTheory& theory) {
  level_ = level;
  theory_ = &theory;
  if (!observation_.has_lists) {
    return;
  }
  std::vector<std::vector<WriteFact>> writes(observation_.writers.size());  // by key
  std::vector<std::vector<WriteFact>> kept = writes;
  const Facts of_level = facts_for(level);
  for (const WriteFact& b : of_level.writes) {
    for (const WriteFact& a : writes[b.key.index()]) {
      sat_.add_clause({~a.holds, ~b.holds, before(a.txn, b.txn), before(b.txn, a.txn)});
    }
    writes[b.key.index()].push_back(b);
  }
  for (const WriteFact& write : facts_.writes) {
    kept[write.key.index()].push_back(write);
  }
  std::vector<LiteralsByWriter> reads(observation_.writers.size());
  for (const ReadFact& read : of_level.reads) {
    if (read.writer != kInitial) {
      add_list(read, writes[read.key.index()]);
      reads[read.key.index()][read.writer].push_back(read.holds);
    }
  }
  for (std::size_t key = 0; key < kept.size(); ++key) {
    add_versions(kept[key], reads[key]);
  }
}

/// The list is as observed, or another one with the same end, or it is free. `writes`: those of the
/// key that the weak level counts.
void PredictionSpace::add_list(const ReadFact& read, const std::vector<WriteFact>& writes) {
  const ObservedEvent& observed = observation_.txns[read.txn].events[read.event];
  const std::vector<std::uint32_t>& list = observed.list;
  std::vector<Literal> differs = {~read.holds};
  for (std::size_t i = 0; i < list.size(); ++i) {
    differs.push_back(~whole_[list[i]]);
    if (!read.is_changed) {
      sat_.add_clause({~read.holds, whole_[list[i]]});
    }
    if (i > 0) {
      differs.push_back(before(list[i], list[i - 1]));
      if (!read.is_changed) {
        sat_.add_clause({~read.holds, before(list[i - 1], list[i])});
      }
    }
  }
  for (const WriteFact& write : writes) {
    const bool is_in_list = std::ranges::find(list, write.txn) != list.end();
    if (!read.is_changed && !is_in_list) {
      sat_.add_clause({~read.holds, ~write.holds, before(read.writer, write.txn)});
    } else if (read.is_changed && write.txn != read.writer) {
      // No list shows a write of a boundary transaction.
      sat_.add_clause(
          {~read.holds, ~write.holds, whole_[write.txn], before(read.writer, write.txn)});
    }
    if (read.is_changed && !is_in_list && write.txn != read.txn) {
      differs.push_back(both(whole_[write.txn], before(write.txn, read.writer)));
    }
  }
  if (read.is_changed && read.writer == observed.writer) {
    sat_.add_clause(std::move(differs));
  }
}

/// The facts that reads of a key show one kept write before another.
void PredictionSpace::add_versions(const std::vector<WriteFact>& kept,
                                   const LiteralsByWriter& reads) {
  std::map<std::uint32_t, Literal> is_read;
  for (const auto& [writer, of_writer] : reads) {
    is_read.emplace(writer, any_of(of_writer));
  }
  for (const WriteFact& a : kept) {
    const Literal is_shown = new_literal();
    sat_.add_clause({~is_shown, whole_[a.txn]});
    std::vector<Literal> clause = {~is_shown};
    for (const auto& [writer, of_writer] : is_read) {
      clause.push_back(writer == a.txn ? of_writer : both(of_writer, before(a.txn, writer)));
    }
    sat_.add_clause(std::move(clause));
    for (const WriteFact& b : kept) {
      if (a.txn != b.txn) {
        facts_.versions.push_back(
            {a.txn, b.txn, both(both(is_shown, b.holds), before(a.txn, b.txn))});
      }
    }
  }
}

Prediction PredictionSpace::current() const {
  Prediction prediction;
  prediction.versions.resize(observation_.writers.size());
  prediction.txns.resize(observation_.txns.size());
  for (std::uint32_t t = 1; t < observation_.txns.size(); ++t) {
    PredictedTxn& txn = prediction.txns[t];
    if (sat_.is_true(whole_[t])) {
      txn.part = PredictedPart::kWhole;
    } else if (bound_[t] && sat_.is_true(*bound_[t])) {
      txn.part = PredictedPart::kBoundary;
    }
    if (txn.part != PredictedPart::kCut) {
      txn.events = static_cast<std::uint32_t>(observation_.txns[t].events.size());
      txn.writers.resize(txn.events, kInitial);
    }
    for (std::uint32_t i = 0; i < stops_[t].size(); ++i) {
      if (stops_[t][i] && sat_.is_true(*stops_[t][i])) {
        txn.events = i + 1;
        txn.writers.resize(txn.events);
      }
    }
  }
  for (const ReadFact& fact : facts_.reads) {
    if (sat_.is_true(fact.holds)) {
      prediction.txns[fact.txn].writers[fact.event] = fact.writer;
    }
  }
  for (const std::uint32_t vertex : theory_->order()) {
    const std::uint32_t t = has_two_events(level_) ? vertex / 2 : vertex;
    const bool is_commit = vertex == commit_of(level_, t);
    for (const ObservedEvent& event : observation_.txns[t].events) {
      if (event.is_write && is_commit && prediction.txns[t].part == PredictedPart::kWhole) {
        prediction.versions[event.key.index()].push_back(t);
      }
    }
  }
  return prediction;
}

std::vector<Literal> PredictionSpace::literals_of(const Prediction& prediction) {
  std::vector<Literal> literals;
  for (std::uint32_t t = 1; t < prediction.txns.size(); ++t) {
    const PredictedTxn& txn = prediction.txns[t];
    if (txn.part == PredictedPart::kWhole) {
      literals.push_back(whole_[t]);
    } else if (txn.part == PredictedPart::kBoundary) {
      literals.push_back(*bound_[t]);
    }
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Literal>> reads;
  for (const ReadFact& fact : facts_.reads) {
    const PredictedTxn& txn = prediction.txns[fact.txn];
    if (!fact.is_whole && txn.part == PredictedPart::kBoundary && fact.event < txn.events &&
        txn.writers[fact.event] == fact.writer) {
      reads[{fact.txn, fact.event}].push_back(fact.holds);
    }
  }
  for (const auto& [read, any] : reads) {
    literals.push_back(any_of(any));
    for (const auto& [first, second] :
         shown_orders(observation_, prediction, read.first, read.second)) {
      literals.push_back(before(first, second));
    }
  }
  return literals;
}

}  // namespace elapid::predict
