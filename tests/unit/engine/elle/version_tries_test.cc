#include "engine/elle/version_tries.h"

#include <catch2/catch.hpp>
#include <set>
#include <vector>

namespace elapid::elle {
namespace {

using Edges = std::set<VersionTrie::Edge>;

Edges edges_of(const VersionTrie& trie) {
  const std::vector<VersionTrie::Edge> all = trie.edges();
  return {all.begin(), all.end()};
}

// Versions 0, 1 and 2 stand alone at the root; 3 and 4 meet 0 in its slot, and part below.
const std::vector<std::uint32_t> kHashes = {0, 1, 2, 1U << 5, 2U << 5};

TEST_CASE("version tries: what is kept is the union") {
  VersionTrie trie(kHashes);
  CHECK(trie.edges().empty());
  trie.unite(std::vector<VersionTrie::Edge>{{0, 1}, {0, 3}}, false);
  trie.unite(std::vector<VersionTrie::Edge>{{3, 1}, {0, 4}}, false);
  trie.unite(std::vector<VersionTrie::Edge>{}, false);
  CHECK(edges_of(trie) == Edges{{0, 1}, {0, 3}, {3, 1}, {0, 4}});
}

TEST_CASE("version tries: what is dropped is gone where no union went before") {
  VersionTrie trie(kHashes);
  trie.unite(std::vector<VersionTrie::Edge>{{0, 3}, {0, 1}}, false);
  trie.unite(std::vector<VersionTrie::Edge>{{3, 1}}, true);
  CHECK(edges_of(trie) == Edges{{0, 3}, {0, 1}});
}

TEST_CASE("version tries: what is dropped stays in nodes that a union made") {
  VersionTrie trie(kHashes);
  trie.unite(std::vector<VersionTrie::Edge>{{0, 3}, {0, 1}}, false);
  trie.unite(std::vector<VersionTrie::Edge>{{0, 3}, {3, 2}}, false);
  const Edges before = edges_of(trie);
  trie.unite(std::vector<VersionTrie::Edge>{{3, 1}}, true);  // a node on one side, 3 on the other
  Edges after = before;
  after.insert({3, 1});
  CHECK(edges_of(trie) == after);
  trie.unite(std::vector<VersionTrie::Edge>{{1, 2}}, true);  // alone on both sides
  CHECK(edges_of(trie) == after);
}

}  // namespace
}  // namespace elapid::elle
