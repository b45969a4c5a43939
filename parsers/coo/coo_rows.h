// Schedules with scans as transactions on rows.
//
// An item is a row that exists from the beginning, with the number of its schedule and of its
// version. A scan returns the items of its schedule with an even version:
//
//   W0a C0 S1 R1b C1      [:put "s1/a" {:version 1}]
//                         [:rp [:and [:= :schedule 1] [:mod :version 2 0]] {"s1/b" {:version 0}}]
//                         [:r "s1/b" {:version 0}]
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "engine/rows/rows_builder.h"
#include "parsers/coo/coo_schedule.h"

namespace elapid {

/// The key of an item: item a in the schedule of line 3 is `"s3/a"`.
[[nodiscard]] std::string coo_item_key(std::int64_t line, std::size_t item);

/// The session of the transaction with the digit `number`.
[[nodiscard]] constexpr std::int64_t coo_session(std::int64_t line, std::size_t number) {
  return line * static_cast<std::int64_t>(CooSchedule::kTxns) + static_cast<std::int64_t>(number);
}

/// Holds all schedules until the end, because the initial contents come first.
class CooRows {
 public:
  /// Borrows the builder of the history.
  explicit CooRows(HistoryBuilder& history);

  /// Takes the schedule of a line, which ended at time `now`.
  void add(std::int64_t line, const CooSchedule& schedule, std::int64_t now);

  /// Gives all transactions to the builder, first the one with the initial items. Error: the
  /// builder's.
  Status hand_over();

  [[nodiscard]] std::shared_ptr<const rows::Rows> build() && {
    return std::move(rows_).build(true);
  }

 private:
  struct StoredSchedule {
    std::int64_t line = 0;
    std::array<bool, kCooItems> has_item = {};
    std::vector<std::size_t> numbers = {};
    std::vector<CooTxn> txns = {};
    std::int64_t end = 0;
  };

  [[nodiscard]] KeyId row(const StoredSchedule& schedule, std::size_t item);
  Status add_contents();
  Status add(const StoredSchedule& schedule, const CooTxn& txn, std::size_t number);
  [[nodiscard]] Result<MopInput> operation(const StoredSchedule& schedule, const CooTxn& txn,
                                           const CooAccess& access);
  [[nodiscard]] Result<MopInput> scan(const StoredSchedule& schedule, const CooVersions& versions,
                                      SourcePosition position);

  HistoryBuilder& history_;
  rows::RowsBuilder rows_;
  rows::ColumnId schedule_column_;
  rows::ColumnId version_column_;
  std::vector<StoredSchedule> schedules_;
};

}  // namespace elapid
