#include "engine/elle/champ_order.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>

namespace elapid::elle {
namespace {

using Order = std::vector<std::uint32_t>;

/// The trie itself: a node keeps an entry alone in its group, and a child where there are more.
class Trie {
 public:
  explicit Trie(unsigned shift = 0) : shift_(shift) {}

  void insert(std::uint32_t hash, std::uint32_t position) {
    if (shift_ >= 32) {
      colliding_.push_back(position);
      return;
    }
    const unsigned group = (hash >> shift_) & 31U;
    if (const auto child = children_.find(group); child != children_.end()) {
      child->second->insert(hash, position);
    } else if (const auto other = entries_.find(group); other != entries_.end()) {
      auto& deeper = children_[group] = std::make_unique<Trie>(shift_ + 5);
      deeper->insert(other->second.hash, other->second.position);
      deeper->insert(hash, position);
      entries_.erase(other);
    } else {
      entries_[group] = {hash, position};
    }
  }

  void collect(Order& out) const {
    out.insert(out.end(), colliding_.begin(), colliding_.end());
    for (const auto& [group, entry] : entries_) {
      out.push_back(entry.position);
    }
    for (const auto& [group, child] : children_) {
      child->collect(out);
    }
  }

 private:
  struct Entry {
    std::uint32_t hash;
    std::uint32_t position;
  };

  unsigned shift_;
  std::map<unsigned, Entry> entries_;
  std::map<unsigned, std::unique_ptr<Trie>> children_;
  Order colliding_;
};

Order order_in_trie(const std::vector<std::uint32_t>& hashes) {
  Trie trie;
  for (std::uint32_t i = 0; i < hashes.size(); ++i) {
    trie.insert(hashes[i], i);
  }
  Order order;
  trie.collect(order);
  return order;
}

TEST_CASE("champ: the hash of an index is that of Clojure") {
  // (hash 0), (hash 1) and (hash 42) at a Clojure prompt.
  CHECK(champ_hash(0) == champ_mix(0));
  CHECK(champ_hash(1) == champ_mix(1392991556));
  CHECK(champ_hash(42) == champ_mix(1871679806));
}

TEST_CASE("champ: mixing folds the upper half and is the identity on small codes") {
  CHECK(champ_mix(0) == 0);
  CHECK(champ_mix(7) == 7);
  CHECK(champ_mix(std::int64_t{1} << 32) == 1);
  CHECK(champ_mix(0x10) == (0x10 ^ (0x10 >> 4)));
}

TEST_CASE("champ: alone in a group of five bits comes first, then group by group") {
  // By the lowest five bits: 3 | 1, 33 | 2; one level deeper 1 stands before 33.
  const std::vector<std::uint32_t> hashes = {33, 3, 1, 2};
  CHECK(champ_order_of_hashes(hashes) == Order{3, 1, 2, 0});
}

TEST_CASE("champ: equal hashes keep their order") {
  const std::vector<std::uint32_t> hashes = {9, 9, 4, 9};
  CHECK(champ_order_of_hashes(hashes) == Order{2, 0, 1, 3});
  CHECK(champ_order_of_hashes({}).empty());
}

TEST_CASE("champ: the order is that of walking the trie") {
  // Masks that leave few bits make hashes share groups down to the last level, and collide.
  constexpr std::uint32_t kMasks[] = {0xffffffffU, 0x3ffU, 0x80000401U, 0xc0000000U, 0x00108421U};
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    std::vector<std::uint32_t> hashes(random() % 120);
    for (std::uint32_t& hash : hashes) {
      hash = static_cast<std::uint32_t>(random()) & kMasks[seed % std::size(kMasks)];
    }
    INFO("seed " << seed);
    CHECK(champ_order_of_hashes(hashes) == order_in_trie(hashes));
  }
}

TEST_CASE("champ: indices in their order") {
  // Worked out apart from this code, from the definition of the hash and of the trie.
  std::vector<std::int64_t> indices(20);
  std::iota(indices.begin(), indices.end(), 0);
  CHECK(champ_order(indices) ==
        Order{0, 10, 6, 8, 13, 17, 15, 4, 9, 19, 18, 5, 16, 11, 12, 1, 7, 3, 14, 2});
  const std::vector<std::int64_t> wide = {-1,
                                          5,
                                          std::int64_t{1} << 40,
                                          std::numeric_limits<std::int64_t>::min(),
                                          std::numeric_limits<std::int64_t>::max(),
                                          77};
  CHECK(champ_order(wide) == Order{0, 1, 2, 5, 4, 3});
}

TEST_CASE("champ: the order of a set does not depend on how it is given") {
  std::vector<std::int64_t> indices(2000);
  std::iota(indices.begin(), indices.end(), -1000);
  const auto in_order = [&] {
    std::vector<std::int64_t> ordered;
    for (const std::uint32_t position : champ_order(indices)) {
      ordered.push_back(indices[position]);
    }
    return ordered;
  };
  const std::vector<std::int64_t> ascending = in_order();
  std::vector<std::int64_t> sorted = ascending;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == indices);
  std::reverse(indices.begin(), indices.end());
  CHECK(in_order() == ascending);
}

}  // namespace
}  // namespace elapid::elle
