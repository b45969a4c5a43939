// A checksum of the bytes of a state on disk.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace elapid {

/// A checksum of 64 bits that tells damaged bytes from whole ones. Every step is a bijection of the
/// state before, so damage within eight aligned bytes is always noticed; other damage is missed
/// with a probability of 2^-64. It is no protection from people. `seed`: the checksum of the bytes
/// before, or any number.
[[nodiscard]] inline std::uint64_t checksum(std::string_view bytes, std::uint64_t seed) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
  const auto mix = [](std::uint64_t sum, std::uint64_t word) {
    sum = (sum ^ word) * kOdd;
    return sum ^ sum >> 29;
  };
  std::uint64_t sum = mix(seed, bytes.size() + kOdd);
  for (; bytes.size() >= sizeof(std::uint64_t); bytes.remove_prefix(sizeof(std::uint64_t))) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    sum = mix(sum, word);
  }
  std::uint64_t rest = 0;
  if (!bytes.empty()) {
    std::memcpy(&rest, bytes.data(), bytes.size());
  }
  return mix(mix(sum, rest), kOdd);
}

}  // namespace elapid
