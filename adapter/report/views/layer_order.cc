#include "adapter/report/views/layer_order.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace elapid {
namespace {

constexpr int kPasses = 12;
constexpr std::size_t kFewEdges = 128;  // more are ordered by medians alone

class LayerOrder {
 public:
  LayerOrder(Layers layers, const std::vector<LayerEdge>& edges) : layers_(std::move(layers)) {
    std::size_t items = 0;
    for (const auto& layer : layers_) {
      items += layer.size();
    }
    layer_of_.resize(items);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      for (const std::size_t item : layers_[l]) {
        layer_of_[item] = l;
      }
    }
    between_.resize(layers_.size());
    for (const LayerEdge& edge : edges) {
      between_[layer_of_[edge.from]].push_back(edge);
    }
    number_all();
  }

  [[nodiscard]] std::size_t crossings() const {
    std::size_t count = 0;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      count += crossings_after(l);
    }
    return count;
  }

  Layers improve() {
    Layers best = layers_;
    std::size_t fewest = crossings();
    for (int pass = 0; pass < kPasses && fewest > 0; ++pass) {
      order_by_medians(pass % 2 == 0);
      exchange_neighbours();
      if (const std::size_t count = crossings(); count < fewest) {
        fewest = count;
        best = layers_;
      }
    }
    return best;
  }

 private:
  [[nodiscard]] double from(const LayerEdge& edge) const {
    return static_cast<double>(place_[edge.from]) + edge.from_height;
  }

  [[nodiscard]] double to(const LayerEdge& edge) const {
    return static_cast<double>(place_[edge.to]) + edge.to_height;
  }

  /// The crossings between a layer and the next one.
  [[nodiscard]] std::size_t crossings_after(std::size_t layer) const {
    const std::vector<LayerEdge>& edges = between_[layer];
    std::size_t count = 0;
    for (std::size_t a = 0; a < edges.size(); ++a) {
      for (std::size_t b = a + 1; b < edges.size(); ++b) {
        count += (from(edges[a]) - from(edges[b])) * (to(edges[a]) - to(edges[b])) < 0 ? 1U : 0U;
      }
    }
    return count;
  }

  void number_all() {
    place_.resize(layer_of_.size());
    for (const auto& layer : layers_) {
      number(layer);
    }
  }

  void number(const std::vector<std::size_t>& layer) {
    for (std::size_t i = 0; i < layer.size(); ++i) {
      place_[layer[i]] = i;
    }
  }

  void order_by_medians(bool is_forward) {
    for (std::size_t i = 1; i < layers_.size(); ++i) {
      const std::size_t l = is_forward ? i : layers_.size() - 1 - i;
      std::vector<std::size_t>& layer = layers_[l];
      std::vector<std::pair<double, std::size_t>> keys;
      for (const std::size_t item : layer) {
        const std::optional<double> median = median_of(item, is_forward);
        keys.emplace_back(median.value_or(static_cast<double>(place_[item])), item);
      }
      std::ranges::stable_sort(keys, {}, &std::pair<double, std::size_t>::first);
      std::ranges::transform(keys, layer.begin(), &std::pair<double, std::size_t>::second);
      number(layer);
    }
  }

  /// The median place, in the layer before (or after), of the items that edges join to this one.
  [[nodiscard]] std::optional<double> median_of(std::size_t item, bool of_before) const {
    std::vector<double> places;
    if (of_before) {
      for (const LayerEdge& edge : between_[layer_of_[item] - 1]) {
        if (edge.to == item) {
          places.push_back(from(edge));
        }
      }
    } else {
      for (const LayerEdge& edge : between_[layer_of_[item]]) {
        if (edge.from == item) {
          places.push_back(to(edge));
        }
      }
    }
    if (places.empty()) {
      return std::nullopt;
    }
    std::ranges::sort(places);
    const std::size_t middle = places.size() / 2;
    return places.size() % 2 == 1 ? places[middle] : (places[middle - 1] + places[middle]) / 2;
  }

  void exchange_neighbours() {
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const auto around = [&] { return crossings_after(l) + (l > 0 ? crossings_after(l - 1) : 0); };
      const bool is_small = between_[l].size() + (l > 0 ? between_[l - 1].size() : 0) <= kFewEdges;
      for (std::size_t i = 1; is_small && i < layers_[l].size(); ++i) {
        const std::size_t before = around();
        exchange(l, i);
        if (around() >= before) {
          exchange(l, i);
        }
      }
    }
  }

  void exchange(std::size_t layer, std::size_t i) {
    std::swap(layers_[layer][i - 1], layers_[layer][i]);
    number(layers_[layer]);
  }

  Layers layers_;
  std::vector<std::size_t> layer_of_ = {};            // by item
  std::vector<std::size_t> place_ = {};               // also by item
  std::vector<std::vector<LayerEdge>> between_ = {};  // by the layer where they begin
};

}  // namespace

std::size_t crossings(const Layers& layers, const std::vector<LayerEdge>& edges) {
  return LayerOrder(layers, edges).crossings();
}

Layers with_few_crossings(Layers layers, const std::vector<LayerEdge>& edges) {
  return LayerOrder(std::move(layers), edges).improve();
}

}  // namespace elapid
