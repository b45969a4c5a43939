#include "parsers/viper/viper_rows.h"

#include <algorithm>
#include <string>

namespace elapid {

using rows::Known;
using rows::RowOpKind;

namespace {

constexpr std::int64_t kContentsSession = -1;

}  // namespace

Status ViperRows::add(const ViperTxn& txn, std::int64_t session) {
  failed_writes_ += txn.failed_writes;
  tombstones_ += txn.deletes;
  const StoredTxn stored = {session, txn.position, ops_.size(), txn.ops.size()};
  const std::size_t rows = shown_.size();
  shown_.insert(shown_.end(), txn.rows.begin(), txn.rows.end());
  for (ViperOp op : txn.ops) {
    op.row_begin += rows;
    ops_.push_back(op);
  }
  if (!txn.is_initial) {
    txns_.push_back(stored);
    return {};
  }
  if (initial_) {
    return malformed_at(txn.position.offset,
                        "expected one initial transaction, found a second one");
  }
  initial_ = stored;
  return {};
}

bool ViperRows::is_unknown(ValueId key, ValueId value) const {
  return !written_.contains(pack(key, value));
}

/// Whether a read of this value found no row. It found one if a range showed the row with this
/// value.
bool ViperRows::is_nothing(ValueId key, ValueId value) const {
  const bool may_be = value.is_nil() || value == ValueId::integer(0) || value == nothing_;
  const auto known = content_of_.find(key);
  return may_be && is_unknown(key, value) &&
         (known == content_of_.end() || contents_[known->second].cell.value != value);
}

/// Notes all written versions. Those of the initial transaction are initial contents too.
void ViperRows::note_written() {
  for (const StoredTxn& txn : txns_) {
    for (const ViperOp& op : std::span(ops_).subspan(txn.op_begin, txn.op_count)) {
      if (op.kind == ViperOp::Kind::kWrite || op.kind == ViperOp::Kind::kReadAndWrite) {
        written_.insert(pack(op.key, op.written.value));
      }
    }
  }
  if (!initial_) {
    return;
  }
  for (const ViperOp& op : std::span(ops_).subspan(initial_->op_begin, initial_->op_count)) {
    if (op.kind == ViperOp::Kind::kWrite) {
      learn(op.key, op.written, initial_->position);
    }
    for (const ViperRow& row : std::span(shown_).subspan(op.row_begin, op.row_count)) {
      learn(row.key, row.cell, initial_->position);
    }
  }
  for (const ViperRow& row : contents_) {
    written_.insert(pack(row.key, row.cell.value));
  }
}

/// Notes the values that no transaction wrote. Values in ranges come first: a range shows that the
/// row exists, whatever its value is.
void ViperRows::note_contents() {
  const std::size_t recorded = contents_.size();
  for (const bool is_of_ranges : {true, false}) {
    for (const StoredTxn& txn : txns_) {
      for (const ViperOp& op : std::span(ops_).subspan(txn.op_begin, txn.op_count)) {
        if (is_of_ranges) {
          for (const ViperRow& row : std::span(shown_).subspan(op.row_begin, op.row_count)) {
            if (is_unknown(row.key, row.cell.value)) {
              learn(row.key, row.cell, txn.position);
            }
          }
        } else if (op.kind == ViperOp::Kind::kRead || op.kind == ViperOp::Kind::kReadAndWrite) {
          if (is_unknown(op.key, op.seen.value) && !is_nothing(op.key, op.seen.value)) {
            learn(op.key, op.seen, txn.position);
          }
        }
      }
    }
  }
  unknown_rows_ = contents_.size() - recorded;
}

/// Notes the initial content of a row, unless it is known.
void ViperRows::learn(ValueId key, const ViperCell& cell, SourcePosition position) {
  if (content_of_.try_emplace(key, contents_.size()).second) {
    contents_.push_back({key, cell});
    first_unknown_ = first_unknown_.value_or(position);
  }
}

/// Sets the values of absent rows to nil, and the one unwritten value of a row that can be initial
/// to the initial content. Other unwritten values stay: no transaction wrote them.
void ViperRows::settle() {
  for (const StoredTxn& txn : txns_) {
    for (ViperOp& op : std::span(ops_).subspan(txn.op_begin, txn.op_count)) {
      if (op.kind == ViperOp::Kind::kRead || op.kind == ViperOp::Kind::kReadAndWrite) {
        settle(op.key, op.seen);
      }
      for (ViperRow& row : std::span(shown_).subspan(op.row_begin, op.row_count)) {
        settle(row.key, row.cell);
      }
    }
  }
}

void ViperRows::settle(ValueId key, ViperCell& cell) {
  if (is_nothing(key, cell.value)) {
    cell = {};
  } else if (is_unknown(key, cell.value)) {
    const ViperCell& content = contents_[content_of_.at(key)].cell;
    cell = cell.value == content.value ? content : cell;
  }
}

Status ViperRows::finish(Sources& sources, ValueId nothing, HistoryInfo& info) && {
  nothing_ = nothing;
  note_written();
  note_contents();
  settle();
  if (initial_ || !contents_.empty()) {
    info.initial_txn = {0};
    if (Status status = hand_over_contents(); !status.ok()) {
      const std::uint16_t file = initial_ ? initial_->position.file : first_unknown_->file;
      return sources.located(file, std::move(status.error()));
    }
  }
  for (const StoredTxn& txn : txns_) {
    if (Status status = hand_over(txn); !status.ok()) {
      return sources.located(txn.position.file, std::move(status.error()));
    }
  }
  describe(info);
  info.rows = std::move(rows_).build(true);
  return {};
}

Status ViperRows::hand_over_contents() {
  const SourcePosition position = initial_ ? initial_->position : *first_unknown_;
  mops_.clear();
  for (const ViperRow& row : contents_) {
    const rows::Field written = field(row.cell);
    ELAPID_RETURN_IF_ERROR(push({.kind = RowOpKind::kInsert,
                                 .position = position,
                                 .row = rows_.row(row.key),
                                 .written = {&written, 1}}));
  }
  return history_.add_transaction(
      {.session = kContentsSession, .position = position, .mops = mops_});
}

Status ViperRows::hand_over(const StoredTxn& txn) {
  mops_.clear();
  for (const ViperOp& op : std::span(ops_).subspan(txn.op_begin, txn.op_count)) {
    const SourcePosition position = {.file = txn.position.file, .offset = op.offset};
    Status status =
        op.kind == ViperOp::Kind::kRange ? push_range(op, position) : push(op, position);
    ELAPID_RETURN_IF_ERROR(status);
  }
  return history_.add_transaction(
      {.session = txn.session, .position = txn.position, .mops = mops_});
}

/// Adds an operation on one row. An insert tells that the row did not exist before.
Status ViperRows::push(const ViperOp& op, SourcePosition position) {
  const KeyId row = rows_.row(op.key);
  const bool reads = op.kind != ViperOp::Kind::kWrite;
  const bool writes = op.kind != ViperOp::Kind::kRead;
  const bool is_there = reads && !op.seen.value.is_nil();
  if (reads && (is_there || !writes)) {
    const rows::Field held = is_there ? field(op.seen) : rows::Field();
    const rows::ShownRowInput shown = {.row = row, .fields = {&held, 1}};
    if (Status status = push({.kind = RowOpKind::kRead,
                              .position = position,
                              .row = row,
                              .known = Known::kValues,
                              .shown = std::span(&shown, is_there ? 1 : 0)});
        !status.ok() || !writes) {
      return status;
    }
  }
  const rows::Field written = field(op.written);
  return push({.kind = reads && !is_there ? RowOpKind::kInsert : RowOpKind::kPut,
               .position = position,
               .row = row,
               .written = {&written, 1}});
}

Status ViperRows::push_range(const ViperOp& op, SourcePosition position) {
  const std::span<const ViperRow> found = std::span(shown_).subspan(op.row_begin, op.row_count);
  std::vector<rows::Field> fields;
  fields.reserve(found.size());
  std::vector<rows::ShownRowInput> shown;
  for (const ViperRow& row : found) {
    fields.push_back(field(row.cell));
    shown.push_back({.row = rows_.row(row.key), .fields = {&fields.back(), 1}});
  }
  return push(
      {.kind = RowOpKind::kPredicateRead,
       .position = position,
       .predicate = op.has_bounds ? rows::Predicate::key_range(op.low, op.high) : rows::Predicate(),
       .known = Known::kValues,
       .shown = shown});
}

Status ViperRows::push(const rows::RowOpInput& input) {
  ELAPID_ASSIGN_OR_RETURN(MopInput mop, rows_.add(input));
  mops_.push_back(mop);
  return {};
}

/// The value that a row holds. A tombstone has a value that no other write has.
rows::Field ViperRows::field(const ViperCell& cell) {
  ValuePool& values = history_.values();
  return {rows_.column(ValueId::none()),
          cell.is_dead
              ? values.intern('[' + std::string(kViperDead) + ' ' + values.text(cell.value) + ']')
              : cell.value};
}

void ViperRows::describe(HistoryInfo& info) const {
  if (initial_) {
    info.assumptions.emplace_back(
        "The transaction marked as initial tells which rows were there at the beginning.");
  }
  if (unknown_rows_ > 0) {
    info.assumptions.push_back(
        "Rows with values that were read and that no recorded transaction wrote, " +
        std::to_string(unknown_rows_) +
        " in all, were there at the beginning with these values, as Viper takes them" +
        (initial_ ? "." : ", and a transaction that is made up tells of them."));
  }
  info.assumptions.emplace_back(
      "Rows that the history does not name did not exist at the beginning; 0 and nil mean that a "
      "row does not exist.");
  if (tombstones_ > 0) {
    info.assumptions.push_back("Deletes, " + std::to_string(tombstones_) +
                               " in all, leave tombstones in their rows, which ranges return: "
                               "values such as [\"dead\" 5].");
  }
  if (failed_writes_ > 0) {
    info.assumptions.push_back("Writes that say they did not succeed, " +
                               std::to_string(failed_writes_) + " in all, are left out.");
  }
}

}  // namespace elapid
