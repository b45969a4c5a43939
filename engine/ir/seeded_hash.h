// Hashes that depend on a random number of the process, so that no input can aim at collisions. No
// output may depend on them: a program looks values up in such a table, but never iterates over the
// table in the order of its hashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace elapid {

/// The random numbers of a process's hashes.
struct HashSeed {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

/// Draws a random seed.
[[nodiscard]] HashSeed drawn_hash_seed();

/// The seed of this process, drawn once.
[[nodiscard]] inline const HashSeed& hash_seed() {
  static const HashSeed seed = drawn_hash_seed();
  return seed;
}

/// The hash of a number: the halves of a product of 128 bits whose factors are secret.
[[nodiscard]] inline std::uint64_t seeded_hash(std::uint64_t n,
                                               const HashSeed& seed = hash_seed()) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{n ^ seed.first} * (seed.second | 1U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

/// The hash of a text, eight bytes at a time.
[[nodiscard]] std::uint64_t seeded_hash(std::string_view text, const HashSeed& seed = hash_seed());

/// The hash function for tables of the standard library.
struct SeededHash {
  std::size_t operator()(std::uint64_t n) const { return seeded_hash(n); }

  std::size_t operator()(std::int64_t n) const {
    return seeded_hash(static_cast<std::uint64_t>(n));
  }

  std::size_t operator()(std::string_view text) const { return seeded_hash(text); }
};

}  // namespace elapid
