#include "engine/ir/seeded_hash.h"

#include <chrono>
#include <cstring>
#include <exception>
#include <random>

namespace elapid {

namespace {

std::uint64_t drawn() {
  try {
    std::random_device chance;
    return std::uint64_t{chance()} << 32U | chance();
  } catch (const std::exception&) {  // without a random device, the time serves
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }
}

}  // namespace

HashSeed drawn_hash_seed() {
  return {.first = drawn(), .second = drawn()};
}

std::uint64_t seeded_hash(std::string_view text, const HashSeed& seed) {
  std::uint64_t hash = seeded_hash(text.size(), seed);
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::size_t count = text.size() < sizeof word ? text.size() : sizeof word;
    std::memcpy(&word, text.data(), count);
    hash = seeded_hash(hash ^ word, seed);
    text.remove_prefix(count);
  }
  return hash;
}

}  // namespace elapid
