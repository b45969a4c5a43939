#include "harness/generate/row_mops.h"

#include <array>
#include <cstddef>
#include <span>

namespace elapid {

// Columns come in the order of their names, as readers have them.
namespace {

constexpr std::size_t kNumbersOfRow = 4;  // the key, `g`, `v` and `u`

rows::RowOpKind kind_of(PlainRowKind kind) {
  switch (kind) {
    case PlainRowKind::kInsert:
      return rows::RowOpKind::kInsert;
    case PlainRowKind::kRead:
      return rows::RowOpKind::kPredicateRead;
    case PlainRowKind::kUpdate:
      return rows::RowOpKind::kPredicateUpdate;
    case PlainRowKind::kDelete:
      return rows::RowOpKind::kPredicateDelete;
  }
  return rows::RowOpKind::kPredicateRead;
}

}  // namespace

RowMops::RowMops(HistoryBuilder& history)
    : history_(history),
      rows_(history),
      group_(rows_.column(history.values().intern(":g"))),
      value_(rows_.column(history.values().intern(":v"))),
      unique_(rows_.column(history.values().intern(":u"))) {}

Result<MopInput> RowMops::add(const PlainEvent& event, const PlainMop& mop) {
  const PlainRowOp& op = event.row_ops[static_cast<std::size_t>(mop.value)];
  rows::RowOpInput input = {.kind = kind_of(op.kind)};
  written_.clear();
  if (op.kind == PlainRowKind::kInsert) {
    input.row = rows_.row(number(op.key));
    written_.push_back({group_, number(op.group)});
  } else {
    input.predicate = predicate(op);
  }
  if (op.kind == PlainRowKind::kInsert || op.kind == PlainRowKind::kUpdate) {
    written_.push_back({unique_, number(op.unique)});
    written_.push_back({value_, number(op.value)});
  }
  input.written = written_;
  const auto found = event.elements.subspan(mop.list_begin, mop.list_length);
  if (!mop.is_nil && op.kind == PlainRowKind::kRead) {
    take_found(found, input);
  } else if (!mop.is_nil && mop.tells_rows) {
    take_keys(found, input);
  } else if (!mop.is_nil && op.kind != PlainRowKind::kInsert) {
    input.known = rows::Known::kCount;
    input.count = static_cast<std::uint32_t>(found.front());
  }
  return rows_.add(input);
}

rows::Predicate RowMops::predicate(const PlainRowOp& op) const {
  using rows::Predicate;
  switch (op.by) {
    case PlainRowsBy::kKeys:
      return Predicate::key_range(op.low, op.high);
    case PlainRowsBy::kGroup:
      return Predicate::equal(group_, number(op.group));
    case PlainRowsBy::kValues:
      return Predicate::range(value_, op.low, op.high);
    case PlainRowsBy::kValuesOfGroup:
      return Predicate::all_of(
          {Predicate::equal(group_, number(op.group)), Predicate::range(value_, op.low, op.high)});
  }
  return {};
}

void RowMops::take_keys(std::span<const std::int64_t> keys, rows::RowOpInput& input) {
  input.known = rows::Known::kKeys;
  shown_.clear();
  for (const std::int64_t key : keys) {
    shown_.push_back({.row = rows_.row(number(key))});
  }
  input.shown = shown_;
}

void RowMops::take_found(std::span<const std::int64_t> found, rows::RowOpInput& input) {
  input.known = rows::Known::kValues;
  fields_.clear();
  shown_.clear();
  for (std::size_t i = 0; i < found.size(); i += kNumbersOfRow) {
    for (const auto& [column, at] :
         {std::pair(group_, i + 1), std::pair(unique_, i + 3), std::pair(value_, i + 2)}) {
      fields_.push_back({column, number(found[at])});
    }
  }
  constexpr std::size_t kColumns = kNumbersOfRow - 1;
  for (std::size_t i = 0; i < found.size() / kNumbersOfRow; ++i) {
    shown_.push_back({.row = rows_.row(number(found[i * kNumbersOfRow])),
                      .fields = std::span(fields_).subspan(i * kColumns, kColumns)});
  }
  input.shown = shown_;
}

}  // namespace elapid
