#include "engine/predict/prediction.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/ir/history_builder.h"
#include "engine/predict/level_clauses.h"

namespace elapid::predict {

std::size_t changed_reads(const Observation& observation, const Prediction& prediction) {
  std::size_t changed = 0;
  for (std::uint32_t t = 1; t < prediction.txns.size(); ++t) {
    const PredictedTxn& txn = prediction.txns[t];
    for (std::uint32_t i = 0; i < txn.events; ++i) {
      const ObservedEvent& event = observation.txns[t].events[i];
      changed += !event.is_write && event.writer != txn.writers[i] ? 1U : 0U;
    }
  }
  return changed;
}

std::vector<OrderEvent> events_in_order(const Observation& observation, const EventOrder& order,
                                        Visibility level) {
  std::vector<std::uint32_t> vertices(vertex_count(observation, level));
  std::iota(vertices.begin(), vertices.end(), 0U);
  std::ranges::sort(vertices, {}, [&](std::uint32_t vertex) { return order.places[vertex]; });
  std::vector<OrderEvent> events;
  for (const std::uint32_t vertex : vertices) {
    const std::uint32_t txn = has_two_events(level) ? vertex / 2 : vertex;
    if (txn != kInitial) {
      events.push_back({observation.txns[txn].txn, vertex == commit_of(level, txn)});
    }
  }
  return events;
}

namespace {

/// The reads and writes of these transactions, as facts that hold.
Facts facts_of(const Observation& observation, const Prediction& prediction,
               const ExplainOptions& options, Literal holds) {
  const auto counts = [&](std::uint32_t t) {
    return prediction.keeps(t) && (options.only.empty() || options.only[t]);
  };
  Facts facts;
  for (std::uint32_t t = 1; t < prediction.txns.size(); ++t) {
    if (!counts(t)) {
      continue;
    }
    const PredictedTxn& txn = prediction.txns[t];
    for (std::uint32_t i = 0; i < observation.txns[t].events.size(); ++i) {
      const ObservedEvent& event = observation.txns[t].events[i];
      if (event.is_write) {
        if (i < txn.events || options.cut_writes_count) {
          facts.writes.push_back({t, event.key, holds});
        }
      } else if (i < txn.events && (txn.writers[i] == kInitial || counts(txn.writers[i]))) {
        facts.reads.push_back({t, i, event.key, txn.writers[i], holds, true});
      }
    }
  }
  return facts;
}

}  // namespace

Explained explain(const Observation& observation, const HappensBefore& happens_before,
                  const Prediction& prediction, const ExplainOptions& options, EventOrder& order) {
  const Visibility level = options.level;
  OrderTheory theory(vertex_count(observation, level), session_edges(observation, level),
                     vertices_of(options.near, level));
  SatSolver sat(theory);
  theory.serve(sat);
  theory.follow_first_order();
  const Literal holds(sat.new_variable(true), true);
  sat.add_clause({holds});
  demand_level(observation, happens_before, facts_of(observation, prediction, options, holds),
               level, theory, sat);
  theory.on_model = [&] {
    order.places.resize(theory.order().size());
    for (std::uint32_t place = 0; place < theory.order().size(); ++place) {
      order.places[theory.order()[place]] = place;
    }
    return true;
  };
  std::uint32_t steps = 0;
  switch (sat.solve(
      [&] { return (++steps & 1023U) == 0 && options.keep_going && !options.keep_going(); })) {
    case SatSolver::Answer::kSatisfiable:
      return Explained::kYes;
    case SatSolver::Answer::kUnsatisfiable:
      return Explained::kNo;
    default:
      return Explained::kOutOfBudget;
  }
}

Prediction unchanged(const Observation& observation) {
  Prediction whole;
  whole.txns.resize(observation.txns.size());
  for (std::uint32_t t = 1; t < observation.txns.size(); ++t) {
    const std::vector<ObservedEvent>& events = observation.txns[t].events;
    PredictedTxn& txn = whole.txns[t];
    txn.part = PredictedPart::kWhole;
    txn.events = static_cast<std::uint32_t>(events.size());
    for (const ObservedEvent& event : events) {
      txn.writers.push_back(event.writer);
    }
  }
  return whole;
}

namespace {

class HistoryWriter {
 public:
  HistoryWriter(const History& observed, const Observation& observation,
                const Prediction& prediction)
      : observed_(observed),
        observation_(observation),
        prediction_(prediction),
        builder_({.first_txn = observed.info().initial_txn.is_none() ? FirstTxn::kOrdinary
                                                                     : FirstTxn::kMarked}) {}

