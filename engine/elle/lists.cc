// The order in which Elle analyses a list-append history, and the operations that it refuses.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/elle/all_ops.h"
#include "engine/elle/analysis.h"
#include "engine/elle/list_anomalies.h"
#include "engine/elle/list_orders.h"
#include "engine/elle/lost_update.h"
#include "engine/elle/writes.h"
#include "engine/ir/history.h"

namespace elapid::elle {

namespace {

// Dependencies between transactions of a list-append history as Elle infers them
// (docs/elle-rules.md), and their reasons.

/// The writers and readers of each version of each key, among completions of :ok and :info. A
/// version is named by the element that was appended last; the initial one has none. Elle takes an
/// element nil or false for no element in most places, but not in all.
class ListGraph {
 public:
  /// `history` is borrowed. Linear in operations and in the longest list of each key.
  explicit ListGraph(const History& history);

  [[nodiscard]] const Writes& writes() const { return writes_; }

  /// The version that an append follows: the one before it in the version order. An append that no
  /// transaction read follows the last version. none(): the initial state.
  [[nodiscard]] ValueId version_before(Op append) const;

  /// The version that a read shows; none() is the initial one. Nothing if the read tells nothing,
  /// as that of nil by an :info completion.
  [[nodiscard]] std::optional<ValueId> version_shown(TxnId reader, Op read) const;

  /// The last transaction that appended the element, or none().
  [[nodiscard]] TxnId writer(KeyId key, ValueId element) const;

  /// ww, wr and rw edges. An append that no transaction read follows all readers of the last
  /// version: a bundle. Linear in operations and edges.
  void add_edges(Inference& graph) const;

 private:
  [[nodiscard]] std::uint32_t position(Op append) const;
  [[nodiscard]] std::optional<std::size_t> number(KeyId key, ValueId version) const;
  [[nodiscard]] std::span<const TxnId> readers(KeyId key, ValueId version) const;
  void find_readers();
  void add_append(TxnId txn, Op append, Inference& graph,
                  std::vector<std::vector<TxnId>>& unread) const;

  const History& history_;
  Writes writes_;
  ListOrders orders_;
  std::vector<std::uint32_t> readers_begin_;  // by the version's number, one more than these
  std::vector<TxnId> readers_;
};

constexpr std::uint32_t kNowhere = Write{}.position;

bool may_have_completed(const History& history, TxnId txn) {
  return history.has_completion(txn) && history.status(txn) != TxnStatus::kAborted;
}

/// Calls `visit(txn, op)` for every operation of the completions that count.
template <class Visit>
void each_possible_op(const History& history, Visit visit) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (may_have_completed(history, {t})) {
      for (const Op op : history.ops({t})) {
        visit(TxnId{t}, op);
      }
    }
  }
}

void add_edge(TxnId from, TxnId to, EdgeLabel label, Inference& graph) {
  if (!from.is_none() && from != to) {
    graph.edges.push_back({from.value, to.value, label});
  }
}

ListGraph::ListGraph(const History& history)
    : history_(history), writes_(history, OpKind::kAppend), orders_(history, Witnesses::kPossible) {
  for (std::uint32_t k = 0; k < history.key_count(); ++k) {
    std::uint32_t position = 0;
    for (const ValueId element : orders_.of({k})) {
      writes_.add({k}, element).position = position++;
    }
  }
  find_readers();
}

std::uint32_t ListGraph::position(Op append) const {
  const Write* write = writes_.find(append.key(), append.value());
  return write == nullptr ? kNowhere : write->position;
}

ValueId ListGraph::version_before(Op append) const {
  const std::vector<ValueId>& order = orders_.of(append.key());
  const std::uint32_t at = position(append);
  if (at != kNowhere) {
    return at == 0 ? ValueId::none() : order[at - 1];
  }
  const bool is_none = order.empty() || !history_.values().truthy(order.back());
  return is_none ? ValueId::none() : order.back();
}

std::optional<ValueId> ListGraph::version_shown(TxnId reader, Op read) const {
  if (!read.is_read() || (read.kind() == OpKind::kRead && !history_.committed(reader))) {
    return std::nullopt;
  }
  const std::span<const ValueId> elements =
      read.kind() == OpKind::kReadList ? history_.elements(read) : std::span<const ValueId>();
  const bool is_none = elements.empty() || !history_.values().truthy(elements.back());
  return is_none ? ValueId::none() : elements.back();
}

