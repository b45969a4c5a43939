// What inference hands to the search for cycles: edges that are certain, anomalies that need no
// cycle, and the reasons.
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

/// Finds the operations that force an item dependency, when evidence needs them.
class EdgeExplainer {
 public:
  virtual ~EdgeExplainer() = default;
  /// The step for an edge that inference made with this relation (ww, wr or rw).
  [[nodiscard]] virtual Step explain(TxnId from, TxnId to, Relation relation) const = 0;
};

/// Anti-dependencies from every reader to every other writer, kept as two lists where their product
/// would be large: all read one version of a key, and all writers install versions after it.
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
  /// By transaction: whether it took part in the database's history. Committed ones did;
  /// indeterminate ones if a write of theirs was observed.
  std::vector<bool> believed;
  /// Set where Elle would have thrown.
  std::optional<std::string> elle_error;
  /// Whether the error is about operations of another workload. Then no engine can say more.
  bool has_foreign_operations = false;
  /// Empty where operations are of another workload, or where the inference was told to stop before
  /// it had all anomalies and edges.
  std::unique_ptr<EdgeExplainer> explainer;
  /// Whether an edge that is both is explained as wr rather than as ww, as Elle does for registers.
  bool wr_before_ww = false;
  /// Whether every version of every key has its place in the version order, so that an acyclic
  /// graph proves a level and not only fails to refute it.
  bool version_orders_total = false;
  /// The same, except for elements that no read shows. They come after the elements of their key
  /// that are shown. Where transactions are one event, every order of those elements that agrees
  /// with an acyclic graph explains the history.
  bool version_orders_serial = false;
  /// Whether an acyclic graph of writes alone proves the levels of writes alone. Of lists it does
  /// where reads contradict one another, too: at read uncommitted reads may show anything, and the
  /// longest one tells the order.
  bool tells_write_orders = false;
  /// Keys on account of which one of the two is false, one for each reason that there is. A history
  /// of lists is inferred key by key, so these are all that a part of it needs to be as open as the
  /// whole (parsers/partitions).
  std::vector<KeyId> open_keys = {};
};

/// Adds all pairs of a bundle as edges if they are few, else the bundle.
void add_bundle(RwBundle bundle, Inference& inference);

}  // namespace elapid
