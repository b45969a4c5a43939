// The sources of Elle's orders between versions of registers, one function for each source.
#pragma once

#include <vector>

#include "engine/elle/key_links.h"
#include "engine/elle/register_versions.h"
#include "engine/graph/digraph.h"
#include "engine/verdict/verdict.h"

namespace elapid::elle {

/// Edges between numbers of versions; repetitions are possible.
using VersionEdges = std::vector<LabelledEdge>;

class VersionSources {
 public:
  /// All arguments are borrowed.
  VersionSources(const History& history, const RegisterVersions& versions,
                 const Assumptions& assumptions)
      : history_(history), versions_(versions), assumptions_(assumptions) {}

  [[nodiscard]] VersionEdges edges(VersionSource source) const;

  /// Edges from nil that Elle adds for sessions or real time as a source: to versions directly
  /// after a transaction that does not touch the key. They add nothing to the initial state, but
  /// are in the graph when it is united with others.
  [[nodiscard]] VersionEdges edges_from_untouched(VersionSource source) const;

 private:
  [[nodiscard]] VersionEdges initial_state() const;
  [[nodiscard]] VersionEdges transaction_order() const;
  [[nodiscard]] VersionEdges writes_follow_reads() const;
  [[nodiscard]] VersionEdges sequential_keys() const;
  [[nodiscard]] VersionEdges linearizable_keys() const;
  void link(const KeyTouch& earlier, const KeyTouch& later, VersionEdges& edges) const;
  [[nodiscard]] ValueId met(TxnId txn, const RegisterOp& op) const;
  [[nodiscard]] ValueId first_true(ValueId value, ValueId otherwise) const;

  const History& history_;
  const RegisterVersions& versions_;
  const Assumptions& assumptions_;
};

}  // namespace elapid::elle
