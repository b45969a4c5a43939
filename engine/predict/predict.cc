#include "engine/predict/predict.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "engine/predict/level_clauses.h"
#include "engine/predict/order_theory.h"
#include "engine/solve/sat_solver.h"

namespace elapid::predict {

namespace {

// The clause that excludes all predictions that one order of events explains. Only other
// predictions can violate the target.
//
//   order: 1 2 3, all write x, and 3 reads x
//   clause: 3 reads x from 1, and 2 is kept; or 3 reads x from 0, and 1 or 2 is kept; or ...
//
// A step of counterexample-guided refinement (Solar-Lezama, 2008; Janota and Marques-Silva, SAT
// 2011, for clauses with two players).

class Breaches {
 public:
  Breaches(const Observation& observation, const HappensBefore& happens_before, Visibility level,
           const EventOrder& order, PredictionSpace& space)
      : observation_(observation),
        happens_before_(happens_before),
        level_(level),
        places_(order.places),
        space_(space),
        writes_(observation.writers.size()) {
    for (const WriteFact& write : space.facts().writes) {
      writes_[write.key.index()].push_back(write);
    }
  }

  std::vector<Literal> find() {
    const std::span<const ReadFact> reads = space_.facts().reads;
    for (std::size_t begin = 0; begin < reads.size();) {
      std::size_t end = begin;
      while (end < reads.size() && reads[end].txn == reads[begin].txn) {
        ++end;
      }
      for (std::size_t i = begin; i < end; ++i) {
        add_read(reads[i], reads.subspan(begin, end - begin));
      }
      begin = end;
    }
    for (const VersionFact& fact : space_.facts().versions) {
      if (commit(fact.first) > commit(fact.second)) {
        add(fact.holds);
      }
    }
    if (level_ == Visibility::kSnapshot) {
      add_overlaps();
    }
    return std::move(clause_);
  }

 private:
  [[nodiscard]] std::uint32_t start(std::uint32_t txn) const {
    return places_[start_of(level_, txn)];
  }

  [[nodiscard]] std::uint32_t commit(std::uint32_t txn) const {
    return places_[commit_of(level_, txn)];
  }

  void add(Literal literal) {
    if (said_.insert(literal.code()).second) {
      clause_.push_back(literal);
    }
  }

  void add_read(const ReadFact& fact, std::span<const ReadFact> of_txn) {
    if (fact.writer != kInitial && commit(fact.writer) > start(fact.txn)) {
      add(fact.holds);
    } else if (is_saturable(level_)) {
      each_visible(observation_, happens_before_, of_txn, fact, level_,
                   [&](std::uint32_t v, std::optional<Literal> condition) {
                     if (commit(v) > commit(fact.writer)) {
                       add(condition ? space_.both(fact.holds, *condition) : fact.holds);
                     }
                   });
    } else {
      for (const WriteFact& write : writes_[fact.key.index()]) {
        if (write.txn != fact.txn && write.txn != fact.writer &&
            commit(write.txn) > commit(fact.writer) && commit(write.txn) < start(fact.txn)) {
          add(space_.both(fact.holds, write.holds));
        }
      }
    }
  }

  void add_overlaps() {
    for (const std::vector<WriteFact>& writes : writes_) {
      for (std::size_t i = 0; i < writes.size(); ++i) {
        for (std::size_t j = i + 1; j < writes.size(); ++j) {
          if (start(writes[i].txn) < commit(writes[j].txn) &&
              start(writes[j].txn) < commit(writes[i].txn)) {
            add(space_.both(writes[i].holds, writes[j].holds));
          }
        }
      }
    }
  }

