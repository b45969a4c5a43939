#include "parsers/viper/viper_row_lines.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string_view>

#include "engine/ir/call.h"
#include "engine/ir/integer_text.h"
#include "parsers/viper/viper_format.h"

namespace elapid {

using rows::Field;
using rows::Known;
using rows::Predicate;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

std::string numbers(std::string_view before, std::initializer_list<std::int64_t> all) {
  std::string text(before);
  for (const std::int64_t number : all) {
    text += ", " + std::to_string(number);
  }
  return text;
}

std::string bound(std::int64_t number, std::int64_t open) {
  return number == open ? "\"nil\"" : std::to_string(number);
}

std::string_view flag(bool is_set) {
  return is_set ? "true" : "false";
}

}  // namespace

ViperRowLines::ViperRowLines(const Plan& plan) : plan_(plan), rows_(*plan.history().info().rows) {
  note_written();
}

/// The cell with the shown field; nothing without a field: see append_read().
Result<ViperRowLines::Cell> ViperRowLines::cell(std::span<const Field> fields) const {
  const History& history = plan_.history();
  const ValueId value = fields.size() == 1 ? fields.front().value : ValueId::nil();
  if (const auto number = history.values().as_integer(value); number && *number != 0) {
    return Cell{*number, false};
  }
  const std::string text = history.text(value);
  const auto parts = text.starts_with('[') ? elements_of(text) : std::nullopt;
  if (parts && parts->size() == 2 && parts->front() == kViperDead) {
    if (const auto number = integer_of(parts->back()); number && *number != 0) {
      return Cell{*number, true};
    }
  }
  return usage_error(
      "viper has rows of one value, an integer other than 0 or a tombstone of one such as "
      "[\"dead\" 5], found " +
      (fields.size() == 1 ? text : std::to_string(fields.size()) + " values"));
}

/// Notes the written values of transactions that the output has.
void ViperRowLines::note_written() {
  for (const PlannedTxn& txn : plan_.txns()) {
    for (const Op op : plan_.history().ops(txn.txn)) {
      const RowOp& row_op = rows_.op(op);
      const auto written = rows_.written(row_op);
      const Result<Cell> made =
          row_op.row.is_none() || written.empty() ? Result<Cell>(Cell()) : cell(written);
      if (made) {
        written_.emplace(row_op.row, made.value().number);
      }
    }
  }
}

/// Counts unwritten values, which readers take for initial ones.
void ViperRowLines::note_seen(KeyId row, const Cell& seen) {
  unwritten_ += written_.contains({row, seen.number}) ? 0U : 1U;
}

Status ViperRowLines::append(const PlannedTxn& txn, std::string& out) {
  if (plan_.is_contents(txn.txn)) {
    return append_contents(txn, out);
  }
  out += "{\"value\": [";
  const std::size_t begin = out.size();
  const RowOp* before = nullptr;
  const std::span<const Op> ops = plan_.history().ops(txn.txn);
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const RowOp& op = rows_.op(ops[i]);
    // A following delete tells what was read before it.
    const RowOp* next = i + 1 < ops.size() ? &rows_.op(ops[i + 1]) : nullptr;
    if (next == nullptr || !is_deleting(*next) || read_of(*next, &op) == nullptr) {
      std::string text;
      ELAPID_RETURN_IF_ERROR(append_op(op, before, text));
      out += (out.size() == begin || text.empty() ? "" : ", ") + text;
    }
    before = &op;
  }
  out += "]}\n";
  return {};
}

Status ViperRowLines::append_contents(const PlannedTxn& txn, std::string& out) {
  std::string alive;
  std::string dead;
  for (const Op op : plan_.history().ops(txn.txn)) {
    ELAPID_ASSIGN_OR_RETURN(const Cell held, cell(rows_.written(rows_.op(op))));
    std::string& all = held.is_dead ? dead : alive;
    all += (all.empty() ? "{\"id\": " : ", {\"id\": ") + std::to_string(key(op.key())) +
           ", \"val\": " + std::to_string(held.number) + '}';
  }
  out += R"({"value": [["range", "nil", "nil", [)" + alive + "], [" + dead +
         "]]], \"isInitial\": true}\n";
  return {};
}

Status ViperRowLines::append_op(const RowOp& op, const RowOp* before, std::string& out) {
  switch (op.kind) {
    case RowOpKind::kInsert:
    case RowOpKind::kUpdate:
    case RowOpKind::kPut:
      return append_write(op, before, out);
    case RowOpKind::kRead:
      return append_read(op, out);
    case RowOpKind::kPredicateRead:
      return append_range(op, out);
    case RowOpKind::kDelete:
      return usage_error(
          "viper has no deletes but those that leave a tombstone in the row, a value such as "
          "[\"dead\" 5]");
    default:
      return usage_error("viper has no updates and deletes by predicates");
  }
}

/// Appends a read, unless nothing is known of it.
Status ViperRowLines::append_read(const RowOp& op, std::string& out) {
  if (op.known == Known::kNothing) {
    return {};
  }
  if (op.known == Known::kVersions) {
    return usage_error("viper has no names of versions");
  }
  const auto shown = rows_.shown(op);
  if (shown.empty()) {
    out = numbers("[\"r\"", {key(op.row), 0}) + ", false]";
    return {};
  }
  if (rows_.fields(shown.front()).empty()) {
    ++reads_;
    return {};
  }
  ELAPID_ASSIGN_OR_RETURN(const Cell seen, cell(rows_.fields(shown.front())));
  note_seen(op.row, seen);
  out = numbers("[\"r\"", {key(op.row), seen.number}) + ", ";
  out += flag(seen.is_dead);
  out += ']';
  return {};
}