  Result<History> write(std::vector<std::uint32_t>& origins) {
    origins.clear();
    add_initial(origins);
    for (std::uint32_t s = 0; s < observed_.session_count(); ++s) {
      if (const auto name = observed_.session_given_name(SessionId{s})) {
        builder_.name_session(observed_.session_name(SessionId{s}), *name);
      }
    }
    for (std::uint32_t t = 1; t < prediction_.txns.size(); ++t) {
      if (prediction_.keeps(t)) {
        add(t);
        origins.push_back(t);
      }
    }
    ELAPID_RETURN_IF_ERROR(status_);
    const HistoryInfo& info = observed_.info();
    HistoryInfo of_result = {.format = info.format,
                             .rules = info.rules,
                             .initial = observed_.has_lists() ? ValueId::nil() : copy(info.initial),
                             .has_real_time = false,
                             .is_session_trace = true};
    return std::move(builder_).build(std::move(of_result));
  }

 private:
  ValueId copy(ValueId value) {
    if (value.is_none() || value.is_nil() || value.is_integer()) {
      return value;
    }
    return builder_.values().intern(observed_.text(value));
  }

  KeyId key(KeyId key) { return builder_.key(copy(observed_.key_value(key))); }

  /// The value that a writer left in a key; for the initial transaction the initial value of the
  /// key.
  ValueId value_of(std::uint32_t writer, KeyId key) {
    const TxnId txn =
        writer == kInitial ? observed_.info().initial_txn : observation_.txns[writer].txn;
    if (txn.is_none()) {
      return observed_.has_lists() ? ValueId::nil() : copy(observed_.info().initial);
    }
    ValueId last = ValueId::nil();
    for (const Op op : observed_.ops(txn)) {
      if (op.is_write() && op.key() == key) {
        last = op.value();
      }
    }
    return copy(last);
  }

  void add_initial(std::vector<std::uint32_t>& origins) {
    const TxnId initial = observed_.info().initial_txn;
    if (initial.is_none()) {
      return;
    }
    mops_.clear();
    for (const Op op : observed_.ops(initial)) {
      mops_.push_back({.kind = OpKind::kWrite, .key = key(op.key()), .value = copy(op.value())});
    }
    append(initial);
    origins.push_back(kInitial);
  }

  void add(std::uint32_t number) {
    const PredictedTxn& txn = prediction_.txns[number];
    mops_.clear();
    for (std::uint32_t i = 0; i < txn.events; ++i) {
      const ObservedEvent& event = observation_.txns[number].events[i];
      const std::uint32_t writer = event.is_write ? number : txn.writers[i];
      mops_.push_back({.kind = event.is_write ? OpKind::kWrite : OpKind::kRead,
                       .key = key(event.key),
                       .value = value_of(writer, event.key)});
    }
    append(observation_.txns[number].txn);
  }

  void append(TxnId txn) {
    if (status_) {
      status_ = builder_.add_transaction(
          {.session = observed_.session_name(observed_.session(txn)), .mops = mops_});
    }
  }

  const History& observed_;
  const Observation& observation_;
  const Prediction& prediction_;
  HistoryBuilder builder_;
  std::vector<MopInput> mops_;
  Status status_;
};

}  // namespace

Result<History> history_of(const History& observed, const Observation& observation,
                           const Prediction& prediction, std::vector<std::uint32_t>& origins) {
  return HistoryWriter(observed, observation, prediction).write(origins);
}

}  // namespace elapid::predict
