// The results of inference for the search for cycles: certain edges, anomalies without a cycle, and
// the reasons.
//
// Example: T1 appends 1 to x, T2 reads x = [1]. T2 can only have seen T1's append, so T1 -wr-> T2
// is certain. If T3 reads x = [], T3 -rw-> T1 is certain too: T3 did not see what T1 wrote.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/graph/digraph.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Finds the operations that force an item dependency, for evidence.
class EdgeExplainer {
 public:
  virtual ~EdgeExplainer() = default;
  /// The step for an edge that inference made with this relation (ww, wr or rw).
  [[nodiscard]] virtual Step explain(TxnId from, TxnId to, Relation relation) const = 0;
};

/// Anti-dependencies from every reader to every other writer, stored as two lists because their
/// product is large: all read one version of a key, and all writers install versions after it.
struct RwBundle {
  std::vector<TxnId> readers;
  std::vector<TxnId> writers;
};

struct Inference {
  /// Anomalies found without a cycle, in history order within a type.
  std::vector<Anomaly> anomalies;
  /// ww, wr and rw edges between believed transactions; never a self loop; duplicates possible.
  std::vector<LabelledEdge> edges;
  std::vector<RwBundle> bundles;
  /// By transaction: whether it took part in the database's history. Committed transactions did;
  /// indeterminate ones did if a read shows one of their writes.
  std::vector<bool> believed;
  /// The exception that Elle would throw, if it would.
  std::optional<std::string> elle_error;
  /// Whether the error is about operations of another workload. Then no engine can decide more.
  bool has_foreign_operations = false;
  /// Empty if operations are of another workload, or if the inference was stopped before it had all
  /// anomalies and edges.
  std::unique_ptr<EdgeExplainer> explainer;
  /// Whether every version of every key has its place in the version order. Then an acyclic graph
  /// proves a level; otherwise it only fails to refute the level.
  bool version_orders_total = false;
  /// The same, except for elements that no read shows. These come after the shown elements of their
  /// key. If transactions are one event, every order of these elements that agrees with an acyclic
  /// graph explains the history.
  bool version_orders_serial = false;
  /// Whether an acyclic graph of writes proves the levels that concern only writes. For lists it
  /// does even if reads contradict one another: at read uncommitted reads may show anything, and
  /// the longest one shows the order.
  bool tells_write_orders = false;
  /// Keys because of which one of the two is false, one for each reason. Lists are inferred key
  /// by key, so a part of the history with these keys is as open as the whole
  /// (parsers/partitions).
  std::vector<KeyId> open_keys = {};

  /// A key of which several longest lists differ. If nothing else keeps tells_write_orders false,
  /// one of these lists tells the order of its writers (tied_orders.h).
  struct Tied {
    std::vector<std::vector<TxnId>> orders;  ///< believed writers, as each list shows them
    std::vector<TxnId> behind;               ///< of elements that no read shows
  };

  std::vector<Tied> tied = {};
};

/// Adds a bundle, or all its pairs as edges if they are few.
void add_bundle(RwBundle bundle, Inference& inference);

}  // namespace elapid
