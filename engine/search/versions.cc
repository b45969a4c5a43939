#include "engine/search/versions.h"

#include <span>

namespace elapid::search {

Versions::Versions(const History& history) : history_(history), trunks_(history.key_count()) {
  for (std::uint32_t k = 0; k < history.key_count(); ++k) {
    versions_.push_back({{k}, kNone, ValueId::none()});
    trunks_[k].push_back(k);
  }
}

Index Versions::child(Index version, ValueId element) const {
  const auto found = children_.find(name(version, element));
  return found == children_.end() ? kNone : found->second;
}

Index Versions::add_child(Index version, ValueId element) {
  const auto [at, is_new] = children_.try_emplace(name(version, element), count());
  if (is_new) {
    versions_.push_back({versions_[version].key, version, element});
  }
  return at->second;
}

Index Versions::add_list(Op read, std::uint32_t length) {
  const std::span<const ValueId> elements = history_.elements(read);
  if (!read.list().is_prefix()) {
    Index version = root(read.key());
    for (const ValueId element : elements.first(length)) {
      version = add_child(version, element);
    }
    return version;
  }
  std::vector<Index>& trunk = trunks_[read.key().index()];
  while (trunk.size() <= length) {
    trunk.push_back(add_child(trunk.back(), elements[trunk.size() - 1]));
  }
  return trunk[length];
}

}  // namespace elapid::search
