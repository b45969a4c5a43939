#include "engine/elle/champ_order.h"

#include <algorithm>

#include "engine/elle/murmur3.h"

namespace elapid::elle {

namespace {

constexpr unsigned kBitsPerLevel = 5;
constexpr unsigned kHashBits = 32;

struct Entry {
  std::uint32_t hash;
  std::uint32_t position;
};

/// Orders entries whose hashes agree below `shift`. Entries that are alone in their group of five
/// bits come first.
/// The depth of the recursion is at most 32 / 5.
void order_level(std::span<Entry> entries, unsigned shift, std::vector<std::uint32_t>& out) {
  if (shift >= kHashBits || entries.size() == 1) {
    for (const Entry& entry : entries) {
      out.push_back(entry.position);
    }
    return;
  }
  const auto group_of = [shift](const Entry& entry) {
    return (entry.hash >> shift) & ((1U << kBitsPerLevel) - 1);
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Entry& a, const Entry& b) { return group_of(a) < group_of(b); });
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
    order_level(group, shift + kBitsPerLevel, out);
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
  return champ_mix(static_cast<std::int32_t>(murmur3_long(index)));
}

std::vector<std::uint32_t> champ_order_of_hashes(std::span<const std::uint32_t> hashes) {
  std::vector<Entry> entries(hashes.size());
  for (std::uint32_t i = 0; i < hashes.size(); ++i) {
    entries[i] = {hashes[i], i};
  }
  std::vector<std::uint32_t> order;
  order.reserve(entries.size());
  if (!entries.empty()) {
    order_level(entries, 0, order);
  }
  return order;
}

std::vector<std::uint32_t> champ_order(std::span<const std::int64_t> indices) {
  std::vector<std::uint32_t> hashes;
  hashes.reserve(indices.size());
  for (const std::int64_t index : indices) {
    hashes.push_back(champ_hash(index));
  }
  return champ_order_of_hashes(hashes);
}

}  // namespace elapid::elle