/// The read of the row before a write of it, if it shows what the row holds. A delete behind a read
/// of nothing is an insert to Viper.
const RowOp* ViperRowLines::read_of(const RowOp& op, const RowOp* before) const {
  const bool is_read = before != nullptr && before->kind == RowOpKind::kRead &&
                       before->row == op.row && before->known == Known::kValues;
  const bool is_told =
      is_read && before->shown_count > 0 && rows_.shown(*before).front().field_count == 1;
  return is_told ? before : nullptr;
}

bool ViperRowLines::is_deleting(const RowOp& op) const {
  const bool puts = op.kind == RowOpKind::kUpdate || op.kind == RowOpKind::kPut;
  const Result<Cell> made = puts ? cell(rows_.written(op)) : Result<Cell>(Cell());
  return made && made.value().is_dead;
}

Status ViperRowLines::append_write(const RowOp& op, const RowOp* before, std::string& out) {
  ELAPID_ASSIGN_OR_RETURN(const Cell made, cell(rows_.written(op)));
  const bool is_insert = op.kind == RowOpKind::kInsert;
  if (!made.is_dead) {
    updates_ += op.kind == RowOpKind::kUpdate ? 1U : 0U;
    out = is_insert ? numbers("[\"i\"", {key(op.row), made.number, 0}) + ", true, true]"
                    : numbers("[\"w\"", {key(op.row), made.number}) + ", true]";
    return {};
  }
  const RowOp* read = is_insert ? nullptr : read_of(op, before);
  if (read == nullptr && !is_insert) {
    return usage_error(
        "a delete of viper tells what it deleted, and here a tombstone is put in a row whose "
        "content its transaction has not read before");
  }
  Cell seen;
  if (read != nullptr) {
    ELAPID_ASSIGN_OR_RETURN(seen, cell(rows_.fields(rows_.shown(*read).front())));
    note_seen(op.row, seen);
  }
  out = numbers("[\"d\"", {key(op.row), made.number, seen.number}) + ", ";
  out += flag(seen.is_dead);
  out += ", true]";
  return {};
}

std::optional<ViperRowLines::KeyRange> ViperRowLines::range(const Predicate& predicate) {
  switch (predicate.kind) {
    case Predicate::Kind::kTrue:
      return KeyRange{kLowest, kHighest};
    case Predicate::Kind::kKeyRange:
      return KeyRange{predicate.low, predicate.high};
    case Predicate::Kind::kAnd: {
      KeyRange all = {kLowest, kHighest};
      for (const Predicate& part : predicate.parts) {
        const auto one = range(part);
        if (!one) {
          return std::nullopt;
        }
        all = {std::max(all.low, one->low), std::min(all.high, one->high)};
      }
      return all;
    }
    default:
      return std::nullopt;
  }
}

/// The range of keys that the result covers completely. A limit ends the range at its last row.
std::optional<ViperRowLines::KeyRange> ViperRowLines::range(const RowOp& op) const {
  std::optional<KeyRange> keys = range(rows_.predicate(op));
  const auto shown = rows_.shown(op);
  const bool is_empty = op.known != Known::kNothing && shown.empty() && op.count == 0;
  if (!keys || (op.known != Known::kValues && !is_empty)) {
    return std::nullopt;
  }
  std::int64_t last = kLowest;
  for (const ShownRow& row : shown) {
    const std::int64_t number = key(row.row);
    if (row.field_count != 1 || number < keys->low || number > keys->high) {
      return std::nullopt;
    }
    last = std::max(last, number);
  }
  if (op.first > 0 && shown.size() == op.first) {
    keys->high = last;
  }
  return keys;
}

Status ViperRowLines::append_range(const RowOp& op, std::string& out) {
  if (op.known == Known::kVersions) {
    return usage_error("viper has no names of versions");
  }
  const std::optional<KeyRange> keys = range(op);
  if (!keys) {
    predicates_ += op.known == Known::kNothing ? 0U : 1U;
    return {};
  }
  std::string alive;
  std::string dead;
  for (const ShownRow& row : rows_.shown(op)) {
    ELAPID_ASSIGN_OR_RETURN(const Cell seen, cell(rows_.fields(row)));
    note_seen(row.row, seen);
    std::string& all = seen.is_dead ? dead : alive;
    all += (all.empty() ? "{\"id\": " : ", {\"id\": ") + std::to_string(key(row.row)) +
           ", \"val\": " + std::to_string(seen.number) + '}';
  }
  out = "[\"range\", " + bound(keys->low, kLowest) + ", " + bound(keys->high, kHighest) + ", [" +
        alive + "], [" + dead + "]]";
  return {};
}

void ViperRowLines::count_losses(std::vector<Loss>& losses) const {
  const auto lose = [&losses](char letter, std::uint64_t count, std::string what) {
    if (count > 0) {
      losses.push_back({letter, count, std::move(what), true});
    }
  };
  lose('Q', updates_, "updates made writes, whether the row was there or not");
  lose('R', reads_, "reads that do not tell what the row held left out");
  lose('X', predicates_,
       "predicates that are no range of keys, or whose rows are not all recorded with their "
       "values, left out");
  lose('W', unwritten_, "values seen that no transaction wrote, which count as the initial state");
}

Status plan_viper_rows(const Plan& plan, std::vector<Loss>& losses) {
  if (const std::size_t columns = plan.history().info().rows->column_count(); columns > 1) {
    return usage_error("viper has rows of one value, and these have " + std::to_string(columns) +
                       " columns");
  }
  ViperRowLines lines(plan);
  std::string text;
  for (const PlannedTxn& txn : plan.txns()) {
    text.clear();
    ELAPID_RETURN_IF_ERROR(lines.append(txn, text));
  }
  lines.count_losses(losses);
  return {};
}

}  // namespace elapid
