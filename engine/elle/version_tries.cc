#include "engine/elle/version_tries.h"

#include <map>

namespace elapid::elle {

VersionTrie::VersionTrie(const std::vector<std::uint32_t>& hashes) : hashes_(hashes) {
  successors_.reset(hashes_);
  maps_.reset(entry_hashes_, this);
}

std::uint32_t VersionTrie::make_entry(std::uint32_t version, SetId successors) {
  const auto entry = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({version, successors});
  entry_hashes_.push_back(hashes_[version]);
  return entry;
}

std::uint32_t VersionTrie::merge(std::uint32_t left, std::uint32_t right) {
  return make_entry(entries_[left].version,
                    successors_.unite(entries_[left].successors, entries_[right].successors));
}

/// A graph as it is before any union. No other graph may change its nodes.
VersionTrie::SetId VersionTrie::build(std::span<const Edge> source) {
  std::map<std::uint32_t, SetId> successors;
  for (const auto& [from, to] : source) {
    SetId& of_from = successors.try_emplace(from, SharedTries::empty()).first->second;
    of_from = successors_.add(of_from, to, SharedTries::kFirstOwner);
    successors.try_emplace(to, SharedTries::empty());
  }
  SetId graph = SharedTries::empty();
  for (const auto& [version, set] : successors) {
    graph = maps_.add(graph, make_entry(version, set), SharedTries::kFirstOwner);
  }
  return graph;
}

void VersionTrie::unite(std::span<const Edge> source, bool is_dropped) {
  if (source.empty()) {
    return;
  }
  const SetId added = build(source);
  const SetId united = graph_.is_none() ? added : maps_.unite(graph_, added);
  if (!is_dropped) {
    graph_ = united;
  }
}

std::vector<VersionTrie::Edge> VersionTrie::edges() const {
  std::vector<Edge> all;
  if (!graph_.is_none()) {
    maps_.each(graph_, [&](std::uint32_t entry) {
      successors_.each(entries_[entry].successors,
                       [&](std::uint32_t to) { all.emplace_back(entries_[entry].version, to); });
    });
  }
  return all;
}

}  // namespace elapid::elle