TxnId ListGraph::writer(KeyId key, ValueId element) const {
  const Write* write = writes_.find(key, element);
  return write == nullptr ? TxnId::none() : write->possible;
}

/// A flat number of the version; nothing for an element that was neither appended nor put in order.
std::optional<std::size_t> ListGraph::number(KeyId key, ValueId version) const {
  if (version.is_none()) {
    return key.index();
  }
  const std::uint32_t place = writes_.place(key, version);
  return place == Writes::kAbsent ? std::nullopt : std::optional(history_.key_count() + place);
}

std::span<const TxnId> ListGraph::readers(KeyId key, ValueId version) const {
  const auto at = number(key, version);
  return at ? std::span(readers_).subspan(readers_begin_[*at],
                                          readers_begin_[*at + 1] - readers_begin_[*at])
            : std::span<const TxnId>();
}

void ListGraph::find_readers() {
  std::vector<std::pair<std::uint32_t, TxnId>> reads;
  each_possible_op(history_, [&](TxnId txn, Op op) {
    const auto version = version_shown(txn, op);
    const auto at = version ? number(op.key(), *version) : std::nullopt;
    if (at) {
      reads.emplace_back(static_cast<std::uint32_t>(*at), txn);
    }
  });
  readers_begin_.assign(history_.key_count() + writes_.all().size() + 1, 0);
  for (const auto& [at, txn] : reads) {
    ++readers_begin_[at + 1];
  }
  std::partial_sum(readers_begin_.begin(), readers_begin_.end(), readers_begin_.begin());
  readers_.resize(reads.size());
  std::vector<std::uint32_t> next(readers_begin_.begin(), readers_begin_.end() - 1);
  for (const auto& [at, txn] : reads) {
    readers_[next[at]++] = txn;
  }
}

void ListGraph::add_append(TxnId txn, Op append, Inference& graph,
                           std::vector<std::vector<TxnId>>& unread) const {
  const ValueId before = version_before(append);
  if (!before.is_none() && !history_.values().truthy(before)) {
    return;  // an element nil or false has no successor
  }
  if (!before.is_none()) {
    add_edge(writer(append.key(), before), txn, kWwEdge, graph);
  }
  if (position(append) == kNowhere) {
    unread[append.key().index()].push_back(txn);
    return;
  }
  for (const TxnId reader : readers(append.key(), before)) {
    add_edge(reader, txn, kRwEdge, graph);
  }
}

void ListGraph::add_edges(Inference& graph) const {
  std::vector<std::vector<TxnId>> unread(history_.key_count());  // by key
  each_possible_op(history_, [&](TxnId txn, Op op) {
    if (op.kind() == OpKind::kAppend) {
      add_append(txn, op, graph, unread);
    } else if (op.kind() == OpKind::kReadList && !history_.elements(op).empty()) {
      add_edge(writer(op.key(), history_.elements(op).back()), txn, kWrEdge, graph);
    }
  });
  for (std::uint32_t k = 0; k < unread.size(); ++k) {
    if (unread[k].empty()) {
      continue;
    }
    const std::vector<ValueId>& order = orders_.of({k});
    const bool is_none = order.empty() || !history_.values().truthy(order.back());
    const auto last = readers({k}, is_none ? ValueId::none() : order.back());
    add_bundle({.readers = {last.begin(), last.end()}, .writers = std::move(unread[k])}, graph);
  }
}

class ListExplainer final : public Explainer {
 public:
  ListExplainer(std::shared_ptr<const ListGraph> graph, const History& history)
      : graph_(std::move(graph)), history_(history) {}

