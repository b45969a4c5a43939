// The parts of a graph's drawing: the certain edges, and each case or lemma of the proof.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "adapter/report/exhibit.h"

namespace elapid {

/// A transaction, or a placeholder for several that do not fit.
struct GraphNode {
  std::size_t txn = 0;       ///< in Exhibit::txns
  std::size_t left_out = 0;  ///< if it is a placeholder: the number of its transactions
};

/// One or several edges of the exhibit with the same meaning.
struct GraphEdge {
  std::size_t from = 0;  ///< in GraphPart::nodes
  std::size_t to = 0;
  const ExhibitEdge* shown = nullptr;
  std::string anchors = {};  ///< of all these edges, with blanks between
};

struct GraphPart {
  std::string title = {};
  std::vector<GraphNode> nodes = {};
  std::vector<GraphEdge> edges = {};
};

inline constexpr std::size_t kMaxGraphNodes = 200;

/// The edges with a meaning of their own, without assumptions; `from` and `to` are in
/// Exhibit::txns. Refers to the exhibit.
[[nodiscard]] std::vector<GraphEdge> certain_edges(const Exhibit& exhibit);

/// At least one part if there is a transaction. Each transaction is in one part; those without
/// edges are in the first. Refers to the exhibit.
[[nodiscard]] std::vector<GraphPart> graph_parts(const Exhibit& exhibit);

}  // namespace elapid
