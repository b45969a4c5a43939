// Murmur3 of 32 bits as Clojure uses it (Appleby's public MurmurHash3_x86_32 with seed 0). The hash
// codes determine the places in Clojure's sets and maps, and in Elle's graphs.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace elapid::elle {

namespace internal {

constexpr std::uint32_t mix_k1(std::uint32_t k1) {
  return std::rotl(k1 * 0xcc9e2d51U, 15) * 0x1b873593U;
}

constexpr std::uint32_t mix_h1(std::uint32_t h1, std::uint32_t k1) {
  return std::rotl(h1 ^ mix_k1(k1), 13) * 5U + 0xe6546b64U;
}

constexpr std::uint32_t finish(std::uint32_t h, std::size_t length) {
  h ^= static_cast<std::uint32_t>(length);
  h = (h ^ (h >> 16)) * 0x85ebca6bU;
  h = (h ^ (h >> 13)) * 0xc2b2ae35U;
  return h ^ (h >> 16);
}

}  // namespace internal

/// The hash of a 32-bit integer, and of a string by its Java hash code.
constexpr std::uint32_t murmur3_int(std::uint32_t n) {
  return n == 0 ? 0 : internal::finish(internal::mix_h1(0, n), 4);
}

/// The hash of a 64-bit integer.
constexpr std::uint32_t murmur3_long(std::int64_t n) {
  if (n == 0) {
    return 0;
  }
  const auto bits = static_cast<std::uint64_t>(n);
  const std::uint32_t low = internal::mix_h1(0, static_cast<std::uint32_t>(bits));
  return internal::finish(internal::mix_h1(low, static_cast<std::uint32_t>(bits >> 32)), 8);
}

/// The hash of a symbol's name, in UTF-16.
constexpr std::uint32_t murmur3_chars(std::u16string_view text) {
  std::uint32_t h = 0;
  for (std::size_t i = 1; i < text.size(); i += 2) {
    h = internal::mix_h1(h, text[i - 1] | static_cast<std::uint32_t>(text[i]) << 16);
  }
  if (text.size() % 2 == 1) {
    h ^= internal::mix_k1(text.back());
  }
  return internal::finish(h, 2 * text.size());
}

/// The hash of a collection of `count` elements, from the combined hashes of its elements.
constexpr std::uint32_t murmur3_collection(std::uint32_t combined, std::size_t count) {
  return internal::finish(internal::mix_h1(0, combined), count);
}

}  // namespace elapid::elle
