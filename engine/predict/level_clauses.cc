#include "engine/predict/level_clauses.h"

#include <map>
#include <set>
#include <span>
#include <utility>

namespace elapid::predict {

HappensBefore::HappensBefore(const Observation& observation)
    : before_(observation.txns.size(), std::vector<bool>(observation.txns.size(), false)) {
  const auto count = static_cast<std::uint32_t>(observation.txns.size());
  std::vector<std::vector<std::uint32_t>> direct(count);
  for (std::uint32_t t = 1; t < count; ++t) {
    const ObservedTxn& txn = observation.txns[t];
    direct[t].push_back(txn.before);
    for (const ObservedEvent& event : txn.events) {
      if (!event.is_write) {
        direct[t].push_back(event.writer);
      }
    }
  }
  for (std::uint32_t t = 1; t < count; ++t) {
    std::vector<std::uint32_t> open = direct[t];
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (at != kInitial && !before_[t][at]) {
        before_[t][at] = true;
        open.insert(open.end(), direct[at].begin(), direct[at].end());
      }
    }
  }
}

std::uint32_t vertex_count(const Observation& observation, Visibility level) {
  const auto txns = static_cast<std::uint32_t>(observation.txns.size());
  return has_two_events(level) ? 2 * txns : txns;
}

std::vector<IncrementalOrder::Edge> session_edges(const Observation& observation,
                                                  Visibility level) {
  std::vector<IncrementalOrder::Edge> edges;
  for (std::uint32_t t = 1; t < observation.txns.size(); ++t) {
    if (has_two_events(level)) {
      edges.emplace_back(start_of(level, t), commit_of(level, t));
    }
    if (const std::uint32_t before = observation.txns[t].before; before != kInitial) {
      edges.emplace_back(commit_of(level, before), start_of(level, t));
    }
  }
  return edges;
}

std::vector<std::uint32_t> vertices_of(const std::vector<std::uint32_t>& txns, Visibility level) {
  std::vector<std::uint32_t> vertices = {start_of(level, kInitial)};
  if (has_two_events(level)) {
    vertices.push_back(commit_of(level, kInitial));
  }
  for (const std::uint32_t t : txns) {
    vertices.push_back(start_of(level, t));
    if (has_two_events(level)) {
      vertices.push_back(commit_of(level, t));
    }
  }
  return vertices;
}

namespace {

class Demands {
 public:
  Demands(const Observation& observation, const HappensBefore& happens_before, const Facts& facts,
          Visibility level, OrderTheory& theory, SatSolver& sat)
      : observation_(observation),
        happens_before_(happens_before),
        facts_(facts),
        level_(level),
        theory_(theory),
        sat_(sat),
        writes_(observation.writers.size()) {
    for (const WriteFact& write : facts.writes) {
      writes_[write.key.index()].push_back(&write);
    }
  }

  void add() {
    for (const ReadFact& fact : facts_.reads) {
      if (fact.writer != kInitial) {
        sat_.add_clause({~fact.holds, theory_.edge(commit(fact.writer), start(fact.txn))});
      }
    }
    for (const VersionFact& fact : facts_.versions) {
      sat_.add_clause({~fact.holds, theory_.edge(commit(fact.first), commit(fact.second))});
    }
    if (is_saturable(level_)) {
      add_visible();
      return;
    }
    for (const ReadFact& fact : facts_.reads) {
      add_not_between(fact);
    }
    if (level_ == Visibility::kSnapshot) {
      add_conflicts();
    }
  }

 private:
  [[nodiscard]] std::uint32_t start(std::uint32_t txn) const { return start_of(level_, txn); }

  [[nodiscard]] std::uint32_t commit(std::uint32_t txn) const { return commit_of(level_, txn); }

  /// No other writer is between the writer and the reader of the fact.
  void add_not_between(const ReadFact& fact) {
    for (const WriteFact* write : writes_[fact.key.index()]) {
      if (write->txn == fact.txn || write->txn == fact.writer) {
        continue;
      }
      std::vector<Literal> clause = {~fact.holds};
      if (write->holds != fact.holds) {
        clause.push_back(~write->holds);
      }
      if (fact.writer != kInitial) {
        clause.push_back(theory_.edge(commit(write->txn), commit(fact.writer)));
      }
      clause.push_back(theory_.edge(start(fact.txn), commit(write->txn)));
      sat_.add_clause(std::move(clause));
    }
  }