  const Observation& observation_;
  const HappensBefore& happens_before_;
  Visibility level_;
  const std::vector<std::uint32_t>& places_;
  PredictionSpace& space_;
  std::vector<std::vector<WriteFact>> writes_;  // by key
  std::set<std::uint32_t> said_;
  std::vector<Literal> clause_;
};

/// Each literal implies that the order does not explain the prediction. If none holds, the order
/// explains it.
/// O(facts of a key squared).
std::vector<Literal> not_explained_by(const Observation& observation,
                                      const HappensBefore& happens_before, Visibility level,
                                      const EventOrder& order, PredictionSpace& space) {
  return Breaches(observation, happens_before, level, order, space).find();
}

/// All transactions, in an order that explains the observation if there is one.
std::vector<std::uint32_t> observed_order(const Observation& observation,
                                          const HappensBefore& happens_before,
                                          const std::function<bool()>& keep_going) {
  std::vector<std::uint32_t> order(observation.txns.size() - 1);
  std::iota(order.begin(), order.end(), 1U);
  EventOrder found;
  if (explain(observation, happens_before, unchanged(observation),
              {.near = order, .keep_going = keep_going}, found) == Explained::kYes) {
    std::ranges::sort(order, {}, [&](std::uint32_t t) { return found.places[t]; });
  }
  return order;
}

}  // namespace

class Predictor::Search {
 public:
  Search(const Observation& observation, PredictOptions options)
      : observation_(observation),
        options_(std::move(options)),
        happens_before_(observation),
        near_(observed_order(observation, happens_before_, options_.keep_going)),
        theory_(vertex_count(observation, options_.level),
                session_edges(observation, options_.level), vertices_of(near_, options_.level)),
        sat_(theory_),
        space_(observation, options_.boundary, sat_) {
    theory_.serve(sat_);
    if (!is_saturable(options_.level)) {
      theory_.follow_first_order();  // which edge to choose is open
    }
    space_.add_lists(options_.level, theory_);
    demand_level(observation, happens_before_, space_.facts_for(options_.level), options_.level,
                 theory_, sat_);
    theory_.tried_first = space_.few_changes();
    theory_.on_model = [this] { return is_answer(); };
  }

  Found next() {
    exclude_last();
    std::uint32_t steps = 0;
    const SatSolver::Answer answer = sat_.solve(
        [&] { return (++steps & 255U) == 0 && options_.keep_going && !options_.keep_going(); });
    if (answer == SatSolver::Answer::kUnsatisfiable) {
      return Found::kNone;
    }
    if (answer == SatSolver::Answer::kOutOfWork || is_out_of_budget_) {
      return Found::kOutOfBudget;
    }
    make_small();
    return Found::kPrediction;
  }

  [[nodiscard]] const Prediction& prediction() const { return prediction_; }

  [[nodiscard]] const std::vector<std::uint32_t>& contradicting() const { return contradicting_; }

  [[nodiscard]] std::uint64_t orders() const { return orders_; }

  [[nodiscard]] const std::vector<EventOrder>& explaining_orders() const {
    return explaining_orders_;
  }

 private:
  Explained explain_at_target(const Prediction& prediction, EventOrder& order) {
    return explain(observation_, happens_before_, prediction,
                   {.level = options_.target, .near = near_, .keep_going = options_.keep_going},
                   order);
  }

  /// Whether no order explains the proposed prediction. Otherwise excludes all predictions that the
  /// found order explains.
  bool is_answer() {
    prediction_ = space_.current();
    EventOrder order;
    const Explained explained = explain_at_target(prediction_, order);
    is_out_of_budget_ = explained == Explained::kOutOfBudget ||
                        (explained == Explained::kYes && options_.most_orders > 0 &&
                         orders_ >= options_.most_orders);
    if (explained != Explained::kYes || is_out_of_budget_) {
      return true;
    }
    ++orders_;
    sat_.restart();
    sat_.add_clause(
        not_explained_by(observation_, happens_before_, options_.target, order, space_));
    if (options_.keeps_orders) {
      explaining_orders_.push_back(std::move(order));
    }
    return false;
  }

  /// Excludes the facts of the last contradiction together.
  void exclude_last() {
    if (contradicting_.empty()) {
      return;
    }
    sat_.restart();
    std::vector<Literal> clause;
    for (const Literal literal : space_.literals_of(part_of_prediction(contradicting_))) {
      clause.push_back(~literal);
    }
    sat_.add_clause(std::move(clause));
    contradicting_.clear();
  }

  /// A cut prediction is still allowed by the weak level. So only the target is asked.
  [[nodiscard]] bool is_violation(const Prediction& prediction) {
    EventOrder order;
    return explain_at_target(prediction, order) == Explained::kNo;
  }

  /// Only these transactions, ascending, of the last prediction.
  [[nodiscard]] Prediction part_of_prediction(const std::vector<std::uint32_t>& txns) const {
    Prediction part = prediction_;
    for (std::uint32_t t = 1; t < part.txns.size(); ++t) {
      if (!std::ranges::binary_search(txns, t)) {
        part.txns[t] = {};
      }
    }
    return part;
  }

