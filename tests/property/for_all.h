// Runs a property on many random histories.
//
// ELAPID_PROPERTY_CASES sets how many for all properties, ELAPID_PROPERTY_SEED the first seed (1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "harness/sketch/tiny_history.h"
#include "tests/support/random_history.h"

namespace elapid {

/// What a history does wrong; empty if nothing.
using Property = std::function<std::string(const TinyHistory&)>;

/// Which histories, and how many.
struct Sample {
  Workload model = Workload::kListAppend;
  Variety variety = Variety::kDistinct;
  std::uint64_t cases = 1000;
};

/// The distance between the first seeds of properties: no two see the same histories.
inline constexpr std::uint64_t kBillion = 1'000'000'000;

/// Fails the running test with up to five failing histories, made small, in the micro-language.
/// `first_seed` keeps properties from all seeing the same histories.
void for_all_histories(Sample sample, std::uint64_t first_seed, const Property& property);

/// How often each answer came, to see that the histories test something.
struct Tally {
  std::size_t valid = 0;
  std::size_t invalid = 0;
  std::size_t complete = 0;  ///< valid, and claimed to be proved
};

using TalliedProperty = std::function<std::string(const TinyHistory&, Tally&)>;

/// The same; fails as well if one answer comes no more than once in `rarest` times of the other, so
/// that both come often enough to mean something.
Tally for_both_answers(Sample sample, std::uint64_t first_seed, const TalliedProperty& property,
                       std::size_t rarest = 10);

}  // namespace elapid
