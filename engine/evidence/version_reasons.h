// Why one version of a register comes before another: the operations that an assumption about keys
// orders.
//
//   process 0:  w(x, 1)            process 1:  r(x, 2)
//               r(x, 2)
//
// Under sequential-keys 1 comes before 2: process 0 wrote 1 before it read 2. The rules are those
// of docs/elle-rules.md (versions of registers).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// An operation, by its transaction and its place among that one's operations.
struct OpRef {
  TxnId txn = TxnId::none();
  std::uint32_t mop = 0;
};

/// Two operations on a register, and the source that orders what they read or wrote. Both are of
/// one transaction for kWfrKeys.
struct VersionReason {
  VersionSource source = VersionSource::kSequentialKeys;
  OpRef earlier;
  OpRef later;
};

/// Looks for reasons in the operations of a history. They are sorted by key when the first question
/// comes, in one pass.
class VersionReasons {
 public:
  VersionReasons(const History& history, const Assumptions& assumptions);

  /// Why `before` comes before `after` among the versions of `key`, by the assumptions alone.
  /// Operations of the transactions in `preferred` are chosen if possible. Linear in the
  /// transactions that touch the key, times the assumptions.
  [[nodiscard]] std::optional<VersionReason> find(KeyId key, ValueId before, ValueId after,
                                                  std::span<const TxnId> preferred = {});

 private:
  /// What others see of a transaction's operations on a key.
  struct Touch {
    TxnId txn;
    std::optional<std::uint32_t> read = {};   ///< the first operation on the key, if it reads
    std::optional<std::uint32_t> write = {};  ///< the last write
  };

  /// Operations that left a version behind, of which no other comes before a later one unless
  /// these do: the first of each session, the first completed and the one with the least place.
  struct Firsts {
    std::vector<OpRef> of_session;
    OpRef completed = {};
    OpRef placed = {};
  };

  void collect();
  void note(TxnId txn);
  [[nodiscard]] bool shows(TxnId txn, std::optional<std::uint32_t> mop, ValueId version) const;
  [[nodiscard]] std::vector<OpRef> that_left(KeyId key, ValueId version) const;
  [[nodiscard]] std::vector<OpRef> that_met(KeyId key, ValueId version) const;
  [[nodiscard]] Firsts firsts_of(std::span<const OpRef> left) const;
  [[nodiscard]] std::optional<std::int64_t> place(OpRef write) const;
  [[nodiscard]] std::optional<VersionSource> order_of(OpRef first, OpRef second) const;
  [[nodiscard]] std::optional<VersionReason> within_one(KeyId key, ValueId before,
                                                        ValueId after) const;

  const History& history_;
  Assumptions assumptions_;                       // the order of transactions sorted
  std::vector<std::vector<Touch>> touches_ = {};  // by key, in the order of transactions
};

}  // namespace elapid
