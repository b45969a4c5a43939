// Why one version of a register comes before another: the operations that an assumption about keys
// orders.
//
//   process 0:  w(x, 1)            process 1:  r(x, 2)
//               r(x, 2)
//
// Under sequential-keys 1 comes before 2: process 0 wrote 1 before it read 2. docs/elle-rules.md
// (versions of registers) has the rules.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// An operation, by its transaction and its place among the transaction's operations.
struct OpRef {
  TxnId txn = TxnId::none();
  std::uint32_t mop = 0;
};

/// Two operations on a register, and the assumption that orders the versions which they read or
/// wrote. For kWfrKeys both are of one transaction.
struct VersionReason {
  VersionSource source = VersionSource::kSequentialKeys;
  OpRef earlier;
  OpRef later;
};

/// Finds reasons in the operations of a history. The first question sorts these by key, in one
/// pass.
class VersionReasons {
 public:
  VersionReasons(const History& history, const Assumptions& assumptions);

  /// Why `before` comes before `after` among the versions of `key`, by the assumptions alone.
  /// Prefers operations of the transactions in `preferred`. Linear in the transactions that touch
  /// the key, times the assumptions.
  [[nodiscard]] std::optional<VersionReason> find(KeyId key, ValueId before, ValueId after,
                                                  std::span<const TxnId> preferred = {});

  /// Whether the value is nothing but the initial state of this register: no transaction wrote
  /// either of its two names, nil and the initial value. Else a read of the value may show a write.
  [[nodiscard]] bool is_initial(KeyId key, ValueId value);

 private:
  /// The operations of a transaction on a key that others can see.
  struct Touch {
    TxnId txn;
    std::optional<std::uint32_t> read = {};   ///< the first operation on the key, if it reads
    std::optional<std::uint32_t> write = {};  ///< the last write
  };

  /// Operations that left a version behind. If any such operation comes before a later one, one of
  /// these does: the first of each session, the first completed, and the one with the least place.
  struct Firsts {
    std::vector<OpRef> of_session;
    OpRef completed = {};
    OpRef placed = {};
  };

  void collect();
  void note(TxnId txn);
  [[nodiscard]] bool shows(TxnId txn, std::optional<std::uint32_t> mop, ValueId version);
  [[nodiscard]] std::vector<OpRef> that_left(KeyId key, ValueId version);
  [[nodiscard]] std::vector<OpRef> that_met(KeyId key, ValueId version);
  [[nodiscard]] Firsts firsts_of(std::span<const OpRef> left) const;
  [[nodiscard]] std::optional<std::int64_t> place(OpRef write) const;
  [[nodiscard]] std::optional<VersionSource> order_of(OpRef first, OpRef second) const;
  [[nodiscard]] std::optional<VersionReason> within_one(KeyId key, ValueId before, ValueId after);

  const History& history_;
  Assumptions assumptions_;                                // the order of transactions sorted
  std::vector<std::vector<Touch>> touches_ = {};           // by key, in the order of transactions
  std::optional<std::vector<bool>> initial_written_ = {};  // by key
};

}  // namespace elapid
