// Hashes that depend on a random number of the process, so that no input can aim at collisions. No
// output may depend on them: such a table is searched, but never iterated in the order of its
// hashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace elapid {

/// What the hashes of a process depend on.
struct HashSeed {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

/// Draws one by chance.
[[nodiscard]] HashSeed drawn_hash_seed();

/// That of this process, drawn once.
[[nodiscard]] inline const HashSeed& hash_seed() {
  static const HashSeed seed = drawn_hash_seed();
  return seed;
}

/// A number, hashed: the halves of a product of 128 bits whose factors are secret.
[[nodiscard]] inline std::uint64_t seeded_hash(std::uint64_t n,
                                               const HashSeed& seed = hash_seed()) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{n ^ seed.first} * (seed.second | 1U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

/// A text, hashed eight bytes at a time.
[[nodiscard]] std::uint64_t seeded_hash(std::string_view text, const HashSeed& seed = hash_seed());

/// For the tables of the standard library.
struct SeededHash {
  std::size_t operator()(std::uint64_t n) const { return seeded_hash(n); }

  std::size_t operator()(std::int64_t n) const {
    return seeded_hash(static_cast<std::uint64_t>(n));
  }

  std::size_t operator()(std::string_view text) const { return seeded_hash(text); }
};

}  // namespace elapid
