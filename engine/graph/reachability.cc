#include "engine/graph/reachability.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "engine/graph/scc.h"

namespace elapid {

namespace {

constexpr std::size_t kWordsARow = 8;
constexpr std::size_t kSourcesAPass = kWordsARow * 64;

using Bits = std::array<std::uint64_t, kWordsARow>;

class Propagation {
 public:
  Propagation(const Digraph& graph, EdgeLabel mask)
      : graph_(graph),
        mask_(mask),
        components_(strong_components(graph.vertex_count(), MaskedSuccessors(graph, mask))),
        order_(graph.vertex_count()) {
    // Edges lead to components with lower numbers, so this is a topological order.
    std::iota(order_.begin(), order_.end(), 0U);
    std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return components_.of[a] > components_.of[b];
    });
  }

  /// Answers the pairs `which` points to, all with sources among the same kSourcesAPass components.
  void answer(std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs,
              std::span<const std::size_t> which, std::vector<bool>& answers) {
    bits_.assign(components_.count, Bits{});
    std::vector<std::uint32_t> bit_of(which.size());
    std::uint32_t bits_used = 0;
    for (std::size_t i = 0; i < which.size(); ++i) {
      const bool same =
          i > 0 && component(pairs[which[i]].first) == component(pairs[which[i - 1]].first);
      bit_of[i] = same ? bit_of[i - 1] : bits_used++;
      bits_[component(pairs[which[i]].first)][bit_of[i] / 64] |= std::uint64_t{1}
                                                                 << (bit_of[i] % 64);
    }
    propagate();
    for (std::size_t i = 0; i < which.size(); ++i) {
      const Bits& at_target = bits_[component(pairs[which[i]].second)];
      answers[which[i]] = ((at_target[bit_of[i] / 64] >> (bit_of[i] % 64)) & 1U) != 0;
    }
  }

  [[nodiscard]] std::uint32_t component(std::uint32_t vertex) const {
    return components_.of[vertex];
  }

 private:
  void propagate() {
    for (const std::uint32_t v : order_) {
      const Bits from = bits_[component(v)];
      for (std::uint32_t e = graph_.row_begin(v); e < graph_.row_end(v); ++e) {
        if ((graph_.label(e) & mask_) == 0) {
          continue;
        }
        Bits& to = bits_[component(graph_.target(e))];
        for (std::size_t w = 0; w < kWordsARow; ++w) {
          to[w] |= from[w];
        }
      }
    }
  }

  const Digraph& graph_;
  EdgeLabel mask_;
  Components components_;
  std::vector<std::uint32_t> order_;
  std::vector<Bits> bits_;
};

}  // namespace

std::vector<bool> reachable(const Digraph& graph, EdgeLabel mask,
                            std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs,
                            SearchBudget& budget) {
  std::vector<bool> answers(pairs.size(), false);
  Propagation propagation(graph, mask);
  std::vector<std::size_t> by_source(pairs.size());
  std::iota(by_source.begin(), by_source.end(), std::size_t{0});
  std::stable_sort(by_source.begin(), by_source.end(), [&](std::size_t a, std::size_t b) {
    return propagation.component(pairs[a].first) < propagation.component(pairs[b].first);
  });
  const std::uint64_t cost = graph.edge_count() + graph.vertex_count();
  for (std::size_t begin = 0; begin < by_source.size();) {
    if (!budget.spend(cost)) {
      break;
    }
    std::size_t sources = 0;
    std::size_t end = begin;
    for (; end < by_source.size(); ++end) {
      const bool new_source =
          end == begin || propagation.component(pairs[by_source[end]].first) !=
                              propagation.component(pairs[by_source[end - 1]].first);
      if (new_source && ++sources > kSourcesAPass) {
        break;
      }
    }
    propagation.answer(pairs, std::span(by_source).subspan(begin, end - begin), answers);
    begin = end;
  }
  return answers;
}

}  // namespace elapid
