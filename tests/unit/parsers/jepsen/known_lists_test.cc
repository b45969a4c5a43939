#include "parsers/jepsen/known_lists.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <span>
#include <string>
#include <vector>

#include "harness/generate/random.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

/// Numbers of which some begin as others do.
std::vector<ValueId> random_elements(Random& random, std::size_t most) {
  std::vector<ValueId> elements(random.below(most + 1));
  for (ValueId& element : elements) {
    element = ValueId::integer(static_cast<std::int64_t>(random.below(3) + 10 * random.below(3)));
  }
  return elements;
}

std::string text_of(std::span<const ValueId> elements) {
  std::string text;
  for (const ValueId element : elements) {
    text += (text.empty() ? "" : " ") + std::to_string(element.as_integer());
  }
  return text;
}

TEST_CASE("known lists: those elements are taken with which both lists begin") {
  Random random(39);
  KnownLists lists;
  for (std::size_t round = 0; round < case_count(20'000); ++round) {
    const ValueId key = ValueId::integer(static_cast<std::int64_t>(256 * random.below(2)));
    KnownList& known = lists.of(key);
    const std::vector<ValueId> before = random_elements(random, 4);
    if (!before.empty()) {
      GrowingVector<ValueId> same;
      const std::string text = text_of(before);
      known.take((text + "]" + std::string(kWordPadding, '\0')).data(), same);
      known.learn(text, before, same.size());
    } else {
      known.forget();
    }
    std::vector<ValueId> elements = random_elements(random, 4);
    if (random.below(2) == 0) {  // most often lists grow
      elements.insert(elements.begin(), before.begin(), before.end());
    }
    const std::string text = text_of(elements);
    const std::string padded = text + "] [:r 1" + std::string(kWordPadding, '\0');
    const auto common =
        static_cast<std::size_t>(std::ranges::mismatch(before, elements).in1 - before.begin());
    GrowingVector<ValueId> taken;
    const char* const end = known.take(padded.data(), taken);
    REQUIRE(std::vector(taken.begin(), taken.end()) ==
            std::vector(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(common)));
    REQUIRE(std::string(padded.data(), end) == text_of(std::span(before).first(common)));
  }
}

TEST_CASE("known lists: another pool knows the small integers of small integers only") {
  KnownLists lists;
  const std::vector<ValueId> one = {ValueId::integer(1)};
  const std::vector<ValueId> interned = {ValueId::interned(5)};
  lists.of(ValueId::integer(7)).learn("1", one, 0);
  lists.of(ValueId::integer(8)).learn(":a", interned, 0);
  lists.of(ValueId::interned(9)).learn("1", one, 0);
  lists.change_pool();
  const auto is_known = [&](ValueId key, const char* text) {
    GrowingVector<ValueId> elements;
    lists.of(key).take((text + std::string(kWordPadding, '\0')).data(), elements);
    return elements.size() == 1;
  };
  CHECK(is_known(ValueId::integer(7), "1]"));
  CHECK(!is_known(ValueId::integer(8), ":a]"));
  CHECK(!is_known(ValueId::interned(9), "1]"));
}

}  // namespace
}  // namespace elapid
