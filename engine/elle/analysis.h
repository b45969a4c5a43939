// Elle's analysis of a history before its search for cycles: anomalies of single operations, and
// the graph of dependencies. The rules are those of docs/elle-rules.md, with Elle's quirks
// (docs/elle.md). Only --elle-compat uses this folder.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/infer/inference.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid::elle {

/// Finds the operations that force a dependency, as Elle explains the edges of a cycle.
class Explainer {
 public:
  virtual ~Explainer() = default;
  /// The step for this relation (ww, wr or rw); nothing if Elle finds no reason. The graph may have
  /// the edge even so.
  [[nodiscard]] virtual std::optional<Step> explain(TxnId from, TxnId to,
                                                    Relation relation) const = 0;
};

struct Analysis {
  /// The exception that Elle throws: then nothing else is filled in.
  std::optional<std::string> exception = {};
  /// Anomalies that need no cycle.
  std::vector<Anomaly> anomalies = {};
  /// Only `edges`, `bundles` and `believed` (the transactions that cycles may contain). Edges from
  /// a transaction to itself are possible.
  Inference graph = {};
  /// Whether Elle's graph has a vertex, also one that lost its edges.
  bool has_vertices = false;
  std::unique_ptr<Explainer> explainer = {};
  /// The order in which relations are tried as the explanation of an edge.
  std::array<Relation, 3> priority = {Relation::kWw, Relation::kWr, Relation::kRw};
  /// Whether dependencies of predicates count. If so, an edge has its first possible explanation,
  /// even if the graph has another relation for it.
  bool has_predicates = false;
};

/// Analyses a list-append history. `history` must outlive the result. Near linear in operations,
/// elements and edges.
[[nodiscard]] Analysis analyze_lists(const History& history);

/// Analyses an rw-register history. `history` must outlive the result. Near linear in operations,
/// versions and edges, except for linearizable keys (key_links.h).
[[nodiscard]] Analysis analyze_registers(const History& history, const Assumptions& assumptions);

/// Analyses a history of rows that are single values (Elle's closed-predicate). `history` must
/// outlive the result. O(predicate reads x versions), as Elle.
[[nodiscard]] Analysis analyze_rows(const History& history);

}  // namespace elapid::elle
