#include "engine/workloads/kafka/log_cycles.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "engine/infer/cycle_classes.h"
#include "engine/infer/cycles.h"

namespace elapid::kafka {

namespace {

constexpr std::uint64_t kEdgeVisits = 20'000'000;  // in one component

/// The operation that put the message into the log; none() if it may be another one.
TxnId known_writer(const Fates& fates, MessageId message) {
  return fates.is_sent_again(message) ? TxnId::none() : fates.writer(message);
}

/// Finds the message behind an edge.
class MessageExplainer : public EdgeExplainer {
 public:
  MessageExplainer(const Messages& messages, const Fates& fates, const VersionOrders& orders)
      : messages_(messages), fates_(fates), orders_(orders) {}

  [[nodiscard]] Step explain(TxnId from, TxnId to, Relation relation) const override {
    Step step = {.from = from, .to = to, .relation = relation};
    messages_.each_run(to, [&](const Run& run) {
      for (std::size_t i = 0; step.value.is_none() && i < run.messages.size(); ++i) {
        explain_by(run, run.messages[i], step);
      }
    });
    return step;
  }

  /// The message before this one in the version order; none() if there is none.
  static MessageId previous(const VersionOrders& orders, MessageId message, KeyId key) {
    const std::int32_t index = orders.index(message);
    return index > 0 ? orders.order(key)[static_cast<std::size_t>(index) - 1] : MessageId::none();
  }

 private:
  /// Sets the step's values if this message, which `to` sent or polled, is the reason for the edge.
  void explain_by(const Run& run, MessageId message, Step& step) const {
    if (step.relation == Relation::kWr && !run.is_send &&
        known_writer(fates_, message) == step.from) {
      step.key = run.key;
      step.value = messages_.value(message);
    }
    const MessageId before = previous(orders_, message, run.key);
    if (step.relation == Relation::kWw && run.is_send && !before.is_none() &&
        known_writer(fates_, before) == step.from && known_writer(fates_, message) == step.to) {
      step.key = run.key;
      step.value = messages_.value(before);
      step.value_after = messages_.value(message);
    }
  }

  const Messages& messages_;
  const Fates& fates_;
  const VersionOrders& orders_;
};

/// Calls `visit(from, to, label)` for each dependency between operations.
template <class Visit>
void each_dependency(const Messages& messages, const Fates& fates, const VersionOrders& orders,
                     bool with_ww, Visit visit) {
  const auto tell = [&](TxnId from, TxnId to, EdgeLabel label) {
    if (!from.is_none() && !to.is_none() && from != to) {
      visit(from, to, label);
    }
  };
  for (TxnId txn{0}; txn.index() < messages.history().txn_count(); ++txn.value) {
    messages.each_run(txn, [&](const Run& run) {
      for (std::size_t i = 0; !run.is_send && i < run.messages.size(); ++i) {
        tell(known_writer(fates, run.messages[i]), txn, kWrEdge);
      }
    });
  }
  for (MessageId m{0}; with_ww && m.index() < messages.count(); ++m.value) {
    const MessageId before = MessageExplainer::previous(orders, m, messages.key(m));
    if (!before.is_none()) {
      tell(known_writer(fates, before), known_writer(fates, m), kWwEdge);
    }
  }
}

/// The graph has all successful operations, and others that depend on some operation. An :assign
/// depends on none, so it is on no shortest cycle.
Inference infer(const Messages& messages, const Fates& fates, const VersionOrders& orders,
                bool with_ww) {
  const History& history = messages.history();
  Inference inference;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    inference.believed.push_back(history.committed(txn));
  }
  each_dependency(messages, fates, orders, with_ww, [&](TxnId from, TxnId to, EdgeLabel label) {
    const LabelledEdge last = inference.edges.empty() ? LabelledEdge() : inference.edges.back();
    if (last.from != from.value || last.to != to.value || last.label != label) {
      inference.edges.push_back({from.value, to.value, label});
    }
    inference.believed[from.index()] = true;
    inference.believed[to.index()] = true;
  });
  inference.explainer = std::make_unique<MessageExplainer>(messages, fates, orders);
  return inference;
}

bool has_polled(const Messages& messages, TxnId txn) {
  bool has = false;
  messages.each_run(txn, [&](const Run& run) { has = has || !run.is_send; });
  return has;
}

/// Whether each operation can take effect at an instant between its events, after all its
/// dependencies. Then there is no cycle: real time leads to later instants, too. Each instant
/// begins at the completion, and moves before the instants of its dependents. False if this takes
/// many rounds; if there is no cycle, a few usually suffice.
bool has_instants(const Messages& messages, const Fates& fates, const VersionOrders& orders,
                  bool with_ww) {
  const History& history = messages.history();
  constexpr std::int64_t kBetween = 1 << 16;  // instants between two events
  constexpr int kRounds = 8;
  const auto instant_of = [](EventId event) { return std::int64_t{event.value} * kBetween; };
  std::vector<std::int64_t> instants(history.txn_count());
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    instants[txn.index()] = history.has_completion(txn) ? instant_of(history.completion_id(txn))
                                                        : std::numeric_limits<std::int64_t>::max();
  }
  bool is_settled = false;
  for (int round = 0; round < kRounds && !is_settled; ++round) {
    is_settled = true;
    each_dependency(messages, fates, orders, with_ww, [&](TxnId from, TxnId to, EdgeLabel) {
      std::int64_t& before = instants[from.index()];
      if (before >= instants[to.index()]) {
        before = instants[to.index()] - 1;
        // The dependencies of a later operation follow in this round.
        is_settled = is_settled && !with_ww && (from > to || !has_polled(messages, from));
      }
    });
  }
  for (TxnId txn{0}; is_settled && txn.index() < history.txn_count(); ++txn.value) {
    const std::int64_t instant = instants[txn.index()];
    is_settled = history.has_invocation(txn) ? instant > instant_of(history.invocation_id(txn))
                                             : instant == instant_of(history.completion_id(txn));
  }
  return is_settled;
}

}  // namespace

LogCycles find_log_cycles(const Messages& messages, const Fates& fates, const VersionOrders& orders,
                          bool with_ww, const std::function<bool()>& keep_going) {
  if (has_instants(messages, fates, orders, with_ww)) {
    return {};
  }
  const Inference inference = infer(messages, fates, orders, with_ww);
  const AnomalySet types = cycle_types();
  CycleFindings found = find_cycles(messages.history(), inference,
                                    {.orders = {.process = false, .realtime = true},
                                     .wanted = types,
                                     .proving = {},
                                     .edge_visits = kEdgeVisits,
                                     .keep_going = keep_going});
  return {.anomalies = std::move(found.anomalies), .is_partial = found.is_partial};
}

}  // namespace elapid::kafka
