#include "tests/property/for_all.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>

#include "tests/property/shrink.h"

namespace elapid {

namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::string describe_failure(const TinyHistory& history, std::uint64_t seed,
                             const Property& property) {
  const TinyHistory small =
      shrink(history, [&](const TinyHistory& smaller) { return !property(smaller).empty(); });
  return "seed " + std::to_string(seed) + ": " + property(small) + "\n  " + to_text(small);
}

}  // namespace

void for_all_histories(Sample sample, std::uint64_t first_seed, const Property& property) {
  constexpr int kMaxFailures = 5;
  const std::uint64_t begin = first_seed + from_environment("ELAPID_PROPERTY_SEED", 1);
  const std::uint64_t end = begin + from_environment("ELAPID_PROPERTY_CASES", sample.cases);
  std::cout << "seeds " << begin << " to " << end - 1 << '\n';
  int failures = 0;
  for (std::uint64_t seed = begin; seed < end && failures < kMaxFailures; ++seed) {
    const TinyHistory history = random_history(sample.model, seed, sample.variety);
    if (!property(history).empty()) {
      ++failures;
      FAIL_CHECK(describe_failure(history, seed, property));
    }
  }
  CHECK(failures == 0);
}

Tally for_both_answers(Sample sample, std::uint64_t first_seed, const TalliedProperty& property,
                       std::size_t rarest) {
  Tally tally;
  for_all_histories(sample, first_seed,
                    [&](const TinyHistory& history) { return property(history, tally); });
  CHECK(tally.invalid > tally.valid / rarest);
  CHECK(tally.valid > tally.invalid / rarest);
  return tally;
}

}  // namespace elapid
