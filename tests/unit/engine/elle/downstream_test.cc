#include "engine/elle/downstream.h"

#include <catch2/catch.hpp>
#include <set>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"

namespace elapid::elle {
namespace {

std::set<std::uint32_t> elements(const SharedTries& sets, SharedTries::SetId set) {
  std::set<std::uint32_t> all;
  sets.each(set, [&](std::uint32_t element) { all.insert(element); });
  return all;
}

using Elements = std::set<std::uint32_t>;

TEST_CASE("a union puts elements into nodes that another union made") {
  const std::vector<std::uint32_t> hashes = {0, 1U << 5, 2U << 5, 1};  // 0, 1 and 2 meet in a slot
  SharedTries sets;
  sets.reset(hashes);
  SharedTries::Owner owner = SharedTries::kFirstOwner;
  const auto only = [&](std::uint32_t element) {
    return sets.add(SharedTries::empty(), element, owner++);
  };
  const SharedTries::SetId united = sets.unite(only(0), only(1));
  const SharedTries::SetId added = sets.add(only(0), 1, owner++);
  CHECK(elements(sets, united) == Elements{0, 1});
  CHECK(sets.alike(united, added));

  CHECK(elements(sets, sets.unite(added, only(2))) == Elements{0, 1, 2});
  CHECK(elements(sets, added) == Elements{0, 1});
  CHECK(elements(sets, sets.unite(united, only(3))) == Elements{0, 1, 3});
  CHECK(elements(sets, united) == Elements{0, 1});
  CHECK(elements(sets, sets.unite(only(2), united)) == Elements{0, 1, 2});
  CHECK(elements(sets, united) == Elements{0, 1, 2});  // although it was not asked for
  CHECK(elements(sets, SharedTries::empty()).empty());
}

TEST_CASE("what a union absorbs is what it would have united") {
  const std::vector<std::uint32_t> hashes = {0, 1U << 5, 1, 1 | 1U << 5, 7, 7};
  SharedTries sets;
  sets.reset(hashes);
  SharedTries::SetId grown = sets.add(SharedTries::empty(), 0, SharedTries::kFirstOwner);
  SharedTries::SetId united = grown;
  for (std::uint32_t element = 1; element < hashes.size(); ++element) {
    const auto single = sets.add(SharedTries::empty(), element, SharedTries::kFirstOwner + element);
    united = sets.unite(united, single);
    if (element == 1) {
      grown = sets.unite(grown, single);
    } else {
      sets.absorb(grown, single);
    }
  }
  CHECK(elements(sets, united) == Elements{0, 1, 2, 3, 4, 5});
  CHECK(sets.alike(united, grown));
}

TEST_CASE("operations in sequence are linked to their neighbours on the key") {
  HistoryBuilder builder;
  const KeyId x = builder.key(builder.values().intern(":x"));
  const KeyId y = builder.key(builder.values().intern(":y"));
  for (const KeyId key : {x, y, x, x, y}) {
    const MopInput write{.kind = OpKind::kWrite, .key = key, .value = ValueId::integer(1)};
    for (const EventType type : {EventType::kInvoke, EventType::kOk}) {
      REQUIRE(builder.add_event({.type = type, .process = 0, .mops = {&write, 1}}).ok());
    }
  }
  HistoryInfo info;
  info.f = ValueId::nil();
  const Result<History> history = std::move(builder).build(std::move(info));
  REQUIRE(history);
  Downstream downstream(history.value());
  const auto links = [&](std::vector<TxnId> touching) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> all;
    downstream.each_link(touching, [&](std::uint32_t earlier, std::uint32_t later) {
      all.emplace(touching[earlier].value, touching[later].value);
    });
    return all;
  };
  using Links = std::set<std::pair<std::uint32_t, std::uint32_t>>;
  CHECK(links({{0}, {2}, {3}}) == Links{{0, 2}, {2, 3}});
  CHECK(links({{1}, {4}}) == Links{{1, 4}});
  CHECK(links({{0}}).empty());
}

}  // namespace
}  // namespace elapid::elle
