#include <algorithm>
#include <vector>

#include "engine/certify/anomalies/evidence.h"

namespace elapid::certify {

namespace {

/// Whether `follows(i, j)` leads from the first of `count` things to all others, over any number of
/// links.
template <class Follows>
bool reaches_all(std::size_t count, Follows follows) {
  std::vector<std::size_t> unreached(count - 1);
  for (std::size_t i = 0; i < unreached.size(); ++i) {
    unreached[i] = i + 1;
  }
  std::vector<std::size_t> pending = {0};
  while (!pending.empty() && !unreached.empty()) {
    const std::size_t current = pending.back();
    pending.pop_back();
    const auto reached = std::ranges::partition(
        unreached, [&](std::size_t other) { return !follows(current, other); });
    pending.insert(pending.end(), reached.begin(), reached.end());
    unreached.erase(reached.begin(), reached.end());
  }
  return unreached.empty();
}

}  // namespace

/// The versions are one component if the first leads to all and all lead to the first.
Flaw check(const Index& index, AnomalyType type, const CyclicVersionsEvidence& evidence) {
  if (type != AnomalyType::kCyclicVersions) {
    return "a cycle of versions is no evidence of " + std::string(name(type));
  }
  if (index.list_append() || !index.has(evidence.key)) {
    return "the key named is no register";
  }
  const RegisterVersions& registers = index.registers();
  if (!std::ranges::all_of(evidence.sources,
                           [&](VersionSource source) { return registers.is_assumed(source); })) {
    return "the order of versions rests on an assumption that was not made";
  }
  const std::vector<ValueId>& versions = evidence.versions;
  if (versions.size() < 2) {
    return "a cycle of versions needs two of them";
  }
  const auto precedes = [&](std::size_t a, std::size_t b) {
    return std::ranges::any_of(evidence.sources, [&](VersionSource source) {
      return registers.precedes(evidence.key, versions[a], versions[b], source);
    });
  };
  if (!reaches_all(versions.size(), precedes) ||
      !reaches_all(versions.size(), [&](std::size_t a, std::size_t b) { return precedes(b, a); })) {
    return "the versions of key " + index.history().shown_key(evidence.key) +
           " do not all precede one another";
  }
  return {};
}

}  // namespace elapid::certify
