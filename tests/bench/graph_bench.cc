// Graph algorithms on random graphs of four edges a vertex: nearly all of one is a giant component.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "engine/graph/digraph.h"
#include "engine/graph/scc.h"

namespace elapid {
namespace {

constexpr EdgeLabel kLabel = 1;

std::vector<LabelledEdge> random_edges(std::uint32_t vertices) {
  std::mt19937 random;
  std::vector<LabelledEdge> edges(std::size_t{vertices} * 4);
  for (LabelledEdge& edge : edges) {
    edge = {.from = static_cast<std::uint32_t>(random() % vertices),
            .to = static_cast<std::uint32_t>(random() % vertices),
            .label = kLabel};
  }
  return edges;
}

void build_digraph(benchmark::State& state) {
  const auto vertices = static_cast<std::uint32_t>(state.range(0));
  const std::vector<LabelledEdge> edges = random_edges(vertices);
  for (auto _ : state) {
    benchmark::DoNotOptimize(Digraph(vertices, edges).edge_count());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(edges.size()));
}

void find_components(benchmark::State& state) {
  const auto vertices = static_cast<std::uint32_t>(state.range(0));
  const Digraph graph(vertices, random_edges(vertices));
  for (auto _ : state) {
    benchmark::DoNotOptimize(strong_components(vertices, MaskedSuccessors(graph, kLabel)).count);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(graph.edge_count()));
}

BENCHMARK(build_digraph)->RangeMultiplier(10)->Range(1'000, 1'000'000);
BENCHMARK(find_components)->RangeMultiplier(10)->Range(1'000, 1'000'000);

}  // namespace
}  // namespace elapid
