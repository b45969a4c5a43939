// Writes transactions on rows as lines of Viper's JSON, which ViperRows reads back.
//
// Rows are single values: integers except 0, and tombstones ["dead" 5] of these. The initial
// contents of rows are an initial transaction. An insert becomes `i`, which found nothing. A put of
// a tombstone after a read of its row becomes `d`. A read by a predicate that is a range of keys
// becomes `range`.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/result.h"
#include "engine/rows/rows.h"
#include "parsers/convert/plan.h"
#include "parsers/viper/viper_rows.h"

namespace elapid {

class ViperRowLines {
 public:
  /// Borrows the plan, which must be one of rows.
  explicit ViperRowLines(const Plan& plan);

  /// Appends the line of a transaction. Error kUsage for rows that logs cannot hold: rows of
  /// several columns, values that are no integers, versions with names, deletes without a
  /// tombstone, writes by predicates.
  Status append(const PlannedTxn& txn, std::string& out);

  /// Adds the losses of all lines so far.
  void count_losses(std::vector<Loss>& losses) const;

 private:
  /// The content of a row, as Viper writes it.
  struct Cell {
    std::int64_t number = 0;  // 0: no value
    bool is_dead = false;
  };

  struct KeyRange {
    std::int64_t low = 0;
    std::int64_t high = 0;
  };

  [[nodiscard]] std::int64_t key(KeyId row) const {
    return plan_.key_numbers().number(plan_.history().key_value(row));
  }

  [[nodiscard]] Result<Cell> cell(std::span<const rows::Field> fields) const;
  [[nodiscard]] std::optional<KeyRange> range(const rows::RowOp& op) const;
  [[nodiscard]] static std::optional<KeyRange> range(const rows::Predicate& predicate);
  void note_written();
  void note_seen(KeyId row, const Cell& seen);
  Status append_contents(const PlannedTxn& txn, std::string& out);
  Status append_op(const rows::RowOp& op, const rows::RowOp* before, std::string& out);
  Status append_read(const rows::RowOp& op, std::string& out);
  Status append_write(const rows::RowOp& op, const rows::RowOp* before, std::string& out);
  Status append_range(const rows::RowOp& op, std::string& out);
  [[nodiscard]] const rows::RowOp* read_of(const rows::RowOp& op, const rows::RowOp* before) const;
  [[nodiscard]] bool is_deleting(const rows::RowOp& op) const;

  const Plan& plan_;
  const rows::Rows& rows_;
  std::set<std::pair<KeyId, std::int64_t>> written_;  // rows and the numbers written to them
  std::uint64_t updates_ = 0;
  std::uint64_t reads_ = 0;
  std::uint64_t predicates_ = 0;
  std::uint64_t unwritten_ = 0;
};

}  // namespace elapid
