#include "engine/ir/hash_index.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

namespace elapid {
namespace {

/// Values with the hashes that a test wants.
class Values {
 public:
  std::uint32_t find_or_add(std::uint32_t hash, int value) {
    const auto fresh = static_cast<std::uint32_t>(values_.size());
    const std::uint32_t index =
        index_.find_or_add(hash, fresh, [&](std::uint32_t i) { return values_[i] == value; });
    if (index == fresh) {
      values_.push_back(value);
    }
    return index;
  }

  [[nodiscard]] std::uint32_t find(std::uint32_t hash, int value) const {
    return index_.find(hash, [&](std::uint32_t i) { return values_[i] == value; });
  }

 private:
  HashIndex index_;
  std::vector<int> values_;
};

TEST_CASE("a hash index finds what was added and nothing else") {
  Values values;
  CHECK(values.find(7, 1) == HashIndex::kAbsent);
  CHECK(values.find_or_add(7, 1) == 0);
  CHECK(values.find_or_add(7, 2) == 1);
  CHECK(values.find_or_add(7, 1) == 0);
  CHECK(values.find(7, 2) == 1);
  CHECK(values.find(8, 1) == HashIndex::kAbsent);
}

TEST_CASE("a hash index grows, however its values are spread") {
  const std::uint32_t stride = GENERATE(0U, 1U, 1U << 20U, 0xfffff000U, 0x9e3779b9U);
  constexpr std::uint32_t kCount = 2000;
  Values values;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    REQUIRE(values.find_or_add(i * stride, static_cast<int>(i)) == i);
  }
  for (std::uint32_t i = 0; i < kCount; ++i) {
    REQUIRE(values.find(i * stride, static_cast<int>(i)) == i);
  }
}

}  // namespace
}  // namespace elapid
