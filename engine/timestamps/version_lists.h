// The versions of keys with violations, in the order of time.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/timestamps/timeline.h"

namespace elapid {

/// What a transaction left of a key, and when.
struct TimedVersion {
  std::int64_t time = 0;
  TxnId writer;
  ValueId last = {};  ///< the value, or the element appended last
};

/// The versions of some keys. O(operations) once, 16 bytes a version.
class VersionLists {
 public:
  VersionLists(const History& history, const Timeline& timeline, std::span<const KeyId> keys);

  /// By time; nothing for a key that was not asked for.
  [[nodiscard]] std::span<const TimedVersion> of(KeyId key) const;

 private:
  std::unordered_map<KeyId, std::vector<TimedVersion>> versions_;
};

/// Two transactions that overlap and wrote one key.
struct TimedConflict {
  TxnId earlier;  ///< committed first
  TxnId later;
  KeyId key;
};

struct TimedConflicts {
  std::vector<TimedConflict> listed = {};  ///< sorted by `later`, key and `earlier`
  std::uint64_t count = 0;
};

/// All conflicts of the writers that were found to overlap an earlier one of the key; each pair
/// once a key. Lists at most `most_listed` of them and counts the others. Near linear in these
/// writers and what is listed.
[[nodiscard]] TimedConflicts find_conflicts(const History& history, const Timeline& timeline,
                                            std::span<const std::pair<TxnId, KeyId>> writers,
                                            std::size_t most_listed);

}  // namespace elapid
