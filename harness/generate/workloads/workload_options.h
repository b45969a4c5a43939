// The options of workloads that shape the requests of transactions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/generate/distribution.h"
#include "harness/generate/workloads/row_forms.h"

namespace elapid {

struct WorkloadOptions {
  std::size_t keys = 10;          ///< keys in use at a time
  std::uint64_t max_writes = 32;  ///< the most writes of a key before it is retired; 0: no limit
  Law key_law = {};               ///< how often each key is drawn
  std::size_t min_length = 1;     ///< the fewest operations of a transaction
  std::size_t max_length = 4;
  std::uint32_t reads = 500'000;  ///< share of reads, in millionths
  std::uint64_t values = 0;       ///< number of values that registers take again and again; 0: each
                                  ///< value is written to a key once
  Law value_law = {};             ///< how often each value is written
  std::uint32_t repeating = 1'000'000;  ///< share of keys whose values repeat, in millionths
  bool loads = false;                   ///< registers have initial values that no write explains
  RowFormWeights forms = {};            ///< of transactions on rows; all 0: the default ones
};

}  // namespace elapid
