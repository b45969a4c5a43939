#include "engine/graph/champ_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace elapid {

namespace {

constexpr unsigned kBitsPerLevel = 5;
constexpr unsigned kHashBits = 32;

std::uint32_t mix_k1(std::uint32_t k1) {
  return std::rotl(k1 * 0xcc9e2d51U, 15) * 0x1b873593U;
}

std::uint32_t mix_h1(std::uint32_t h1, std::uint32_t k1) {
  return std::rotl(h1 ^ k1, 13) * 5U + 0xe6546b64U;
}

/// Clojure's Murmur3 of a long.
std::uint32_t murmur3(std::int64_t n) {
  if (n == 0) {
    return 0;
  }
  const auto bits = static_cast<std::uint64_t>(n);
  std::uint32_t h = mix_h1(0, mix_k1(static_cast<std::uint32_t>(bits)));
  h = mix_h1(h, mix_k1(static_cast<std::uint32_t>(bits >> 32)));
  h ^= 8;
  h = (h ^ (h >> 16)) * 0x85ebca6bU;
  h = (h ^ (h >> 13)) * 0xc2b2ae35U;
  return h ^ (h >> 16);
}

struct Entry {
  std::uint32_t hash;
  std::uint32_t position;
};

/// Orders entries whose hashes agree below `shift`: those alone in their group of five bits first.
/// The depth of the recursion is at most 32 / 5.
void order_level(std::span<Entry> entries, unsigned shift, BelowRoot below_root,
                 std::vector<std::uint32_t>& out) {
  if (shift >= kHashBits || entries.size() == 1) {
    for (const Entry& entry : entries) {
      out.push_back(entry.position);
    }
    return;
  }
  const auto group_of = [shift](const Entry& entry) {
    return (entry.hash >> shift) & ((1U << kBitsPerLevel) - 1);
  };
  const bool descending = shift > 0 && below_root == BelowRoot::kDescending;
  std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    return descending ? group_of(b) < group_of(a) : group_of(a) < group_of(b);
  });
  std::vector<std::span<Entry>> deeper;
  for (std::size_t begin = 0; begin < entries.size();) {
    std::size_t end = begin + 1;
    while (end < entries.size() && group_of(entries[end]) == group_of(entries[begin])) {
      ++end;
    }
    if (end == begin + 1) {
      out.push_back(entries[begin].position);
    } else {
      deeper.push_back(entries.subspan(begin, end - begin));
    }
    begin = end;
  }
  for (const std::span<Entry> group : deeper) {
    order_level(group, shift + kBitsPerLevel, below_root, out);
  }
}

}  // namespace

std::uint32_t champ_mix(std::int64_t hash_code) {
  const auto h64 = static_cast<std::uint64_t>(hash_code);
  auto h = static_cast<std::uint32_t>((h64 >> 32) ^ h64);
  h ^= (h >> 20) ^ (h >> 12);
  return h ^ (h >> 7) ^ (h >> 4);
}

std::uint32_t champ_hash(std::int64_t index) {
  return champ_mix(static_cast<std::int32_t>(murmur3(index)));
}

std::vector<std::uint32_t> champ_order_of_hashes(std::span<const std::uint32_t> hashes,
                                                 BelowRoot below_root) {
  std::vector<Entry> entries(hashes.size());
  for (std::uint32_t i = 0; i < hashes.size(); ++i) {
    entries[i] = {hashes[i], i};
  }
  std::vector<std::uint32_t> order;
  order.reserve(entries.size());
  if (!entries.empty()) {
    order_level(entries, 0, below_root, order);
  }
  return order;
}

std::vector<std::uint32_t> champ_order(std::span<const std::int64_t> indices) {
  std::vector<std::uint32_t> hashes;
  hashes.reserve(indices.size());
  for (const std::int64_t index : indices) {
    hashes.push_back(champ_hash(index));
  }
  return champ_order_of_hashes(hashes, BelowRoot::kAscending);
}

}  // namespace elapid
