// The common part of the judges of registers and lists: the violations that they find, and the
// versions and writes that they use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/timestamps/maybe_writes.h"
#include "engine/timestamps/timeline.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Why the findings may be incomplete: the number of cases, and the first one.
struct Doubt {
  std::uint64_t count = 0;
  TxnId example = TxnId::none();

  void add(TxnId txn) {
    ++count;
    example = std::min(example, txn);  // none() is the greatest
  }

  void add(const Doubt& other) {
    count += other.count;
    example = std::min(example, other.example);
  }
};

/// The findings of the sweep over some keys.
struct SweepFindings {
  std::vector<TimestampEvidence> reads = {};  ///< kInt and kExt, without origins
  /// Writers that overlap an earlier writer of the key.
  std::vector<std::pair<TxnId, KeyId>> conflicting = {};
  Doubt tied = {};   ///< readers of keys with versions that no timestamp orders
  Doubt maybe = {};  ///< readers of writes in MaybeWrites
};

/// Keys with a state that depends on the order of events at one time. Usually there are none.
class TiedKeys {
 public:
  /// Adds a write of a group of transactions that read and write at one time.
  void add_group_write(TxnId txn, KeyId key) {
    const auto [writer, is_new] = group_writers_.try_emplace(key, txn);
    if (!is_new && writer->second != txn) {
      writer->second = TxnId::none();  // several writers
    }
  }

  void end_group() {
    if (!group_writers_.empty()) {
      group_writers_.clear();
    }
  }

  /// Notes that two transactions wrote the key at one time.
  void add_version(KeyId key) { versions_.insert(key); }

  /// Notes a later version of a register, which leaves no doubt.
  void settle(KeyId key) {
    if (!versions_.empty()) {
      versions_.erase(key);
    }
  }

  [[nodiscard]] bool empty() const { return versions_.empty() && group_writers_.empty(); }

  /// Whether the correct result of the transaction's read is uncertain.
  [[nodiscard]] bool contains(TxnId txn, KeyId key) const {
    if (empty()) {
      return false;
    }
    const auto writer = group_writers_.find(key);
    return versions_.contains(key) || (writer != group_writers_.end() && writer->second != txn);
  }

 private:
  std::unordered_set<KeyId> versions_;
  std::unordered_map<KeyId, TxnId> group_writers_;
};

/// The common data of judges of keys.
struct JudgeContext {
  const History& history;
  const Timeline& timeline;
  const MaybeWrites& maybe_writes;

  /// Whether two transactions that wrote at one time have no order.
  [[nodiscard]] bool are_tied(TxnId first, TxnId second) const {
    return timeline.is_instant(first) == timeline.is_instant(second);
  }

  /// A read that should have shown another version. `expected_writer`: for kExt.
  [[nodiscard]] TimestampEvidence wrong_read(TimestampAxiom axiom, TxnId txn, std::uint32_t mop,
                                             Op op, ExpectedRead expected,
                                             TxnId expected_writer = TxnId::none()) const {
    return {.axiom = axiom,
            .at_commit = timeline.read_point() == ReadPoint::kCommit,
            .txn = txn,
            .key = op.key(),
            .mop = mop,
            .expected = std::move(expected),
            .expected_writer = expected_writer};
  }
};

}  // namespace elapid
