#include "engine/graph/scc.h"

namespace elapid {

std::vector<std::vector<std::uint32_t>> Components::groups(std::size_t least) const {
  constexpr std::uint32_t kSmall = 0xffffffffU;
  std::vector<std::uint32_t> sizes(count, 0);
  for (const std::uint32_t component : of) {
    ++sizes[component];
  }
  std::vector<std::uint32_t> group_of(count, kSmall);
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::uint32_t v = 0; v < of.size(); ++v) {
    const std::uint32_t component = of[v];
    if (sizes[component] < least) {
      continue;
    }
    if (group_of[component] == kSmall) {
      group_of[component] = static_cast<std::uint32_t>(groups.size());
      groups.emplace_back().reserve(sizes[component]);
    }
    groups[group_of[component]].push_back(v);
  }
  return groups;
}

}  // namespace elapid
