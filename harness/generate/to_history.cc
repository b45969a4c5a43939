#include "harness/generate/to_history.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/rows/rows_builder.h"
#include "parsers/convert/plain_event.h"

namespace elapid {

namespace {

// Converts operations on rows of numbers (plain_event.h) for a HistoryBuilder.

class RowMops {
 public:
  /// Borrows the builder of the history.
  explicit RowMops(HistoryBuilder& history);

  /// Adds a micro-operation of kind OpKind::kRow. Errors: of the RowsBuilder.
  Result<MopInput> add(const PlainEvent& event, const PlainMop& mop);

  /// The operations added, on a table that is empty at first.
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

// Columns are in the order of their names, as in readers.
constexpr std::size_t kNumbersOfRow = 4;  // the key, `g`, `v` and `u`

bool is_by_key(const PlainRowOp& op) {
  return op.by == PlainRowsBy::kRow;
}

rows::RowOpKind kind_of(const PlainRowOp& op) {
  using enum rows::RowOpKind;
  switch (op.kind) {
    case PlainRowKind::kInsert:
      return kInsert;
    case PlainRowKind::kRead:
      return is_by_key(op) ? kRead : kPredicateRead;
    case PlainRowKind::kUpdate:
      return is_by_key(op) ? kUpdate : kPredicateUpdate;
    case PlainRowKind::kDelete:
      return is_by_key(op) ? kDelete : kPredicateDelete;
  }
  return kInsert;
}

RowMops::RowMops(HistoryBuilder& history)
    : history_(history),
      rows_(history),
      group_(rows_.column(history.values().intern(":g"))),
      value_(rows_.column(history.values().intern(":v"))),
      unique_(rows_.column(history.values().intern(":u"))) {}

Result<MopInput> RowMops::add(const PlainEvent& event, const PlainMop& mop) {
  const PlainRowOp& op = event.row_ops[static_cast<std::size_t>(mop.value)];
  rows::RowOpInput input = {.kind = kind_of(op)};
  written_.clear();
  if (op.kind == PlainRowKind::kInsert) {
    input.row = rows_.row(number(op.key));
    written_.push_back({group_, number(op.group)});
  } else if (is_by_key(op)) {
    input.row = rows_.row(number(op.low));
  } else {
    input.predicate = predicate(op);
  }
  if (op.kind == PlainRowKind::kInsert || op.kind == PlainRowKind::kUpdate) {
    written_.push_back({unique_, number(op.unique)});
    written_.push_back({value_, number(op.value)});
  }
  input.written = written_;
  const auto found = event.elements.subspan(mop.list_begin, mop.list_length);
  const bool has_result =
      op.kind == PlainRowKind::kRead || (op.kind != PlainRowKind::kInsert && !is_by_key(op));
  if (mop.is_nil || !has_result) {
    return rows_.add(input);
  }
  if (op.kind == PlainRowKind::kRead) {
    take_found(found, input);
  } else if (mop.tells_rows) {
    take_keys(found, input);
  } else {
    input.known = rows::Known::kCount;
    input.count = static_cast<std::uint32_t>(found.front());
  }
  return rows_.add(input);
}

rows::Predicate RowMops::predicate(const PlainRowOp& op) const {
  using rows::Predicate;
  switch (op.by) {
    case PlainRowsBy::kRow:
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

std::optional<std::int64_t> start_of(const PlainEvent& event) {
  return event.timestamps ? std::optional(event.timestamps->start) : std::nullopt;
}

std::optional<std::int64_t> commit_of(const PlainEvent& event) {
  return event.timestamps ? std::optional(event.timestamps->commit) : std::nullopt;
}

/// Passes events to a builder.
class HistoryWriter {
 public:
  Status add_event(const PlainEvent& event) {
    ELAPID_RETURN_IF_ERROR(convert(event));
    return builder_.add_event({.type = event.type,
                               .process = event.process,
                               .index = index_++,
                               .time = event.time,
                               .mops = mops_,
                               .elements = elements_});
  }

  /// Adds the transaction of a completion. If only the invocation is known, its operations are
  /// used.
  Status add_transaction(const PlainEvent& event) {
    ELAPID_RETURN_IF_ERROR(convert(event));
    return builder_.add_transaction({.session = event.process,
                                     .status = status_of(event.type),
                                     .invocation_time = event.invoked,
                                     .completion_time = event.time,
                                     .start_timestamp = start_of(event),
                                     .commit_timestamp = commit_of(event),
                                     .mops = mops_,
                                     .elements = elements_});
  }

  Result<History> build(std::string_view format) && {
    HistoryInfo info = {.format = std::string(format)};
    if (rows_) {
      info.workload = Workload::kRows;
      info.rows = std::move(*rows_).build();
    }
    return std::move(builder_).build(std::move(info));
  }

 private:
  Status convert(const PlainEvent& event) {
    ValuePool& values = builder_.values();
    mops_.clear();
    elements_.clear();
    for (const std::int64_t element : event.elements) {
      elements_.push_back(values.integer(element));
    }
    for (const PlainMop& mop : event.mops) {
      if (mop.kind == OpKind::kRow) {
        ELAPID_RETURN_IF_ERROR(add_row_op(event, mop));
        continue;
      }
      mops_.push_back({.kind = mop.kind,
                       .key = builder_.key(values.integer(mop.key)),
                       .value = mop.is_nil || mop.kind == OpKind::kReadList
                                    ? ValueId::nil()
                                    : values.integer(mop.value),
                       .list_begin = mop.list_begin,
                       .list_length = mop.list_length});
    }
    return {};
  }

  Status add_row_op(const PlainEvent& event, const PlainMop& mop) {
    if (!rows_) {
      rows_.emplace(builder_);
    }
    ELAPID_ASSIGN_OR_RETURN(MopInput made, rows_->add(event, mop));
    mops_.push_back(made);
    return {};
  }

  std::int64_t index_ = 0;
  HistoryBuilder builder_;
  std::optional<RowMops> rows_ = {};  // in a history of rows
  std::vector<MopInput> mops_ = {};
  std::vector<ValueId> elements_ = {};
};

}  // namespace

Result<History> to_history(EventSource& source, bool with_timestamps) {
  HistoryWriter writer;
  PlainEvent event;
  while (source.next(event)) {
    const bool is_invocation = event.type == EventType::kInvoke;
    const Status added = with_timestamps ? is_invocation ? Status() : writer.add_transaction(event)
                         : event.is_silent ? Status()
                                           : writer.add_event(event);
    ELAPID_RETURN_IF_ERROR(added);
  }
  return std::move(writer).build(with_timestamps ? "jsonl" : "edn");
}

}  // namespace elapid
