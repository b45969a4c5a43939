#include "adapter/report/views/graph_parts.h"

#include <algorithm>

namespace elapid {
namespace {

/// An edge between transactions, which becomes one between nodes.
using Edges = std::vector<GraphEdge>;

bool says_the_same(const ExhibitEdge& a, const ExhibitEdge& b) {
  return a.from == b.from && a.to == b.to && a.from_op == b.from_op && a.to_op == b.to_op &&
         a.relation == b.relation && a.key == b.key && a.by_timestamps == b.by_timestamps;
}

Edges::iterator find_same(Edges& edges, const ExhibitEdge& edge) {
  return std::ranges::find_if(
      edges, [&](const GraphEdge& known) { return says_the_same(*known.shown, edge); });
}

void add(Edges& edges, const ExhibitEdge& edge) {
  if (const auto known = find_same(edges, edge); known != edges.end()) {
    known->anchors += " " + edge.anchor;
  } else {
    edges.push_back({.from = edge.from, .to = edge.to, .shown = &edge, .anchors = edge.anchor});
  }
}

/// Whether certain edges, without assumptions, already say what these edges say.
bool is_known(Edges& certain, const std::vector<const ExhibitEdge*>& edges) {
  return std::ranges::all_of(edges, [&](const ExhibitEdge* edge) {
    return !edge->is_assumed && find_same(certain, *edge) != certain.end();
  });
}

/// Adds the nodes of a part.
void add_nodes(GraphPart& part, const std::vector<std::size_t>& txns) {
  constexpr std::size_t kAtEnd = kMaxGraphNodes / 2;
  const bool is_whole = txns.size() <= kMaxGraphNodes;
  const std::size_t gap_begin = is_whole ? txns.size() : kMaxGraphNodes - 1 - kAtEnd;
  const std::size_t gap_end = is_whole ? txns.size() : txns.size() - kAtEnd;
  std::vector<std::size_t> node_of(1 + *std::ranges::max_element(txns));
  for (std::size_t i = 0; i < txns.size(); ++i) {
    if (i < gap_begin || i >= gap_end) {
      part.nodes.push_back({.txn = txns[i]});
    } else if (i == gap_begin) {
      part.nodes.push_back({.left_out = gap_end - gap_begin});
    }
    node_of[txns[i]] = part.nodes.size() - 1;
  }
  for (GraphEdge& edge : part.edges) {
    edge.from = node_of[edge.from];
    edge.to = node_of[edge.to];
  }
  std::erase_if(part.edges, [&](const GraphEdge& edge) {
    return edge.from == edge.to && part.nodes[edge.from].left_out > 0;
  });
}

std::vector<std::size_t> ends_of(const Edges& edges) {
  std::vector<std::size_t> txns;
  const auto mention = [&](std::size_t txn) {
    if (std::ranges::find(txns, txn) == txns.end()) {
      txns.push_back(txn);
    }
  };
  for (const GraphEdge& edge : edges) {
    mention(edge.from);
    mention(edge.to);
  }
  std::ranges::sort(txns);
  return txns;
}

}  // namespace

std::vector<GraphEdge> certain_edges(const Exhibit& exhibit) {
  Edges edges;
  for (const ExhibitEdge& edge : exhibit.edges) {
    if (!edge.is_assumed) {
      add(edges, edge);
    }
  }
  return edges;
}

std::vector<GraphPart> graph_parts(const Exhibit& exhibit) {
  std::vector<std::vector<const ExhibitEdge*>> groups(
      std::max<std::size_t>(exhibit.groups.size(), 1));
  for (const ExhibitEdge& edge : exhibit.edges) {
    groups[edge.group].push_back(&edge);
  }
  std::vector<GraphPart> parts;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].empty()) {
      continue;
    }
    const bool adds_nothing = !parts.empty() && is_known(parts.front().edges, groups[g]);
    if (!adds_nothing) {
      parts.push_back({.title = g < exhibit.groups.size() ? exhibit.groups[g].title : ""});
    }
    for (const ExhibitEdge* edge : groups[g]) {
      add(adds_nothing ? parts.front().edges : parts.back().edges, *edge);
    }
  }
  if (parts.empty()) {
    parts.push_back({});
  } else if (parts.size() > 1 && parts.front().title.empty()) {
    const bool is_proof = std::ranges::any_of(exhibit.groups, [](const ExhibitGroup& group) {
      return !group.title.empty() && !group.is_follower;
    });
    parts.front().title = is_proof ? "Conclusion:" : exhibit.name + ":";
  }
  std::vector<bool> is_shown(exhibit.txns.size());
  std::vector<std::vector<std::size_t>> txns;
  for (const GraphPart& part : parts) {
    txns.push_back(ends_of(part.edges));
    for (const std::size_t txn : txns.back()) {
      is_shown[txn] = true;
    }
  }
  for (std::size_t t = 0; t < exhibit.txns.size(); ++t) {
    if (!is_shown[t]) {
      txns.front().push_back(t);
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!txns[i].empty()) {
      add_nodes(parts[i], txns[i]);
    }
  }
  return parts;
}

}  // namespace elapid
