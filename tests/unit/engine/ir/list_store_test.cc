#include "engine/ir/list_store.h"

#include <catch2/catch.hpp>
#include <initializer_list>
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

}  // namespace
}  // namespace elapid
