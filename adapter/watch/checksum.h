// A checksum of what a state keeps on disk.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace elapid {

/// Tells damaged bytes from whole ones: 64 bits. Every step is a bijection of what came before, so
/// that damage within eight aligned bytes never goes unnoticed, and any other with a probability
/// of 2^-64. No protection from people. `seed`: the checksum of what comes before, or a number of
/// one's own.
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
