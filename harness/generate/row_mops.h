// Operations on rows of numbers, as a harness makes them (plain_event.h), for a HistoryBuilder.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "engine/rows/rows_builder.h"
#include "parsers/convert/plain_event.h"

namespace elapid {

class RowMops {
 public:
  /// Borrows the builder of the history.
  explicit RowMops(HistoryBuilder& history);

  /// The operation that a micro-operation of kind OpKind::kRow is. Errors: of the RowsBuilder.
  Result<MopInput> add(const PlainEvent& event, const PlainMop& mop);

  /// All of them, of a table that was empty at first.
  [[nodiscard]] std::shared_ptr<const rows::Rows> build() && {
    return std::move(rows_).build(true);
  }

 private:
  [[nodiscard]] ValueId number(std::int64_t n) const { return history_.values().integer(n); }

  [[nodiscard]] rows::Predicate predicate(const PlainRowOp& op) const;
  void take_keys(std::span<const std::int64_t> keys, rows::RowOpInput& input);
  void take_found(std::span<const std::int64_t> found, rows::RowOpInput& input);

  HistoryBuilder& history_;
  rows::RowsBuilder rows_;
  rows::ColumnId group_;
  rows::ColumnId value_;
  rows::ColumnId unique_;
  std::vector<rows::Field> written_ = {};
  std::vector<rows::Field> fields_ = {};
  std::vector<rows::ShownRowInput> shown_ = {};
};

}  // namespace elapid
