// The parts in which a graph is drawn: the certain edges, and each case or lemma of the proof.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "adapter/report/exhibit.h"

namespace elapid {

/// A transaction, or several that there is no room for.
struct GraphNode {
  std::size_t txn = 0;       ///< in Exhibit::txns
  std::size_t left_out = 0;  ///< instead: how many it stands for
};

/// One or several edges of the exhibit that say the same.
struct GraphEdge {
  std::size_t from = 0;  ///< in GraphPart::nodes
  std::size_t to = 0;
  const ExhibitEdge* shown = nullptr;
  std::string anchors = {};  ///< of all of them, with blanks between
};

struct GraphPart {
  std::string title = {};
  std::vector<GraphNode> nodes = {};
  std::vector<GraphEdge> edges = {};
};

inline constexpr std::size_t kMaxGraphNodes = 200;

/// The edges that say something of their own, assumptions left out; `from` and `to` are in
/// Exhibit::txns. Refers to the exhibit.
[[nodiscard]] std::vector<GraphEdge> certain_edges(const Exhibit& exhibit);

/// At least one part if there is a transaction. Each transaction is in one; those without edges in
/// the first. Refers to the exhibit.
[[nodiscard]] std::vector<GraphPart> graph_parts(const Exhibit& exhibit);

}  // namespace elapid
