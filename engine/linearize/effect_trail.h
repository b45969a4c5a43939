// The effects that led to each configuration of a sweep: a tree that grows at its leaves.
//
//   write 1 <- write 2 <- cas 2 3      one configuration
//           <- write 4                 another
//
// Branches that lead to no configuration are dropped from time to time, so memory is about 12 bytes
// for each effect of the order found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace elapid::linearize {

/// An operation took effect just before the event at `time`.
struct Effect {
  std::uint32_t operation = 0;
  std::uint32_t time = 0;
};

class EffectTrail {
 public:
  /// The end of the empty trail, of the first configuration.
  static constexpr std::uint32_t kStart = 0xffffffffU;

  std::uint32_t after(std::uint32_t parent, Effect effect) {
    nodes_.push_back({parent, effect});
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  /// The effects that lead to `end`, in order.
  [[nodiscard]] std::vector<Effect> to(std::uint32_t end) const {
    std::vector<Effect> effects;
    for (; end != kStart; end = nodes_[end].parent) {
      effects.push_back(nodes_[end].effect);
    }
    std::ranges::reverse(effects);
    return effects;
  }

  /// Whether it is time to drop branches.
  [[nodiscard]] bool is_long() const { return nodes_.size() > 2 * kept_ + kSlack; }

  /// Keeps only the trails to `ends`, and renumbers them. O(nodes).
  void drop_others(const std::vector<std::uint32_t*>& ends) {
    std::vector<std::uint32_t> renamed(nodes_.size(), kStart);
    for (const std::uint32_t* end : ends) {
      for (std::uint32_t node = *end; node != kStart && renamed[node] == kStart;
           node = nodes_[node].parent) {
        renamed[node] = 0;
      }
    }
    std::uint32_t kept = 0;
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
      if (renamed[node] != kStart) {
        const std::uint32_t parent = nodes_[node].parent;
        nodes_[kept] = {parent == kStart ? kStart : renamed[parent], nodes_[node].effect};
        renamed[node] = kept++;
      }
    }
    nodes_.resize(kept);
    kept_ = kept;
    for (std::uint32_t* end : ends) {
      *end = *end == kStart ? kStart : renamed[*end];
    }
  }

 private:
  static constexpr std::size_t kSlack = 1 << 16;

  struct Node {
    std::uint32_t parent;
    Effect effect;
  };

  std::vector<Node> nodes_;
  std::size_t kept_ = 0;
};

}  // namespace elapid::linearize
