#include "engine/solve/mix_evidence.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <variant>

namespace elapid {

namespace {

class Retelling {
 public:
  Retelling(const History& history, const SplitHistory& split)
      : history_(history), split_(split), count_(static_cast<std::uint32_t>(history.txn_count())) {}

  [[nodiscard]] bool is_split_off(TxnId txn) const { return !txn.is_none() && txn.value >= count_; }

  [[nodiscard]] const SplitHistory::SplitRead& read(TxnId txn) const {
    return split_.reads[txn.value - count_];
  }

  [[nodiscard]] TxnId txn(TxnId txn) const { return is_split_off(txn) ? read(txn).txn : txn; }

  [[nodiscard]] std::uint32_t mop(TxnId txn, std::uint32_t mop) const {
    return is_split_off(txn) ? read(txn).mop : split_.mop_of(txn, mop);
  }

  [[nodiscard]] ValueId value(ValueId value) const {
    return value.is_nil() || value.is_none()
               ? value
               : split_
                     .values[static_cast<std::size_t>(*split_.history.values().as_integer(value))];
  }

  [[nodiscard]] Choice choice(Choice choice) const {
    if (is_split_off(choice.first)) {
      choice.length = read(choice.first).number;
      choice.first = read(choice.first).txn;
    }
    return choice;
  }

  /// The cycle in the history's own transactions. It starts with an edge that leaves no split-off
  /// read.
  [[nodiscard]] std::vector<OrderEdge> cycle(std::span<const OrderEdge> cycle) const {
    std::vector<OrderEdge> edges(cycle.begin(), cycle.end());
    const auto first = std::ranges::find_if(
        edges, [this](const OrderEdge& edge) { return !is_split_off(edge.from); });
    std::rotate(edges.begin(), first, edges.end());
    std::vector<OrderEdge> told;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (is_split_off(edges[i].to) && i + 1 < edges.size()) {
        pass(edges[i], edges[i + 1], told);
        ++i;
      } else {
        told.push_back(edges[i]);
      }
    }
    return told;
  }

 private:
  /// Replaces the two edges through a split-off read.
  void pass(const OrderEdge& in, const OrderEdge& out, std::vector<OrderEdge>& told) const {
    OrderEdge edge = in;
    edge.to = read(in.to).txn;
    if (out.relation == Relation::kRw && in.relation == Relation::kWr) {
      told.push_back({in.from, out.to, Relation::kWw, out.key});
      return;
    }
    if (out.relation == Relation::kRw) {  // from the initial transaction
      edge.to = out.to;
      told.push_back(edge);
      return;
    }
    told.push_back(edge);
    if (out.to != edge.to) {
      told.push_back({edge.to, out.to, out.relation, out.key});
    }
  }

  const History& history_;
  const SplitHistory& split_;
  std::uint32_t count_;
};

/// One clause: the visible writer comes before the one that was read from.
ProofStep step_of(const MixVisibility& visibility, const VisibleOrder& order) {
  ProofStep step;
  if (!order.seen.is_none()) {
    step.clause.push_back(
        {.kind = Choice::Kind::kBefore, .first = order.visible, .second = order.seen});
  }
  step.cycle = {{order.reader, order.visible, Relation::kRw, order.key, order.seen}};
  const std::vector<OrderEdge> path = visibility.path(order);
  step.cycle.insert(step.cycle.end(), path.begin(), path.end());
  return step;
}

}  // namespace

Witness commits_of(const SplitHistory& split, const Witness& witness) {
  const auto count = split.history.txn_count() - split.reads.size();
  Witness commits;
  for (const OrderEvent event : witness.order) {
    if (event.is_commit && event.txn.index() < count) {
      commits.order.push_back(event);
    }
  }
  std::vector<std::pair<std::uint32_t, ReadFrom>> reads;  // by the place of the operation
  for (ReadFrom read : witness.reads) {
    std::uint32_t mop = 0;
    if (read.reader.index() >= count) {
      const SplitHistory::SplitRead& own = split.reads[read.reader.index() - count];
      read.reader = own.txn;
      mop = own.mop;
    }
    reads.emplace_back(mop, read);
  }
  std::ranges::stable_sort(reads, {}, [](const auto& entry) {
    return std::tuple(entry.second.reader, entry.second.key, entry.first);
  });
  for (const auto& [mop, read] : reads) {
    commits.reads.push_back(read);
  }
  return commits;
}

std::vector<Anomaly> anomalies_of(const History& history, const SplitHistory& split,
                                  std::vector<Anomaly> anomalies) {
  const Retelling retelling(history, split);
  std::vector<Anomaly> told;
  for (Anomaly& anomaly : anomalies) {
    if (auto* read = std::get_if<ReadEvidence>(&anomaly.evidence)) {
      read->mop = retelling.mop(read->reader, read->mop);
      read->reader = retelling.txn(read->reader);
      read->element = retelling.value(read->element);
      if (!history.committed(read->reader)) {
        continue;
      }
      if (read->writer) {
        read->writer->txn = retelling.txn(read->writer->txn);
        if (read->writer->txn == read->reader) {
          continue;  // an own write, from which a split-off read was parted
        }
      }
    } else if (auto* internal = std::get_if<InternalEvidence>(&anomaly.evidence)) {
      internal->mop = retelling.mop(internal->txn, internal->mop);
      internal->txn = retelling.txn(internal->txn);
      internal->expected.scalar = retelling.value(internal->expected.scalar);
      std::ranges::transform(internal->expected.elements, internal->expected.elements.begin(),
                             [&](ValueId value) { return retelling.value(value); });
    }
    told.push_back(std::move(anomaly));
  }
  return told;
}

Refutation refutation_by(const MixVisibility& visibility, const VisibleOrder& order) {
  return {{step_of(visibility, order)}};
}

Refutation refutation_of(const History& history, const SplitHistory& split,
                         const MixVisibility& visibility, const Refutation& refutation) {
  const Retelling retelling(history, split);
  std::vector<ProofStep> told;
  std::set<std::pair<TxnId, TxnId>> orders;
  for (const ProofStep& step : refutation.steps) {
    ProofStep own = {.clause = {}, .cycle = retelling.cycle(step.cycle)};
    std::ranges::transform(step.clause, std::back_inserter(own.clause),
                           [&](const Choice& choice) { return retelling.choice(choice); });
    for (const OrderEdge& edge : own.cycle) {
      if (edge.relation == Relation::kWw) {
        orders.emplace(edge.from, edge.to);
      }
    }
    told.push_back(std::move(own));
  }
  Refutation whole;
  for (const VisibleOrder& order : visibility.orders()) {
    if (orders.erase({order.visible, order.seen}) > 0) {
      whole.steps.push_back(step_of(visibility, order));
    }
  }
  whole.steps.insert(whole.steps.end(), std::move_iterator(told.begin()),
                     std::move_iterator(told.end()));
  return whole;
}

}  // namespace elapid
