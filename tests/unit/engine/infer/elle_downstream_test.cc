#include "engine/infer/elle_downstream.h"

#include <catch2/catch.hpp>
#include <set>
#include <utility>
#include <vector>

#include "engine/infer/record_hash.h"
#include "engine/ir/history_builder.h"

namespace elapid {
namespace {

std::set<std::uint32_t> elements(const SharedTries& sets, SharedTries::SetId set) {
  std::set<std::uint32_t> all;
  sets.each(set, [&](std::uint32_t element) { all.insert(element); });
  return all;
}

using Elements = std::set<std::uint32_t>;

TEST_CASE("hash codes are those of Java and Clojure") {
  CHECK(java_hash("nil") == 0);
  CHECK(java_hash("-123456789012") == 3197704719U);
  CHECK(java_hash(R"("abc")") == 96354);
  CHECK(java_hash("[1 2 3]") == 30817);
  CHECK(java_hash(":txn") == 1021362290);
  CHECK(java_hash(":a/b") == 1013910665);
  CHECK(java_hash("\"\u00e9\U0001F600\\n\\\"x\"") == 3652462228U);
  CHECK(java_hash("[nil [true -5] :r]") == 1015154217);
  CHECK(java_hash("[1 {:a 1}]") == 0);
}

TEST_CASE("an operation hashes as Jepsen's record") {
  HistoryBuilder builder;
  const KeyId x = builder.key(builder.values().intern(R"("x")"));
  const KeyId y = builder.key(builder.values().intern(":y"));
  const std::vector<MopInput> mops = {
      {.kind = OpKind::kRead, .key = x},
      {.kind = OpKind::kWrite, .key = y, .value = ValueId::integer(-2)}};
  for (const EventType type : {EventType::kInvoke, EventType::kOk}) {
    const bool is_ok = type == EventType::kOk;
    REQUIRE(builder
                .add_event({.type = type,
                            .process = 3,
                            .index = is_ok ? 7 : 6,
                            .time = is_ok ? 1000 : 900,
                            .mops = mops})
                .ok());
  }
  HistoryInfo info;
  info.f = builder.values().intern(":txn");
  const Result<History> history = std::move(builder).build(std::move(info));
  REQUIRE(history);
  CHECK(record_hash(history.value(), TxnId{0}) == 800402282);
}

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
  CHECK(elements(sets, united) == Elements{0, 1, 2});  // although nobody asked for it
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
  ElleDownstream downstream(history.value());
  const auto links = [&](KeyId key, std::vector<std::uint32_t> txns) {
    std::vector<KeyTouch> touches;
    for (const std::uint32_t txn : txns) {
      touches.push_back({TxnId{txn}, {.key = key, .write = ValueId::integer(1)}});
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> all;
    downstream.each_link(touches, [&](const KeyTouch& earlier, const KeyTouch& later) {
      all.emplace(earlier.txn.value, later.txn.value);
    });
    return all;
  };
  using Links = std::set<std::pair<std::uint32_t, std::uint32_t>>;
  CHECK(links(x, {0, 2, 3}) == Links{{0, 2}, {2, 3}});
  CHECK(links(y, {1, 4}) == Links{{1, 4}});
  CHECK(links(x, {0}).empty());
}

}  // namespace
}  // namespace elapid