  /// Writers of one key do not overlap.
  void add_conflicts() {
    std::vector<std::vector<const WriteFact*>> of_key(observation_.writers.size());
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;  // of literals
    for (const WriteFact& b : facts_.writes) {
      for (const WriteFact* a : of_key[b.key.index()]) {
        const bool is_said =
            a->holds != b.holds && !pairs.emplace(a->holds.code(), b.holds.code()).second;
        if (is_said) {
          continue;
        }
        std::vector<Literal> clause = {~a->holds, theory_.edge(commit(a->txn), start(b.txn)),
                                       theory_.edge(commit(b.txn), start(a->txn))};
        if (a->holds != b.holds) {
          clause.push_back(~b.holds);
        }
        sat_.add_clause(std::move(clause));
      }
      of_key[b.key.index()].push_back(&b);
    }
  }

  /// Visible writers come before the writer that was read from.
  void add_visible() {
    for (std::size_t begin = 0; begin < facts_.reads.size();) {
      std::size_t end = begin;
      while (end < facts_.reads.size() && facts_.reads[end].txn == facts_.reads[begin].txn) {
        ++end;
      }
      const std::span<const ReadFact> of_txn(facts_.reads.data() + begin, end - begin);
      seen_by_txn_.clear();
      for (const ReadFact& fact : of_txn) {
        if (level_ == Visibility::kCausal && !fact.is_whole) {
          add_seen_in_past(fact, of_txn);
        } else {
          add_seen(fact, of_txn);
        }
      }
      begin = end;
    }
  }

  void add_seen(const ReadFact& fact, std::span<const ReadFact> of_txn) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> said;
    each_visible(observation_, happens_before_, of_txn, fact, level_,
                 [&](std::uint32_t v, std::optional<Literal> condition) {
                   const Literal also = condition.value_or(fact.holds);
                   if (said.emplace(v, also.code()).second) {
                     put_before(v, fact, also);
                   }
                 });
  }

  /// If both hold, v comes before the writer that the fact names.
  void put_before(std::uint32_t v, const ReadFact& fact, Literal also) {
    std::vector<Literal> clause = {~fact.holds};
    if (also != fact.holds) {
      clause.push_back(~also);
    }
    if (fact.writer != kInitial) {
      clause.push_back(theory_.edge(v, fact.writer));
    }
    sat_.add_clause(std::move(clause));
  }

  /// The same for a boundary transaction at causal consistency, whose past depends on its choices.
  /// A variable says that v is in its past. Without it there would be a clause for each pair of
  /// choices.
  void add_seen_in_past(const ReadFact& fact, std::span<const ReadFact> of_txn) {
    const std::uint32_t before = observation_.txns[fact.txn].before;
    for (const std::uint32_t v : observation_.writers[fact.key.index()]) {
      if (v == fact.txn || v == fact.writer) {
        continue;
      }
      const bool is_sure =
          before != kInitial && (v == before || happens_before_.precedes(v, before));
      put_before(v, fact, is_sure ? fact.holds : in_past(v, of_txn));
    }
  }

  Literal in_past(std::uint32_t v, std::span<const ReadFact> of_txn) {
    if (const auto known = seen_by_txn_.find(v); known != seen_by_txn_.end()) {
      return known->second;
    }
    const Literal seen(sat_.new_variable(false), true);
    seen_by_txn_.emplace(v, seen);
    for (const ReadFact& choice : of_txn) {
      if (!choice.is_whole && choice.writer != kInitial &&
          (choice.writer == v || happens_before_.precedes(v, choice.writer))) {
        sat_.add_clause({~choice.holds, seen});
      }
    }
    return seen;
  }

  const Observation& observation_;
  const HappensBefore& happens_before_;
  const Facts& facts_;
  Visibility level_;
  OrderTheory& theory_;
  SatSolver& sat_;
  std::vector<std::vector<const WriteFact*>> writes_;  // by key
  std::map<std::uint32_t, Literal> seen_by_txn_;       // of one transaction
};

}  // namespace

void demand_level(const Observation& observation, const HappensBefore& happens_before,
                  const Facts& facts, Visibility level, OrderTheory& theory, SatSolver& sat) {
  Demands(observation, happens_before, facts, level, theory, sat).add();
}

}  // namespace elapid::predict
