// The versions of keys with violations, in order of time.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/timestamps/timeline.h"

namespace elapid {

/// The version of a key that a transaction left, and its time.
struct TimedVersion {
  std::int64_t time = 0;
  TxnId writer;
  ValueId last = {};  ///< the value, or the last appended element
};

/// The versions of some keys. Built in O(operations), 16 bytes a version.
class VersionLists {
 public:
  VersionLists(const History& history, const Timeline& timeline, std::span<const KeyId> keys);

  /// By time; empty for a key that was not asked for.
  [[nodiscard]] std::span<const TimedVersion> of(KeyId key) const;

 private:
  std::unordered_map<KeyId, std::vector<TimedVersion>> versions_;
};

/// Two overlapping transactions that wrote one key.
struct TimedConflict {
  TxnId earlier;  ///< the first to commit
  TxnId later;
  KeyId key;
};

struct TimedConflicts {
  std::vector<TimedConflict> listed = {};  ///< sorted by `later`, key and `earlier`
  std::uint64_t count = 0;
};

/// All conflicts of the writers that overlap an earlier writer of the key; each pair once for each
/// key. Lists at most `most_listed` conflicts and counts the others. Near linear in these writers
/// and in the list.
[[nodiscard]] TimedConflicts find_conflicts(const History& history, const Timeline& timeline,
                                            std::span<const std::pair<TxnId, KeyId>> writers,
                                            std::size_t most_listed);

}  // namespace elapid
