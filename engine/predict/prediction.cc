#include "engine/predict/prediction.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "engine/ir/history_builder.h"
#include "engine/ir/json_string.h"
#include "engine/predict/level_clauses.h"

namespace elapid::predict {

std::vector<std::uint32_t> list_read(const Observation& observation, const Prediction& prediction,
                                     std::uint32_t txn, std::uint32_t event) {
  const ObservedEvent& read = observation.txns[txn].events[event];
  const PredictedTxn& reader = prediction.txns[txn];
  std::vector<std::uint32_t> list;
  if (reader.part == PredictedPart::kWhole) {
    list = read.list;
  } else if (observation.has_lists && reader.writers[event] != kInitial) {
    const std::vector<std::uint32_t>& versions = prediction.versions[read.key.index()];
    list.assign(versions.begin(), std::ranges::find(versions, reader.writers[event]) + 1);
  }
  std::erase_if(list, [&](std::uint32_t writer) { return !prediction.keeps(writer); });
  return list;
}

bool is_changed(const Observation& observation, const Prediction& prediction, std::uint32_t txn,
                std::uint32_t event) {
  const ObservedEvent& read = observation.txns[txn].events[event];
  return !read.is_write && (read.writer != prediction.txns[txn].writers[event] ||
                            read.list != list_read(observation, prediction, txn, event));
}

std::vector<Pair> shown_orders(const Observation& observation, const Prediction& prediction,
                               std::uint32_t txn, std::uint32_t event) {
  const std::vector<std::uint32_t> list = list_read(observation, prediction, txn, event);
  std::vector<Pair> pairs;
  for (std::size_t i = 1; i < list.size(); ++i) {
    pairs.emplace_back(list[i - 1], list[i]);
  }
  const KeyId key = observation.txns[txn].events[event].key;
  for (const std::uint32_t w : observation.writers[key.index()]) {
    if (!list.empty() && observation.txns[w].writes(key, prediction.txns[w].events) &&
        std::ranges::find(list, w) == list.end()) {
      pairs.emplace_back(list.back(), w);
    }
  }
  return pairs;
}

std::size_t changed_reads(const Observation& observation, const Prediction& prediction) {
  std::size_t changed = 0;
  for (std::uint32_t t = 1; t < prediction.txns.size(); ++t) {
    for (std::uint32_t i = 0; i < prediction.txns[t].events; ++i) {
      changed += is_changed(observation, prediction, t, i) ? 1U : 0U;
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

/// What a prediction keeps, as facts that hold.
Facts facts_of(const Observation& observation, const Prediction& prediction, Literal holds) {
  Facts facts;
  for (std::uint32_t t = 1; t < prediction.txns.size(); ++t) {
    const PredictedTxn& txn = prediction.txns[t];
    for (std::uint32_t i = 0; i < txn.events; ++i) {
      const ObservedEvent& event = observation.txns[t].events[i];
      if (event.is_write) {
        facts.writes.push_back({t, event.key, holds});
        continue;
      }
      if (txn.writers[i] == kInitial || prediction.keeps(txn.writers[i])) {
        facts.reads.push_back({t, i, event.key, txn.writers[i], holds, true});
      }
      for (const auto& [first, second] : shown_orders(observation, prediction, t, i)) {
        facts.versions.push_back({first, second, holds});
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
  demand_level(observation, happens_before, facts_of(observation, prediction, holds), level, theory,
               sat);
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
    count_writes();
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

  void count_writes() {
    for (std::uint32_t t = 1; t < observation_.txns.size(); ++t) {
      for (const Op op : observed_.ops(observation_.txns[t].txn)) {
        writes_[packed(op.key(), op.value())] += op.is_write() ? 1U : 0U;
      }
    }
  }

  /// What an operation of a transaction writes.
  ValueId value_written(TxnId txn, std::uint32_t place_of_op) {
    const Op op = observed_.ops(txn)[place_of_op];
    const bool is_name =
        writes_.at(packed(op.key(), op.value())) == 1 &&
        (observation_.has_lists ||
         (!op.value().is_nil() && op.value() != initial_value(observed_, op.key())));
    return is_name ? copy(op.value())
                   : builder_.values().intern(json_quoted(
                         observed_.text(op.value()) + ", operation " +
                         std::to_string(place_of_op + 1) + " of " + place(observed_, txn)));
  }

  /// The value that a writer left in a register.
  ValueId value_of(std::uint32_t writer, KeyId key) {
    for (const ObservedEvent& event : observation_.txns[writer].events) {
      if (event.is_write && event.key == key) {
        return value_written(observation_.txns[writer].txn, event.op);
      }
    }
    return copy(initial_value(observed_, key));
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
    const ObservedTxn& txn = observation_.txns[number];
    const PredictedTxn& kept = prediction_.txns[number];
    mops_.clear();
    elements_.clear();
    for (std::uint32_t i = 0; i < kept.events; ++i) {
      const ObservedEvent& event = txn.events[i];
      if (observation_.has_lists) {
        // Appends before the last one of the key are no events.
        const std::uint32_t begin = i == 0 ? 0 : txn.events[i - 1].op + 1;
        for (std::uint32_t op = begin; op < event.op; ++op) {
          add_append(txn, op, kept.events);
        }
        event.is_write ? add_append(txn, event.op, kept.events) : add_list(number, i);
        continue;
      }
      const std::uint32_t writer = event.is_write ? number : kept.writers[i];
      mops_.push_back({.kind = event.is_write ? OpKind::kWrite : OpKind::kRead,
                       .key = key(event.key),
                       .value = value_of(writer, event.key)});
    }
    append(txn.txn);
  }

  /// Adds an append, if the last one of its key is kept.
  void add_append(const ObservedTxn& txn, std::uint32_t place_of_op, std::uint32_t kept_events) {
    const Op op = observed_.ops(txn.txn)[place_of_op];
    if (op.is_write() && txn.writes(op.key(), kept_events)) {
      mops_.push_back({.kind = OpKind::kAppend,
                       .key = key(op.key()),
                       .value = value_written(txn.txn, place_of_op)});
    }
  }

  /// Adds a read of a list: elements of others, then the own ones so far.
  void add_list(std::uint32_t number, std::uint32_t event) {
    const KeyId of = observation_.txns[number].events[event].key;
    MopInput read = {.kind = OpKind::kReadList,
                     .key = key(of),
                     .list_begin = static_cast<std::uint32_t>(elements_.size())};
    for (const std::uint32_t writer : list_read(observation_, prediction_, number, event)) {
      const TxnId txn = observation_.txns[writer].txn;
      for (std::uint32_t op = 0; op < observed_.ops(txn).size(); ++op) {
        if (observed_.ops(txn)[op].is_write() && observed_.ops(txn)[op].key() == of) {
          elements_.push_back(value_written(txn, op));
        }
      }
    }
    for (const MopInput& mop : mops_) {
      if (mop.kind == OpKind::kAppend && mop.key == read.key) {
        elements_.push_back(mop.value);
      }
    }
    read.list_length = static_cast<std::uint32_t>(elements_.size()) - read.list_begin;
    mops_.push_back(read);
  }

  void append(TxnId txn) {
    if (status_) {
      status_ = builder_.add_transaction({.session = observed_.session_name(observed_.session(txn)),
                                          .mops = mops_,
                                          .elements = elements_});
    }
  }

  const History& observed_;
  const Observation& observation_;
  const Prediction& prediction_;
  HistoryBuilder builder_;
  std::vector<MopInput> mops_;
  std::vector<ValueId> elements_;
  std::unordered_map<std::uint64_t, std::size_t, SeededHash> writes_;  // by key and value
  Status status_;
};

}  // namespace

Result<History> history_of(const History& observed, const Observation& observation,
                           const Prediction& prediction, std::vector<std::uint32_t>& origins) {
  return HistoryWriter(observed, observation, prediction).write(origins);
}

}  // namespace elapid::predict
