// Whether an operation can have its recorded result, by what is known of the rows.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/certify/rows/rows_known.h"
#include "engine/ir/history.h"
#include "engine/rows/rows.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::certify {

/// Borrows the history.
class RowsFindings {
 public:
  /// What is known of a row.
  using KnownOf = std::function<KnownRow(KeyId)>;

  explicit RowsFindings(const History& history) : history_(history), rows_(*history.info().rows) {}

  /// Whether the operation cannot have found what it did, were the row like this; or, `as` other
  /// than kAsRecorded, cannot have found the row so.
  [[nodiscard]] bool is_impossible(const rows::RowOp& op, KeyId key, const KnownRow& row,
                                   std::uint32_t as = kAsRecorded) const;

  /// Whether a result without keys cannot have been found, as `known(row)` tells of the rows.
  [[nodiscard]] bool is_miscounted(const rows::RowOp& op, const KnownOf& known) const;

 private:
  [[nodiscard]] bool is_impossible_as(const rows::RowOp& op, KeyId key, const KnownRow& row,
                                      std::uint32_t as) const;

  /// Whether the row cannot hold what was shown of it.
  [[nodiscard]] bool contradicts(const rows::RowOp& op, const rows::ShownRow& shown,
                                 const KnownRow& row) const;

  [[nodiscard]] std::int64_t number(KeyId row) const;

  /// Whether the row comes after all that were asked for.
  [[nodiscard]] bool is_beyond(const rows::RowOp& op, KeyId key) const;

  [[nodiscard]] std::vector<ValueId> values(const rows::ShownRow& row) const;

  /// Whether the first rows that match, as many as were asked for, are known, and others than those
  /// shown.
  [[nodiscard]] bool is_other_beginning(const rows::RowOp& op, std::vector<KeyId> rows,
                                        const KnownOf& known) const;

  const History& history_;
  const rows::Rows& rows_;
};

}  // namespace elapid::certify
