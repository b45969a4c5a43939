#include "tests/property/for_all.h"

#include <catch2/catch.hpp>
#include <iostream>

#include "tests/support/sample_size.h"
#include "tests/support/shrink.h"

namespace elapid {

namespace {

std::string describe_failure(const TinyHistory& history, std::uint64_t seed,
                             const Property& property) {
  const TinyHistory small =
      shrink(history, [&](const TinyHistory& smaller) { return !property(smaller).empty(); });
  return "seed " + std::to_string(seed) + ": " + property(small) + "\n  " + to_text(small);
}

}  // namespace

void for_all_histories(Sample sample, std::uint64_t first_seed, const Property& property) {
  constexpr int kMaxFailures = 5;
  const std::uint64_t begin = first_seed + first_seed_of_cases();
  const std::uint64_t end = begin + case_count(sample.cases);
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
