#include "engine/workloads/kafka/log_cycles.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

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

/// Calls `visit(writer)` for the writer of each message that the operation polled.
template <class Visit>
void each_source(const Messages& messages, const Fates& fates, TxnId txn, Visit visit) {
  messages.each_run(txn, [&](const Run& run) {
    for (std::size_t i = 0; !run.is_send && i < run.messages.size(); ++i) {
      if (const TxnId writer = known_writer(fates, run.messages[i]);
          !writer.is_none() && writer != txn) {
        visit(writer);
      }
    }
  });
}

/// Calls `visit(from, to)` for the writers of neighbours in the version order.
template <class Visit>
void each_ww(const Messages& messages, const Fates& fates, const VersionOrders& orders,
             Visit visit) {
  for (MessageId m{0}; m.index() < messages.count(); ++m.value) {
    const MessageId before = MessageExplainer::previous(orders, m, messages.key(m));
    const TxnId from = before.is_none() ? TxnId::none() : known_writer(fates, before);
    const TxnId to = known_writer(fates, m);
    if (!from.is_none() && !to.is_none() && from != to) {
      visit(from, to);
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
  const auto tell = [&](TxnId from, TxnId to, EdgeLabel label) {
    const LabelledEdge last = inference.edges.empty() ? LabelledEdge() : inference.edges.back();
    if (last.from != from.value || last.to != to.value || last.label != label) {
      inference.edges.push_back({from.value, to.value, label});
    }
    inference.believed[from.index()] = true;
    inference.believed[to.index()] = true;
  };
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    each_source(messages, fates, txn, [&](TxnId writer) { tell(writer, txn, kWrEdge); });
  }
  if (with_ww) {
    each_ww(messages, fates, orders, [&](TxnId from, TxnId to) { tell(from, to, kWwEdge); });
  }
  inference.explainer = std::make_unique<MessageExplainer>(messages, fates, orders);
  return inference;
}

/// Instants at which operations can take effect, between their events and after all that they
/// depend on. If they exist, there is no cycle: real time leads to later instants, too. Each
/// begins at the completion, and moves before the instants of its dependents.
class Instants {
 public:
  Instants(const Messages& messages, const Fates& fates, const VersionOrders& orders, bool with_ww)
      : messages_(messages),
        history_(messages.history()),
        fates_(fates),
        orders_(orders),
        with_ww_(with_ww),
        instants_(history_.txn_count(), std::numeric_limits<std::int64_t>::max()) {}

  /// False also if this takes long. If there is no cycle, few instants usually move.
  bool exist() {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (history_.has_completion(txn)) {
        instants_[txn.index()] = instant_of(history_.completion_id(txn));
      }
    }
    constexpr int kRounds = 8;
    bool is_settled = false;
    for (int round = 0; round < kRounds && !is_settled && is_possible_; ++round) {
      for (TxnId txn{0}; is_possible_ && txn.index() < history_.txn_count(); ++txn.value) {
        settle(txn);
      }
      is_settled = true;
      if (with_ww_) {
        each_ww(messages_, fates_, orders_,
                [&](TxnId from, TxnId to) { is_settled = !move_before(from, to) && is_settled; });
      }
    }
    return is_settled && is_possible_;
  }

 private:
  static std::int64_t instant_of(EventId event) {
    constexpr std::int64_t kBetween = 1 << 16;  // instants between two events
    return std::int64_t{event.value} * kBetween;
  }

  /// Moves the writers of all that the operation polled, and theirs. Later operations follow in the
  /// same round anyway.
  void settle(TxnId newest) {
    pending_.assign(1, newest);
    while (!pending_.empty() && is_possible_) {
      const TxnId txn = pending_.back();
      pending_.pop_back();
      each_source(messages_, fates_, txn, [&](TxnId writer) {
        if (move_before(writer, txn) && writer <= newest) {
          pending_.push_back(writer);
        }
      });
    }
  }

  /// Whether `from` had to move.
  bool move_before(TxnId from, TxnId to) {
    std::int64_t& instant = instants_[from.index()];
    if (instant < instants_[to.index()]) {
      return false;
    }
    instant = instants_[to.index()] - 1;
    is_possible_ = is_possible_ && ++moves_ <= kMovesEach * history_.txn_count() &&
                   history_.has_invocation(from) &&
                   instant > instant_of(history_.invocation_id(from));
    return true;
  }

  static constexpr std::size_t kMovesEach = 8;

  const Messages& messages_;
  const History& history_;
  const Fates& fates_;
  const VersionOrders& orders_;
  bool with_ww_;
  std::vector<std::int64_t> instants_;  // by operation
  std::vector<TxnId> pending_;
  std::size_t moves_ = 0;
  bool is_possible_ = true;
};

}  // namespace

bool has_instants(const Messages& messages, const Fates& fates, const VersionOrders& orders,
                  bool with_ww) {
  return Instants(messages, fates, orders, with_ww).exist();
}

LogCycles find_log_cycles(const Messages& messages, const Fates& fates, const VersionOrders& orders,
                          bool with_ww, const std::function<bool()>& keep_going) {
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
