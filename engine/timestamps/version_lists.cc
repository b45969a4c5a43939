#include "engine/timestamps/version_lists.h"

#include <algorithm>
#include <tuple>

namespace elapid {

VersionLists::VersionLists(const History& history, const Timeline& timeline,
                           std::span<const KeyId> keys) {
  std::vector<bool> is_wanted(history.key_count());
  for (const KeyId key : keys) {
    is_wanted[key.index()] = true;
  }
  for (const TimelineEvent& event : timeline.events()) {
    if (keys.empty() || event.kind == TimelineEvent::Kind::kStart) {
      continue;
    }
    for (const Op op : history.ops(event.txn)) {
      if (!op.is_write() || !is_wanted[op.key().index()]) {
        continue;
      }
      std::vector<TimedVersion>& versions = versions_[op.key()];
      if (versions.empty() || versions.back().writer != event.txn) {
        versions.push_back({event.time, event.txn, op.value()});
      }
      versions.back().last = op.value();
    }
  }
}

std::span<const TimedVersion> VersionLists::of(KeyId key) const {
  const auto found = versions_.find(key);
  return found == versions_.end() ? std::span<const TimedVersion>() : found->second;
}

namespace {

/// The versions that were committed between the start of `writer` and its own version.
std::span<const TimedVersion> overlapped(const Timeline& timeline,
                                         std::span<const TimedVersion> versions, TxnId writer) {
  const std::int64_t time = timeline.writes_at(writer);
  auto last = std::ranges::lower_bound(versions, time, {}, &TimedVersion::time);
  while (last->writer != writer) {
    ++last;
  }
  const auto first = std::ranges::upper_bound(versions.begin(), last, timeline.reads_at(writer), {},
                                              &TimedVersion::time);
  return {first, last};
}

}  // namespace

TimedConflicts find_conflicts(const History& history, const Timeline& timeline,
                              std::span<const std::pair<TxnId, KeyId>> writers,
                              std::size_t most_listed) {
  std::vector<KeyId> keys;
  for (const auto& [txn, key] : writers) {
    keys.push_back(key);
  }
  const VersionLists versions(history, timeline, keys);
  std::vector<std::pair<TxnId, KeyId>> sorted(writers.begin(), writers.end());
  std::ranges::sort(sorted);
  TimedConflicts conflicts;
  for (const auto& [txn, key] : sorted) {
    const std::span<const TimedVersion> others = overlapped(timeline, versions.of(key), txn);
    conflicts.count += others.size();
    for (const TimedVersion& other :
         others.first(std::min(others.size(), most_listed - conflicts.listed.size()))) {
      conflicts.listed.push_back({.earlier = other.writer, .later = txn, .key = key});
    }
  }
  std::ranges::sort(conflicts.listed, {}, [](const TimedConflict& conflict) {
    return std::tuple(conflict.later, conflict.key, conflict.earlier);
  });
  return conflicts;
}

}  // namespace elapid
