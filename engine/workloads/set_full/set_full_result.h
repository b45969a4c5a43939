// The result of a check of a set's elements: as Jepsen's checker prints it, and as
// sentences.
//
//   {:attempt-count 2, :stable-count 1, :lost-count 1, :lost (1), ...}
//   T1 added 1, and was told that it had succeeded. However, T2 ... did not find it: a lost
//   element!
#pragma once

#include <vector>

#include "engine/verdict/description.h"
#include "engine/verdict/verdict.h"
#include "engine/workloads/set_full/element_fates.h"

namespace elapid {

/// Counts of elements by fate.
struct FateCounts {
  std::int64_t lost = 0;
  std::int64_t stable = 0;
  std::int64_t never_read = 0;
  std::int64_t slow = 0;   ///< stable after 1 ms or more: Jepsen's :stale
  std::int64_t stale = 0;  ///< stable, and missed by a read that began after it was known
};

[[nodiscard]] FateCounts count_fates(const ElementFates& set);

/// The keys of jepsen.checker/set-full in their order. Jepsen never finds a duplicated element (it
/// looks for a frequency below 1); `is_jepsen` reproduces this. Without times there are no
/// latencies, and no element is stale.
[[nodiscard]] std::vector<ResultEntry> set_full_entries(const ElementFates& set, bool is_jepsen);

/// Descriptions of the first lost, the first unexpected and the first duplicated elements;
/// `with_stale`: also of elements that were read late.
[[nodiscard]] std::vector<Description> set_full_findings(const History& history,
                                                         const ElementFates& set, bool with_stale);

}  // namespace elapid
