// What the judges of registers and lists share: the violations that they find, and the versions and
// writes that they look at.
#pragma once

#include <algorithm>
#include <cstddef>
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

/// Why nothing that was found may still not be enough: how often, and the first example.
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

/// What the sweep over some keys found.
struct SweepFindings {
  std::vector<TimestampEvidence> reads = {};  ///< kInt and kExt, without origins
  /// Writers that overlap an earlier one of the key.
  std::vector<std::pair<TxnId, KeyId>> conflicting = {};
  Doubt tied = {};   ///< readers of keys whose versions no timestamp orders
  Doubt maybe = {};  ///< readers of what MaybeWrites has
};

/// Keys whose state hangs on the order of events at one time. Nearly always there is none.
class TiedKeys {
 public:
  /// A member of a group of transactions that read and write at one time.
  void add_group_write(TxnId txn, KeyId key) {
    const auto [writer, is_new] = group_writers_.try_emplace(key, txn);
    if (!is_new && writer->second != txn) {
      writer->second = TxnId::none();  // several
    }
  }

  void end_group() {
    if (!group_writers_.empty()) {
      group_writers_.clear();
    }
  }

  /// Two transactions wrote the key at one time.
  void add_version(KeyId key) { versions_.insert(key); }

  /// A later version of a register leaves no doubt.
  void settle(KeyId key) {
    if (!versions_.empty()) {
      versions_.erase(key);
    }
  }

  [[nodiscard]] bool empty() const { return versions_.empty() && group_writers_.empty(); }

  /// Whether it is uncertain what the transaction should read.
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

/// What judges of keys have in common.
struct JudgeContext {
  const History& history;
  const Timeline& timeline;
  const MaybeWrites& maybe_writes;
  unsigned key_shift = 0;  ///< keys are spread over 2^key_shift judges, by their low bits

  /// Whether nothing orders two transactions that wrote at one time.
  [[nodiscard]] bool are_tied(TxnId first, TxnId second) const {
    return timeline.is_instant(first) == timeline.is_instant(second);
  }

  /// A read that should have shown something else. `expected_writer`: kExt.
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

  [[nodiscard]] std::size_t place(KeyId key) const { return key.index() >> key_shift; }

  /// Keys that one judge has, at most.
  [[nodiscard]] std::size_t key_places() const { return (history.key_count() >> key_shift) + 1; }
};

}  // namespace elapid
