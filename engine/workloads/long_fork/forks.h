// Long forks: two reads of the same keys, each with a write that the other one lacks.
//
//   [[:r 1 1] [:r 2 nil]]   shows the write of key 1 without that of key 2
//   [[:r 1 nil] [:r 2 1]]   shows the converse: no order of the writes explains both
//
// If each key is written once, a read shows the writes before a point in their order. So of two
// reads of the same keys, one shows all writes of the other. The reads of a group are sorted by the
// number of keys shown. There is no fork iff each read shows all writes of its predecessor. Only in
// a group with a fork are pairs compared, with one read for each pattern of keys shown.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/workloads/long_fork/reads.h"

namespace elapid::long_fork {

/// Two incomparable reads, the earlier transaction first; for each, the first key that it shows and
/// the other one does not.
struct Fork {
  TxnId first;
  TxnId second;
  KeyId of_first;
  KeyId of_second;
};

/// Two reads with different values of one key, which is therefore written twice.
struct TwoValues {
  TxnId first;
  TxnId second;
  KeyId key;
};

/// The first two reads of the group, in order, with different values of a key. O(n) for n
/// operations.
[[nodiscard]] std::optional<TwoValues> two_values(const Reads& reads,
                                                  std::span<const std::uint32_t> group);

/// A key of which one read of the group shows nil, and another one the initial value, which a write
/// wrote, too: it may have seen this write or not. If all show the value, all can have seen it, and
/// the key makes no fork. O(n) for n operations.
[[nodiscard]] std::optional<KeyId> doubtful_key(const Reads& reads,
                                                std::span<const std::uint32_t> group);

/// Adds forks of the group, by transaction, until there are `most`. Requires that no key
/// has two values, and none is doubtful. O(n log n) without a fork; with forks, k p^2 more for p
/// patterns of k keys.
void find_forks(const Reads& reads, std::span<const std::uint32_t> group, std::size_t most,
                std::vector<Fork>& out);

/// The fork that Jepsen finds in a group where some key has two values. It compares the reads two
/// by two, in order, and throws at two values, so a later fork counts for nothing. O(n log n + k
/// p^2) for n operations and p different ones of k keys.
[[nodiscard]] std::optional<Fork> first_fork_before_two_values(
    const Reads& reads, std::span<const std::uint32_t> group);

}  // namespace elapid::long_fork