  void make_small() {
    cut_to_contradiction();
    for (std::uint32_t t = static_cast<std::uint32_t>(prediction_.txns.size()); --t > 0;) {
      if (prediction_.keeps(t) && is_last(t) && try_without(t)) {
        cut_to_contradiction();
        t = static_cast<std::uint32_t>(prediction_.txns.size());
      }
    }
  }

  bool try_without(std::uint32_t t) {
    PredictedTxn cut = std::exchange(prediction_.txns[t], PredictedTxn());
    if (is_violation(prediction_)) {
      return true;
    }
    prediction_.txns[t] = std::move(cut);
    return false;
  }

  /// Whether no kept transaction follows this one in its session or reads a write of it.
  [[nodiscard]] bool is_last(std::uint32_t t) const {
    for (std::uint32_t other = 1; other < prediction_.txns.size(); ++other) {
      if (prediction_.keeps(other) &&
          (observation_.txns[other].before == t || std::ranges::count(read_by(other), t) > 0)) {
        return false;
      }
    }
    return true;
  }

  /// The transactions of which a kept one read writes.
  [[nodiscard]] std::vector<std::uint32_t> read_by(std::uint32_t t) const {
    std::vector<std::uint32_t> writers = prediction_.txns[t].writers;
    for (std::uint32_t i = 0; i < prediction_.txns[t].events; ++i) {
      if (!observation_.txns[t].events[i].is_write) {
        std::ranges::copy(list_read(observation_, prediction_, t, i), std::back_inserter(writers));
      }
    }
    return writers;
  }

  /// Finds transactions that contradict one another, each of them needed. Leaves out large parts
  /// first, then smaller ones.
  void find_contradiction() {
    contradicting_.clear();
    for (std::uint32_t t = 1; t < prediction_.txns.size(); ++t) {
      if (prediction_.keeps(t)) {
        contradicting_.push_back(t);
      }
    }
    for (std::size_t size = (contradicting_.size() + 1) / 2; size > 0; size /= 2) {
      for (std::size_t begin = 0; begin < contradicting_.size();) {
        std::vector<std::uint32_t> rest = contradicting_;
        const auto first = rest.begin() + static_cast<std::ptrdiff_t>(begin);
        rest.erase(first, first + static_cast<std::ptrdiff_t>(std::min(size, rest.size() - begin)));
        if (is_violation(part_of_prediction(rest))) {
          contradicting_ = std::move(rest);
        } else {
          begin += size;
        }
      }
    }
  }

  /// Keeps only a contradiction and what happens before it.
  void cut_to_contradiction() {
    find_contradiction();
    std::vector<bool> is_needed(prediction_.txns.size(), false);
    std::vector<std::uint32_t> open = contradicting_;
    while (!open.empty()) {
      const std::uint32_t t = open.back();
      open.pop_back();
      if (t != kInitial && !is_needed[t]) {
        is_needed[t] = true;
        open.push_back(observation_.txns[t].before);
        std::ranges::copy(read_by(t), std::back_inserter(open));
      }
    }
    for (std::uint32_t t = 1; t < is_needed.size(); ++t) {
      if (!is_needed[t]) {
        prediction_.txns[t] = {};
      }
    }
  }

  const Observation& observation_;
  PredictOptions options_;
  HappensBefore happens_before_;
  std::vector<std::uint32_t> near_;
  OrderTheory theory_;
  SatSolver sat_;
  PredictionSpace space_;
  Prediction prediction_;
  std::vector<std::uint32_t> contradicting_;
  bool is_out_of_budget_ = false;
  std::uint64_t orders_ = 0;
  std::vector<EventOrder> explaining_orders_;
};

Predictor::Predictor(const Observation& observation, PredictOptions options)
    : search_(std::make_unique<Search>(observation, std::move(options))) {}

Predictor::~Predictor() = default;

Found Predictor::next() {
  return search_->next();
}

const Prediction& Predictor::prediction() const {
  return search_->prediction();
}

const std::vector<std::uint32_t>& Predictor::contradicting() const {
  return search_->contradicting();
}

std::uint64_t Predictor::orders() const {
  return search_->orders();
}

const std::vector<EventOrder>& Predictor::explaining_orders() const {
  return search_->explaining_orders();
}

}  // namespace elapid::predict
