#include "engine/graph/digraph.h"

#include <algorithm>
#include <numeric>

namespace elapid {

namespace {

struct Target {
  std::uint32_t to;
  EdgeLabel label;
};

/// Sorts a row by target and merges the labels of equal targets; returns the new end.
std::vector<Target>::iterator merge_row(std::vector<Target>::iterator first,
                                        std::vector<Target>::iterator last) {
  std::sort(first, last, [](const Target& a, const Target& b) { return a.to < b.to; });
  auto out = first;
  for (auto in = first; in != last; ++in) {
    if (out != first && std::prev(out)->to == in->to) {
      std::prev(out)->label |= in->label;
    } else {
      *out++ = *in;
    }
  }
  return out;
}

}  // namespace

Digraph::Digraph(std::size_t vertex_count, std::span<const LabelledEdge> edges) {
  std::vector<std::uint32_t> rows(vertex_count + 1, 0);
  for (const LabelledEdge& edge : edges) {
    ++rows[edge.from + 1];
  }
  std::partial_sum(rows.begin(), rows.end(), rows.begin());
  std::vector<Target> sorted(edges.size());
  std::vector<std::uint32_t> next(rows.begin(), rows.end() - 1);
  for (const LabelledEdge& edge : edges) {
    sorted[next[edge.from]++] = {edge.to, edge.label};
  }
  begin_.assign(1, 0);
  begin_.reserve(vertex_count + 1);
  targets_.reserve(edges.size());
  labels_.reserve(edges.size());
  for (std::size_t v = 0; v < vertex_count; ++v) {
    const auto first = sorted.begin() + rows[v];
    const auto last = merge_row(first, sorted.begin() + rows[v + 1]);
    for (auto edge = first; edge != last; ++edge) {
      targets_.push_back(edge->to);
      labels_.push_back(edge->label);
    }
    begin_.push_back(static_cast<std::uint32_t>(targets_.size()));
  }
}

EdgeLabel Digraph::label_between(std::uint32_t from, std::uint32_t to) const {
  const auto first = targets_.begin() + begin_[from];
  const auto last = targets_.begin() + begin_[from + 1];
  const auto found = std::lower_bound(first, last, to);
  return found != last && *found == to ? labels_[static_cast<std::size_t>(found - targets_.begin())]
                                       : EdgeLabel{0};
}

}  // namespace elapid
