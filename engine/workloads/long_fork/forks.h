// Long forks: two reads of the same keys, each of which shows a write that the other does not.
//
//   [[:r 1 1] [:r 2 nil]]   shows the write of key 1 without that of key 2
//   [[:r 1 nil] [:r 2 1]]   shows them the other way round: no order of the writes explains both
//
// Where each key is written once, a read shows the writes before a point of their order. So of two
// reads of the same keys one shows all that the other shows. The reads of a group are sorted by how
// many keys they show; there is no fork iff each shows all that the one before it shows. Only in a
// group with a fork are reads compared in pairs, one of each pattern of keys shown.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/workloads/long_fork/reads.h"

namespace elapid::long_fork {

/// Reads that are incomparable, the earlier transaction first, and the first key that each shows
/// and the other does not.
struct Fork {
  TxnId first;
  TxnId second;
  KeyId of_first;
  KeyId of_second;
};

/// Two reads that show different values of one key, which is therefore written twice.
struct TwoValues {
  TxnId first;
  TxnId second;
  KeyId key;
};

/// The first two reads of the group, in order, that show different values of a key. O(n) for n
/// operations.
[[nodiscard]] std::optional<TwoValues> two_values(const Reads& reads,
                                                  std::span<const std::uint32_t> group);

/// Adds forks of the group in the order of their transactions until there are `most`. Requires that
/// no key has two values. O(n log n) without a fork; with forks k p^2 more, for p patterns of k
/// keys.
void find_forks(const Reads& reads, std::span<const std::uint32_t> group, std::size_t most,
                std::vector<Fork>& out);

}  // namespace elapid::long_fork
