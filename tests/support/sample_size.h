// How much of a random sample a test takes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace elapid {

/// A number from the environment, or `otherwise`.
inline std::uint64_t from_environment(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// The number of cases: ELAPID_PROPERTY_CASES, or `by_default` divided by ELAPID_PROPERTY_DIVISOR,
/// which is set under sanitizers; but at least a few.
inline std::uint64_t case_count(std::uint64_t by_default) {
  constexpr std::uint64_t kFewest = 20;
  const std::uint64_t divisor = from_environment("ELAPID_PROPERTY_DIVISOR", 1);
  const std::uint64_t share = by_default / std::max<std::uint64_t>(1, divisor);
  return from_environment("ELAPID_PROPERTY_CASES", std::max(share, std::min(kFewest, by_default)));
}

/// The number of rounds that take long: `by_default`; a quarter of it if ELAPID_PROPERTY_DIVISOR is
/// set; `at_length` if ELAPID_PROPERTY_SEED asks for another sample.
inline std::size_t round_count(std::size_t by_default, std::size_t at_length) {
  if (std::getenv("ELAPID_PROPERTY_SEED") != nullptr) {
    return at_length;
  }
  const bool is_divided = from_environment("ELAPID_PROPERTY_DIVISOR", 1) > 1;
  return is_divided ? std::max<std::size_t>(1, by_default / 4) : by_default;
}

/// Of tests that try all of something, as the bytes at which a file can be cut or the files of a
/// folder: how far apart those that are tried are.
inline std::size_t stride() {
  return from_environment("ELAPID_PROPERTY_DIVISOR", 1) > 1 ? 5 : 1;
}

/// ELAPID_PROPERTY_SEED, or 1.
inline std::uint64_t first_seed_of_cases() {
  return from_environment("ELAPID_PROPERTY_SEED", 1);
}

}  // namespace elapid