  [[nodiscard]] std::optional<Step> explain(TxnId from, TxnId to,
                                            Relation relation) const override {
    const std::span<const Op> ops = history_.ops(to);
    for (std::size_t mop = 0; mop < ops.size(); ++mop) {
      std::optional<Step> step;
      if (relation == Relation::kWr && ops[mop].kind() == OpKind::kReadList) {
        step = explain_read(from, to, ops[mop]);
      } else if (relation != Relation::kWr && ops[mop].kind() == OpKind::kAppend) {
        step = explain_append(from, to, ops[mop], relation);
      }
      if (step) {
        step->to_mop = static_cast<std::int32_t>(mop);
        return step;
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<Step> explain_read(TxnId from, TxnId to, Op read) const {
    const std::span<const ValueId> elements = history_.elements(read);
    if (elements.empty() || graph_->writer(read.key(), elements.back()) != from) {
      return std::nullopt;
    }
    return Step{.from = from,
                .to = to,
                .relation = Relation::kWr,
                .key = read.key(),
                .value = elements.back(),
                .from_mop = append_of(from, read.key(), elements.back())};
  }

  [[nodiscard]] std::optional<Step> explain_append(TxnId from, TxnId to, Op append,
                                                   Relation relation) const {
    const ValueId before = graph_->version_before(append);
    if (!before.is_none() && !history_.values().truthy(before)) {
      return std::nullopt;
    }
    Step step{.from = from,
              .to = to,
              .relation = relation,
              .key = append.key(),
              .value = before,
              .value_after = append.value()};
    if (relation == Relation::kRw) {
      step.from_mop = read_of(from, append.key(), before);
    } else if (!before.is_none() && graph_->writer(append.key(), before) == from) {
      step.from_mop = append_of(from, append.key(), before);
    }
    return step.from_mop < 0 ? std::nullopt : std::optional(step);
  }

  [[nodiscard]] std::int32_t append_of(TxnId txn, KeyId key, ValueId element) const {
    const std::span<const Op> ops = history_.ops(txn);
    const auto found = std::ranges::find(ops, Op(OpKind::kAppend, key, element));
    return found == ops.end() ? -1 : static_cast<std::int32_t>(found - ops.begin());
  }

  [[nodiscard]] std::int32_t read_of(TxnId txn, KeyId key, ValueId version) const {
    const std::span<const Op> ops = history_.ops(txn);
    const auto found = std::ranges::find_if(
        ops, [&](Op op) { return op.key() == key && graph_->version_shown(txn, op) == version; });
    return found == ops.end() ? -1 : static_cast<std::int32_t>(found - ops.begin());
  }

  std::shared_ptr<const ListGraph> graph_;
  const History& history_;
};

/// Explains those edges.
std::unique_ptr<Explainer> list_explainer(std::shared_ptr<const ListGraph> graph,
                                          const History& history) {
  return std::make_unique<ListExplainer>(std::move(graph), history);
}

std::optional<std::string> foreign_to_lists(const History& history) {
  std::optional<std::string> found;
  each_op(history, [&](Op op) {
    if (!found && op.kind() == OpKind::kRead && !op.value().is_nil()) {
      found = "expected a list or nil in every read, found " + history.text(op.value());
    }
    if (!found && !op.is_read() && op.kind() != OpKind::kAppend) {
      found = "unexpected-txn-micro-op-types: expected :append and :r only, found " +
              (op.kind() == OpKind::kOther ? history.text(op.value()) : std::string(":w"));
    }
  });
  return found;
}

std::optional<std::string> duplicate_append(const History& history, const Writes& writes) {
  for (const Write& write : writes.all()) {
    if (write.invocations > 1) {
      return "duplicate-appends: value " + history.text(write.value) + " appended to key " +
             history.key_text(write.key) + " multiple times";
    }
  }
  return std::nullopt;
}

/// Completed transactions that were not aborted.
std::vector<bool> possible_transactions(const History& history) {
  std::vector<bool> possible(history.txn_count());
  for (std::uint32_t t = 0; t < possible.size(); ++t) {
    possible[t] = history.has_completion({t}) && history.status({t}) != TxnStatus::kAborted;
  }
  return possible;
}

}  // namespace

Analysis analyze_lists(const History& history) {
  Analysis analysis;
  analysis.exception = foreign_to_lists(history);
  if (analysis.exception) {
    return analysis;
  }
  const auto graph = std::make_shared<const ListGraph>(history);
  const Writes& writes = graph->writes();
  analysis.exception = duplicate_append(history, writes);
  if (!analysis.exception) {
    analysis.exception = find_dirty_updates(history, writes, analysis.anomalies);
  }
  if (analysis.exception) {
    analysis.anomalies.clear();
    return analysis;
  }
  find_bad_list_reads(history, writes, analysis.anomalies);
  find_list_internal(history, analysis.anomalies);
  find_future_reads(history, analysis.anomalies);
  find_duplicate_elements(history, analysis.anomalies);
  find_incompatible_orders(history, analysis.anomalies);
  find_lost_updates(history, analysis.anomalies);
  graph->add_edges(analysis.graph);
  analysis.has_vertices = !analysis.graph.edges.empty() || !analysis.graph.bundles.empty();
  analysis.graph.believed = possible_transactions(history);
  analysis.explainer = list_explainer(graph, history);
  return analysis;
}

}  // namespace elapid::elle
