// The versions of a row that an operation may have seen, if old versions count: at repeatable read
// and read committed.
//
//   T3 updated rows with age > 20 but not row 7: it did not see the version in which T1 gave row 7
//   age 30; it may have seen the version of T2, which gave it age 10
#pragma once

#include <cstdint>

#include "engine/argue/fixed_order.h"
#include "engine/argue/row_parts.h"
#include "engine/argue/trial.h"
#include "engine/ir/history.h"

namespace elapid::argue {

struct VersionOptions {
  bool is_open = false;          ///< the universe
  bool is_of_one_state = false;  ///< read atomic
};

/// Uses only the writers' own writes and the fixed order. Borrows all.
class PossibleVersions {
 public:
  PossibleVersions(const History& history, const RowWrites& writes, const FixedOrder& fixed,
                   VersionOptions options)
      : history_(history),
        writes_(writes),
        fixed_(fixed),
        is_open_(options.is_open),
        is_of_one_state_(options.is_of_one_state) {}

  /// Whether the operation may have seen the initial version in an open universe, or of one state
  /// the version at the beginning.
  [[nodiscard]] bool may_be_first(const Failure& failure) const;

  /// Whether the operation may have seen the version that the transaction left. The operation
  /// failed with the first version of the row.
  [[nodiscard]] bool may_be_version_of(const Failure& failure, TxnId writer) const;

  /// Whether the operation may have seen the row as the writer left it, if `other` had been the
  /// last to write the cause's part before.
  [[nodiscard]] bool may_concern(const Failure& failure, TxnId writer, const LastWriter& cause,
                                 TxnId other) const;

  /// Whether the operation may have found the row so at any time.
  [[nodiscard]] bool may_be_found(const Failure& failure) const;

  /// Whether the transaction may have written the row itself before the operation.
  [[nodiscard]] bool may_be_own(TxnId txn, std::uint32_t mop, KeyId row) const;

 private:
  [[nodiscard]] bool may_concern(const Failure& failure, TxnId writer) const;
  [[nodiscard]] bool may_be_beginning(const Failure& failure) const;
  [[nodiscard]] bool may_be_left_by(const Failure& failure, TxnId writer) const;
  [[nodiscard]] bool may_have_made(const Failure& failure, TxnId writer) const;

  const History& history_;
  const RowWrites& writes_;
  const FixedOrder& fixed_;
  bool is_open_;
  bool is_of_one_state_;
};

}  // namespace elapid::argue
