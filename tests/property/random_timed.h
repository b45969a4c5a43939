// Random histories with timestamps. Most reads are right.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "harness/generate/random.h"
#include "tests/property/naive_timestamps.h"
#include "tests/support/timed_history.h"

namespace elapid {

/// Timestamps are few where they shall tie.
struct TimedVariety {
  Workload model = Workload::kRwRegister;
  bool has_gaps = false;  // missing timestamps, transactions that did not commit
  bool has_real_time = false;
  std::int64_t times = 14;     // timestamps are below
  std::size_t careless = 15;   // of a hundred reads, those that show anything
  std::size_t repeats = 0;     // of a hundred appends, those of an element that there may be
  bool has_two_names = false;  // of the initial state
};

class RandomTimed {
 public:
  RandomTimed(TimedVariety variety, std::uint64_t seed) : variety_(variety), random_(seed) {}

  /// Up to seven transactions.
  TimedHistory make();

 private:
  std::int64_t time();
  TimedTxn txn();
  TinyMop mop();
  void fill_in_reads(TimedHistory& history, std::size_t t, bool serial);
  Contents anything();
  Contents right_contents(const TimedHistory& history, std::size_t t, std::size_t m, bool serial);

  TimedVariety variety_;
  Random random_;
  std::int64_t next_value_ = 1;
  std::array<std::int64_t, 3> real_time_ = {};
};

/// What a history does wrong; empty if nothing. `seed` is for choices of the property's own.
using TimedProperty = std::function<std::string(const TimedHistory&, std::uint64_t seed)>;

/// Runs a property on so many histories of each variety; fails the running test with up to three of
/// them. ELAPID_PROPERTY_SEED is the first seed (1).
void for_all_timed(std::uint64_t by_default, const TimedProperty& property);

}  // namespace elapid
