// Whether an operation can have its recorded result, given the known state of the rows.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/certify/rows/rows_known.h"
#include "engine/ir/history.h"
#include "engine/rows/rows.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::certify {

/// Keeps a reference to the history.
class RowsFindings {
 public:
  /// The known state of a row.
  using KnownOf = std::function<KnownRow(KeyId)>;

  explicit RowsFindings(const History& history) : history_(history), rows_(*history.info().rows) {}

  /// Whether a row in this state excludes the operation's recorded result. If `as` is not
  /// kAsRecorded: whether it excludes that the operation found the row in the state `as`.
  [[nodiscard]] bool is_impossible(const rows::RowOp& op, KeyId key, const KnownRow& row,
                                   std::uint32_t as = kAsRecorded) const;

  /// Whether the rows, with known(row) as their states, exclude a recorded result without keys.
  [[nodiscard]] bool is_miscounted(const rows::RowOp& op, const KnownOf& known) const;

 private:
  [[nodiscard]] bool is_impossible_as(const rows::RowOp& op, KeyId key, const KnownRow& row,
                                      std::uint32_t as) const;

  /// Whether the row cannot have the shown contents.
  [[nodiscard]] bool contradicts(const rows::RowOp& op, const rows::ShownRow& shown,
                                 const KnownRow& row) const;

  [[nodiscard]] std::int64_t number(KeyId row) const;

  /// Whether the row comes after the last row within the limit.
  [[nodiscard]] bool is_beyond(const rows::RowOp& op, KeyId key) const;

  [[nodiscard]] std::vector<ValueId> values(const rows::ShownRow& row) const;

  /// For a result that is limited to the first matches: whether these rows are known, and differ
  /// from the rows shown.
  [[nodiscard]] bool is_other_beginning(const rows::RowOp& op, std::vector<KeyId> rows,
                                        const KnownOf& known) const;

  const History& history_;
  const rows::Rows& rows_;
};

}  // namespace elapid::certify
