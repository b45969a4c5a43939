#include "engine/ir/list_store.h"

#include <catch2/catch.hpp>
#include <initializer_list>
#include <map>
#include <random>
#include <vector>

namespace elapid {
namespace {

constexpr KeyId kX{0};
constexpr KeyId kY{1};

ListId add(ListStore& store, KeyId key, std::initializer_list<std::int64_t> numbers) {
  std::vector<ValueId> elements;
  for (const std::int64_t n : numbers) {
    elements.push_back(ValueId::integer(n));
  }
  return store.add(key, elements);
}

TEST_CASE("lists: prefixes of the longest list are lengths, however they arrive") {
  ListStore store;
  CHECK(add(store, kX, {1, 2}) == ListId::prefix(2));
  CHECK(add(store, kX, {1}) == ListId::prefix(1));
  CHECK(add(store, kX, {1, 2, 3, 4}) == ListId::prefix(4));
  CHECK(add(store, kX, {}) == ListId::prefix(0));
  CHECK(add(store, kX, {1, 2, 3}) == ListId::prefix(3));
  CHECK(add(store, kY, {2}) == ListId::prefix(1));
  CHECK(store.trunks()[0].size() == 4);
  CHECK(store.trunks()[1].size() == 1);
  CHECK(store.literals().empty());
}

TEST_CASE("lists: others are kept once, with what they share") {
  ListStore store;
  add(store, kX, {1, 2, 3});
  const ListId other = add(store, kX, {2, 1});
  CHECK_FALSE(other.is_prefix());
  CHECK(add(store, kX, {2, 1}) == other);
  const ListId longer = add(store, kX, {2, 1, 3});
  CHECK_FALSE(longer.is_prefix());
  CHECK(longer != other);
  CHECK(store.branches().size() == 1);
  CHECK(store.branches()[0].size() == 3);
  CHECK(store.literals()[other.literal_index()].length == 2);
  CHECK(store.literals()[longer.literal_index()].length == 3);
  CHECK(add(store, kX, {1, 3}) != other);
  CHECK(store.branches().size() == 2);
}

TEST_CASE("lists: a branch belongs to its key") {
  ListStore store;
  add(store, kX, {1});
  add(store, kY, {1});
  const ListId of_x = add(store, kX, {2});
  const ListId of_y = add(store, kY, {2});
  CHECK(of_x != of_y);
}

TEST_CASE("lists: many contradicting reads cost their elements only") {
  ListStore store;
  std::vector<ValueId> elements = {ValueId::integer(0)};
  store.add(kX, elements);
  elements[0] = ValueId::integer(-1);
  for (std::int64_t n = 0; n < 2000; ++n) {
    elements.push_back(ValueId::integer(n));
    store.add(kX, elements);
  }
  CHECK(store.branches().size() == 1);
  CHECK(store.branches()[0].size() == 2001);
}

TEST_CASE("lists: so do many families of reads that grow in turn") {
  constexpr std::int64_t kFamilies = 50;
  constexpr std::int64_t kLongest = 100;
  ListStore store;
  std::vector<std::vector<ValueId>> families(kFamilies);
  for (std::int64_t length = 1; length <= kLongest; ++length) {
    for (std::size_t family = 0; family < families.size(); ++family) {
      const auto first = static_cast<std::int64_t>(family);
      families[family].push_back(ValueId::integer(length == 1 ? -first : length));
      store.add(kX, families[family]);
    }
  }
  CHECK(store.trunks()[0].size() == kLongest);
  CHECK(store.branches().size() == kFamilies - 1);
  for (const std::vector<ValueId>& branch : store.branches()) {
    CHECK(branch.size() == kLongest);
  }
}

TEST_CASE("lists: a later branch does not take over what an older one holds as well") {
  ListStore store;
  add(store, kX, {9});
  const ListId one = add(store, kX, {1});
  add(store, kX, {1, 2});
  add(store, kX, {1, 3});
  CHECK(add(store, kX, {1}) == one);
}

TEST_CASE("lists: equal lists have equal ids, and ids give the lists back") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    ListStore store;
    std::map<std::vector<ValueId>, ListId> ids;
    for (int reads = 0; reads < 25; ++reads) {
      std::vector<ValueId> elements(random() % 5);
      for (ValueId& element : elements) {
        element = ValueId::integer(static_cast<std::int64_t>(random() % 2));
      }
      ids.insert_or_assign(elements, store.add(kX, elements));
    }
    std::map<ListId, std::vector<ValueId>> by_id;
    for (const auto& [elements, id] : ids) {
      const ListStore::Literal literal =
          id.is_prefix() ? ListStore::Literal{} : store.literals()[id.literal_index()];
      const std::vector<ValueId>& stem =
          id.is_prefix() ? store.trunks()[0] : store.branches()[literal.branch];
      const std::size_t length = id.is_prefix() ? id.length() : literal.length;
      REQUIRE(length <= stem.size());
      CHECK(std::vector(stem.begin(), stem.begin() + static_cast<std::ptrdiff_t>(length)) ==
            elements);
      CHECK(store.add(kX, elements) == id);
      CHECK(by_id.emplace(id, elements).second);
    }
  }
}

}  // namespace
}  // namespace elapid
