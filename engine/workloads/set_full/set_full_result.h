// The fates of a set's elements as the result of its check: what Jepsen's checker prints, and
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

/// How many elements are lost, and so on.
struct FateCounts {
  std::int64_t lost = 0;
  std::int64_t stable = 0;
  std::int64_t never_read = 0;
  std::int64_t slow = 0;   ///< stable after a millisecond or more: Jepsen's :stale
  std::int64_t stale = 0;  ///< stable, and missed by a read that began after they were known
};

[[nodiscard]] FateCounts count_fates(const ElementFates& set);

/// The keys of jepsen.checker/set-full in their order. Jepsen never finds an element duplicated
/// (it asks for a frequency below 1): `is_jepsen` says the same. Without times there are no
/// latencies, and no element is called stale.
[[nodiscard]] std::vector<ResultEntry> set_full_entries(const ElementFates& set, bool is_jepsen);

/// Descriptions of elements that are lost, unexpected and duplicated, of each the first ones;
/// `with_stale` of those that were read late as well.
[[nodiscard]] std::vector<Description> set_full_findings(const History& history,
                                                         const ElementFates& set, bool with_stale);

}  // namespace elapid
