#include "parsers/viper/viper_json.h"

#include <initializer_list>
#include <optional>
#include <string>

#include "parsers/bytes/byte_source.h"
#include "parsers/elle_json/edn_text.h"
#include "parsers/json/integer.h"
#include "parsers/json/piece.h"

namespace elapid {

using json::Kind;
using json::Value;

namespace {

constexpr std::string_view kOpenBound = "nil";

Error unexpected(const std::string& expected, Value found) {
  return malformed_at(found.offset(), "expected " + expected + ", found " + describe(found));
}

bool is_nested(Value value) {
  return value.is_array() || value.is_object();
}

bool is_nil(Value value) {
  return value.is_null() || (value.is_string() && value.text() == kOpenBound);
}

Status check_scalars(std::initializer_list<Value> parts) {
  for (const Value part : parts) {
    if (is_nested(part)) {
      return unexpected("a number or a string as key and value", part);
    }
  }
  return {};
}

/// An element of the array, which must exist.
Value element(Value array, std::size_t index) {
  Value element = array.begin();
  while (index-- > 0) {
    element = element.next();
  }
  return element;
}

/// Reads a flag of a micro-operation.
Status read_flag(Value flag, bool& into) {
  into = flag.kind() == Kind::kTrue;
  return into || flag.kind() == Kind::kFalse ? Status() : unexpected("true or false", flag);
}

Status check_length(Value mop, std::size_t size, std::size_t least, std::size_t most) {
  if (size >= least && size <= most) {
    return {};
  }
  const std::string name(mop.begin().text());
  const std::string range =
      least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
  return malformed_at(mop.offset(), "expected " + range + " elements in an operation `" + name +
                                        "`, found " + std::to_string(size));
}

/// Whether a row is within the bounds. Bounds that are no integers are open.
bool is_within(Value id, Value low, Value high) {
  const auto key = integer(id);
  const auto least = integer(low);
  const auto most = integer(high);
  return !key || ((!least || *key >= *least) && (!most || *key <= *most));
}

/// Whether an initial transaction may have the operation: a write, or a read of everything.
bool may_be_initial(Value mop) {
  const std::string_view name = mop.begin().text();
  const bool is_everything = name == "range" && is_nil(element(mop, 1)) && is_nil(element(mop, 2));
  return name == "w" || is_everything;
}

}  // namespace

Status ViperJsonReader::read(std::string_view line, std::uint64_t offset, ViperTxn& txn) {
  txn.clear();
  ELAPID_ASSIGN_OR_RETURN(const std::size_t parsed, json::parse_piece(line, offset, document_));
  if (line.find_first_not_of(" \t\r", parsed) != std::string_view::npos) {
    return malformed_at(offset + parsed, "expected the end of the line behind the object");
  }
  if (const auto key = document_.duplicate_key()) {
    return unexpected("each key of an object once", *key);
  }
  const Value object = document_.root();
  const auto value = object.is_object() ? find(object, "value") : std::nullopt;
  if (!value || !value->is_array()) {
    return unexpected("an object with an array as \"value\"", value.value_or(object));
  }
  const auto is_initial = find(object, "isInitial");
  txn.is_initial = is_initial && is_initial->kind() == Kind::kTrue;
  for (Value mop = value->begin(); mop != value->end(); mop = mop.next()) {
    ELAPID_RETURN_IF_ERROR(read_mop(mop, txn));
  }
  return {};
}

Status ViperJsonReader::read_mop(Value mop, ViperTxn& txn) {
  const bool has_name = mop.is_array() && mop.begin() != mop.end() && mop.begin().is_string();
  if (!has_name) {
    return unexpected(R"(an operation such as ["r", 1, 101, false])", mop);
  }
  const std::string_view name = mop.begin().text();
  const std::size_t size = size_of(mop);
  if (name == "w") {
    return read_write(mop, size, txn);
  }
  const std::size_t least = name == "r" || name == "d" ? 4 : name == "i" ? 6 : 5;
  const std::size_t most = name == "r" ? 4 : name == "range" ? 6 : 8;
  if (name != "r" && name != "i" && name != "d" && name != "range") {
    return unexpected("r, w, i, d or range as the name of an operation", mop.begin());
  }
  ELAPID_RETURN_IF_ERROR(check_length(mop, size, least, most));
  if (txn.is_initial && !may_be_initial(mop)) {
    return unexpected("only writes in an initial transaction", mop.begin());
  }
  if (name == "range") {
    return read_range(mop, txn);
  }
  if (name == "r") {
    return txn.is_of_rows ? add_op(ViperOp::Kind::kRead, mop, txn)
                          : add(OpKind::kRead, element(mop, 1), element(mop, 2), txn);
  }
  return name == "d" ? read_delete(mop, size, txn) : read_write(mop, size, txn);
}

/// Reads `["w", key, value, succ]` or `["i", key, value, readValue, isDead, succ, ...]`.
Status ViperJsonReader::read_write(Value mop, std::size_t size, ViperTxn& txn) {
  const bool is_insert = mop.begin().text() == "i";
  if (!is_insert) {
    ELAPID_RETURN_IF_ERROR(check_length(mop, size, 4, 4));
  }
  bool has_succeeded = false;
  ELAPID_RETURN_IF_ERROR(read_flag(element(mop, is_insert ? 5 : 3), has_succeeded));
  if (has_succeeded) {
    txn.inserts += is_insert ? 1U : 0U;
    return txn.is_of_rows
               ? add_op(is_insert ? ViperOp::Kind::kReadAndWrite : ViperOp::Kind::kWrite, mop, txn)
               : add(OpKind::kWrite, element(mop, 1), element(mop, 2), txn);
  }
  if (txn.is_initial) {
    return unexpected("only writes that succeeded in an initial transaction", mop.begin());
  }
  ++txn.failed_writes;
  return {};
}

/// Reads `["d", key, value, readValue, isDead, succ, ...]`: a write of a tombstone.
Status ViperJsonReader::read_delete(Value mop, std::size_t size, ViperTxn& txn) {
  bool has_succeeded = true;
  if (size >= 6) {
    ELAPID_RETURN_IF_ERROR(read_flag(element(mop, 5), has_succeeded));
  }
  if (!has_succeeded) {
    return unexpected("a delete that succeeded", element(mop, 5));
  }
  ++txn.deletes;
  if (!txn.is_of_rows) {
    return add(OpKind::kWrite, element(mop, 1), element(mop, 2), txn);
  }
  Status status = add_op(ViperOp::Kind::kReadAndWrite, mop, txn);
  if (status.ok()) {
    txn.ops.back().written.is_dead = true;
  }
  return status;
}

/// Reads `["range", low, high, live rows, dead rows, ...]`.
Status ViperJsonReader::read_range(Value mop, ViperTxn& txn) {
  txn.ranges += txn.is_initial ? 0 : 1;
  if (txn.is_of_rows) {
    ELAPID_RETURN_IF_ERROR(add_range(mop, txn));
  }
  for (const std::size_t place : {std::size_t{3}, std::size_t{4}}) {
    const Value rows = element(mop, place);
    if (!rows.is_array()) {
      return unexpected("an array of rows", rows);
    }
    for (Value row = rows.begin(); row != rows.end(); row = row.next()) {
      ELAPID_RETURN_IF_ERROR(read_row(row, place == 4, mop, txn));
    }
  }
  return {};
}

/// Adds a range without its rows.
Status ViperJsonReader::add_range(Value mop, ViperTxn& txn) {
  ViperOp op = {
      .kind = ViperOp::Kind::kRange, .row_begin = txn.rows.size(), .offset = mop.offset()};
  for (const std::size_t place : {std::size_t{1}, std::size_t{2}}) {
    const Value bound = element(mop, place);
    const auto number = integer(bound);
    if (!number && !is_nil(bound)) {
      return unexpected(R"(an integer or "nil" as a bound)", bound);
    }
    op.has_bounds = op.has_bounds || number;
    std::int64_t& into = place == 1 ? op.low : op.high;
    into = number.value_or(into);
  }
  txn.ops.push_back(op);
  return {};
}

/// Reads a row that the range `range` returned.
Status ViperJsonReader::read_row(Value row, bool is_dead, Value range, ViperTxn& txn) {
  const auto id = row.is_object() ? find(row, "id") : std::nullopt;
  const auto value = row.is_object() ? find(row, "val") : std::nullopt;
  if (!id || !value) {
    return unexpected(R"(a row with "id" and "val")", row);
  }
  const Value low = element(range, 1);
  const Value high = element(range, 2);
  if (!is_within(*id, low, high)) {
    return unexpected("a row between " + describe(low) + " and " + describe(high), *id);
  }
  if (!txn.is_of_rows) {
    return add(txn.is_initial ? OpKind::kWrite : OpKind::kRead, *id, *value, txn);
  }
  ELAPID_RETURN_IF_ERROR(check_scalars({*id, *value}));
  ++txn.ops.back().row_count;
  txn.rows.push_back({scalar(*id), {scalar(*value), is_dead}});
  return {};
}

/// Adds an operation on one row, `[name, key, value, ...]`.
Status ViperJsonReader::add_op(ViperOp::Kind kind, Value mop, ViperTxn& txn) {
  const bool is_read = kind == ViperOp::Kind::kRead;
  const Value key = element(mop, 1);
  const Value value = element(mop, 2);
  const Value seen = is_read ? value : element(mop, 3);
  ELAPID_RETURN_IF_ERROR(check_scalars({key, value, seen}));
  ViperOp op = {.kind = kind, .key = scalar(key), .offset = mop.offset()};
  if (kind != ViperOp::Kind::kRead) {
    op.written.value = scalar(value);
  }
  if (kind != ViperOp::Kind::kWrite) {
    const Value flag = seen.next();
    op.seen = {scalar(seen), flag != mop.end() && flag.kind() == Kind::kTrue};
  }
  txn.ops.push_back(op);
  return {};
}

Status ViperJsonReader::add(OpKind kind, Value key, Value value, ViperTxn& txn) {
  ELAPID_RETURN_IF_ERROR(check_scalars({key, value}));
  const auto number = integer(key);
  txn.mops.push_back({.kind = kind,
                      .key = number ? history_.key(*number) : history_.key(scalar(key)),
                      .value = scalar(value)});
  return {};
}

/// The value, which must not be nested.
ValueId ViperJsonReader::scalar(Value value) {
  if (const auto n = integer(value)) {
    return history_.values().integer(*n);
  }
  if (is_nil(value)) {
    return ValueId::nil();
  }
  std::string text;
  return append_edn(value, edn::TextStyle::kCanonical, text).ok() ? history_.values().intern(text)
                                                                  : ValueId::nil();
}

}  // namespace elapid
