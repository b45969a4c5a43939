#include "engine/online/id_set.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/generate/random.h"

namespace elapid {
namespace {

TEST_CASE("a set of names that are numbered on has no size, in whatever order they come") {
  AtomTable table;
  std::vector<Atom> ids;
  for (int i = 0; i < 1000; ++i) {
    ids.push_back(table.integer(i - 500));
    ids.push_back(table.text("txn-" + std::to_string(i)));
  }
  IdSet in_order;
  for (const Atom id : ids) {
    CHECK(in_order.insert(id));
  }
  // Integers of either sign are two ranges, and texts are a third.
  const std::size_t least = in_order.memory();
  Random(1).shuffle(ids);
  IdSet shuffled;
  for (const Atom id : ids) {
    CHECK(shuffled.insert(id));
    CHECK_FALSE(shuffled.insert(id));
  }
  CHECK(shuffled.memory() == least);
  CHECK(shuffled.encode() == in_order.encode());
  CHECK(shuffled.encode().size() < 40);
}

TEST_CASE("a set of names says the same of itself however it came about") {
  AtomTable table;
  for (const int missing : {-1, 0, 63, 64, 65, 100, 127, 128, 191, 255}) {
    IdSet ids;
    for (int i = 255; i >= 0; --i) {
      CHECK((i == missing || ids.insert(table.integer(i))));
    }
    IdSet again = IdSet::decode(ids.encode());
    CHECK(again.encode() == ids.encode());
    CHECK(again.memory() == ids.memory());
    for (int i = -1; i <= 256; ++i) {
      CHECK(again.contains(table.integer(i)) == (i >= 0 && i < 256 && i != missing));
    }
    CHECK(again.insert(table.integer(missing)) == ids.insert(table.integer(missing)));
    CHECK(again.encode() == ids.encode());
  }
}

TEST_CASE("a set of names is a set") {
  AtomTable table;
  Random random(2);
  IdSet ids;
  std::set<Atom> expected;
  for (int i = 0; i < 3000; ++i) {
    const std::string number = std::to_string(random.below(1000));
    const Atom id = random.percent(50)   ? table.literal("-" + number)
                    : random.percent(50) ? table.text("a" + number)
                                         : table.text(number + "z");
    CHECK(ids.contains(id) == expected.contains(id));
    CHECK(ids.insert(id) == expected.insert(id).second);
    if (random.percent(1)) {
      ids = IdSet::decode(ids.encode());
    }
  }
  for (const Atom id : expected) {
    CHECK(ids.contains(id));
  }
  CHECK_FALSE(ids.contains(table.integer(1)));
  CHECK_FALSE(ids.contains(table.text("a1000")));
  CHECK_FALSE(IdSet::decode("").contains(table.integer(0)));
}

}  // namespace
}  // namespace elapid
