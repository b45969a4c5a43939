// The order in which Elle goes through a list-append history, and what it refuses.

#include "engine/elle/all_ops.h"
#include "engine/elle/analysis.h"
#include "engine/elle/list_anomalies.h"
#include "engine/elle/list_graph.h"
#include "engine/elle/lost_update.h"

namespace elapid::elle {

namespace {

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
