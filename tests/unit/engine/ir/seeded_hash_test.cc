#include "engine/ir/seeded_hash.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "engine/ir/hash_index.h"
#include "engine/ir/int_map.h"

namespace elapid {
namespace {

constexpr HashSeed kKnown = {.first = 0x243f6a8885a308d3U, .second = 0x13198a2e03707345U};
constexpr HashSeed kOther = {.first = 0x9d8b7a6c5e4f3021U, .second = 0x0123456789abcdefU};

/// The bits by which tables find their places.
std::uint64_t place(std::uint64_t hash) {
  return hash >> 56U;
}

TEST_CASE("numbers that were made to collide under one seed do not under another") {
  std::vector<std::uint64_t> crafted;
  for (std::uint64_t n = 0; crafted.size() < 1000; ++n) {
    if (place(seeded_hash(n << 20U, kKnown)) == 7) {
      crafted.push_back(n << 20U);
    }
  }
  std::set<std::uint64_t> places;
  for (const std::uint64_t n : crafted) {
    places.insert(place(seeded_hash(n, kOther)));
  }
  CHECK(places.size() > 200);  // of 256
}

TEST_CASE("texts that were made to collide under one seed do not under another") {
  std::vector<std::string> crafted;
  for (std::uint64_t n = 0; crafted.size() < 1000; ++n) {
    const std::string text = "\"key-" + std::to_string(n) + '"';
    if (place(seeded_hash(text, kKnown)) == 7) {
      crafted.push_back(text);
    }
  }
  std::set<std::uint64_t> places;
  for (const std::string& text : crafted) {
    places.insert(place(seeded_hash(text, kOther)));
  }
  CHECK(places.size() > 200);
}

TEST_CASE("hashes of texts depend on all bytes, and on their number") {
  const auto hash = [](const std::string& text) { return seeded_hash(text, kOther); };
  std::set<std::uint64_t> hashes;
  for (std::size_t length = 0; length < 40; ++length) {
    hashes.insert(hash(std::string(length, '\0')));
    for (std::size_t i = 0; i < length; ++i) {
      std::string text(length, '\0');
      text[i] = 'x';
      hashes.insert(hash(text));
    }
  }
  CHECK(hashes.size() == 40 + 39 * 40 / 2);
}

TEST_CASE("two processes have two seeds, and one has one") {
  const HashSeed a = drawn_hash_seed();
  const HashSeed b = drawn_hash_seed();
  CHECK((a.first != b.first || a.second != b.second));
  CHECK(&hash_seed() == &hash_seed());
}

}  // namespace
}  // namespace elapid
