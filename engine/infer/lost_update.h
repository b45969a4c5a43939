// Lost updates: two committed transactions that read one version of a key and both wrote the next.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// A transaction that updated a version which it had read.
struct VersionUpdate {
  KeyId key;
  std::uint64_t version;  ///< version_read()
  TxnId txn;
  std::uint32_t mop;  ///< the read
};

/// The kind and the payload of a read: equal for reads of one version of a key.
[[nodiscard]] std::uint64_t version_read(Op read);

/// Appends the lost updates among these to `out`, by key and version: one anomaly for each version
/// that several transactions updated. O(n log n).
void append_lost_updates(std::vector<VersionUpdate> updates, std::vector<Anomaly>& out);

/// All lost updates, one anomaly a version, ordered by key and version. A read counts only before
/// any write of its transaction, and nil is the empty list. Reads that are `ambiguous` are left
/// out: they do not tell which version they saw. O(operations log operations).
[[nodiscard]] std::vector<Anomaly> lost_updates(const History& history,
                                                const std::function<bool(Op read)>& ambiguous);

}  // namespace elapid
