#include "engine/graph/champ_order.h"

#include <catch2/catch.hpp>
#include <numeric>

namespace elapid {
namespace {

using Order = std::vector<std::uint32_t>;

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
  CHECK(champ_order_of_hashes(hashes, BelowRoot::kAscending) == Order{3, 1, 2, 0});
  CHECK(champ_order_of_hashes(hashes, BelowRoot::kDescending) == Order{3, 1, 0, 2});
}

TEST_CASE("champ: equal hashes keep their order") {
  const std::vector<std::uint32_t> hashes = {9, 9, 4, 9};
  CHECK(champ_order_of_hashes(hashes, BelowRoot::kAscending) == Order{2, 0, 1, 3});
  CHECK(champ_order_of_hashes({}, BelowRoot::kAscending).empty());
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
}  // namespace elapid
