// What Elle makes of a history before it looks for cycles: anomalies of single operations, and the
// graph of dependencies. The rules are those of docs/elle-rules.md, with Elle's quirks
// (docs/elle.md). Nothing but --elle-compat uses this folder.
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

/// Finds the operations that force a dependency, as Elle does when it explains a cycle.
class Explainer {
 public:
  virtual ~Explainer() = default;
  /// The step for this relation (ww, wr or rw); nothing where Elle finds no reason, although the
  /// graph may have the edge.
  [[nodiscard]] virtual std::optional<Step> explain(TxnId from, TxnId to,
                                                    Relation relation) const = 0;
};

struct Analysis {
  /// What Elle throws: nothing else is then filled in.
  std::optional<std::string> exception = {};
  /// Anomalies that need no cycle.
  std::vector<Anomaly> anomalies = {};
  /// `edges`, `bundles` and `believed` (who may take part in cycles) alone. Edges from a
  /// transaction to itself are possible.
  Inference graph = {};
  /// Whether Elle's graph has a vertex; it has some that lost their edges.
  bool has_vertices = false;
  std::unique_ptr<Explainer> explainer = {};
  /// The relations in the order in which they are tried as the explanation of an edge.
  std::array<Relation, 3> priority = {Relation::kWw, Relation::kWr, Relation::kRw};
  /// Dependencies of predicates count. An edge has then the first explanation that there is,
  /// whatever the graph says of it.
  bool has_predicates = false;
};

/// Of a list-append history. `history` must outlive the result. Near linear in operations, elements
/// and edges.
[[nodiscard]] Analysis analyze_lists(const History& history);

/// Of an rw-register history. `history` must outlive the result. Near linear in operations,
/// versions and edges, but for what linearizable keys need (realtime_links.h).
[[nodiscard]] Analysis analyze_registers(const History& history, const Assumptions& assumptions);

/// Of a history of rows that are single values (Elle's closed-predicate). `history` must outlive
/// the result. O(predicate reads x versions), as Elle.
[[nodiscard]] Analysis analyze_rows(const History& history);

}  // namespace elapid::elle
