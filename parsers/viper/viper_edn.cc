#include "parsers/viper/viper_edn.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "engine/ir/call.h"
#include "engine/ir/integer_text.h"
#include "parsers/edn/value_text.h"

namespace elapid {

using edn::TokenKind;

namespace {

std::optional<OpKind> function_kind(std::string_view function) {
  if (function == ":r") {
    return OpKind::kRead;
  }
  if (function == ":append") {
    return OpKind::kAppend;
  }
  return function == ":w" || function == ":i" || function == ":d" ? std::optional(OpKind::kWrite)
                                                                  : std::nullopt;
}

/// Whether a form contains others. An empty list has no content.
bool is_collection(std::string_view form) {
  if (form == "[]" || form == "()") {
    return false;
  }
  return form.starts_with('(') || form.starts_with('[') || form.starts_with('{') ||
         form.starts_with('#');
}

/// The value of a key in a map; empty if the map lacks the key.
std::string_view entry(std::span<const std::string_view> map, std::string_view key) {
  for (std::size_t i = 0; i + 1 < map.size(); i += 2) {
    if (map[i] == key) {
      return map[i + 1];
    }
  }
  return {};
}

}  // namespace

bool ViperEdnReader::next(ViperTxn& txn) {
  txn.clear();
  scanner_.end_form();
  const TokenKind kind = scanner_.next();
  if (kind == TokenKind::kEnd) {
    return false;
  }
  if (kind != TokenKind::kOpenMap) {
    return fail("an operation map");
  }
  txn.position.offset = scanner_.token().offset;
  scanner_.begin_form();
  SeenKeys seen;
  while (scanner_.next() != TokenKind::kCloseBrace) {
    if (!read_entry(txn, seen)) {
      return false;
    }
  }
  return seen.value || fail("a :value in this map");
}

/// Reads a key, which is the current token, and its value.
bool ViperEdnReader::read_entry(ViperTxn& txn, SeenKeys& seen) {
  const std::string key(scanner_.token().text);
  if (!scanner_.skip()) {
    return false;
  }
  const TokenKind kind = scanner_.next();
  if (kind == TokenKind::kError || is_close(kind)) {
    return fail("a value for the map's last key");
  }
  const bool is_second = (key == ":value" && std::exchange(seen.value, true)) ||
                         (key == ":type" && std::exchange(seen.type, true)) ||
                         (key == ":process" && std::exchange(seen.process, true));
  if (is_second) {
    return fail("each key once in this map");
  }
  if (key == ":value") {
    return read_mops(txn);
  }
  if (key == ":type" && scanner_.token().text != ":ok") {
    return fail(":ok as :type, since Viper records only committed transactions");
  }
  if (key == ":process" && kind == TokenKind::kInteger) {
    txn.session = scanner_.token().integer;
  }
  return scanner_.skip();
}

bool ViperEdnReader::read_mops(ViperTxn& txn) {
  if (!is_sequential(scanner_.token().kind)) {
    return fail("a vector of micro-operations");
  }
  while (!is_close(scanner_.next())) {
    if (!is_sequential(scanner_.token().kind)) {
      return fail("a micro-operation such as [:r 1 nil false]");
    }
    if (!read_mop(txn)) {
      return false;
    }
  }
  return true;
}

bool ViperEdnReader::read_mop(ViperTxn& txn) {
  const std::size_t depth = scanner_.depth() - 1;
  const std::uint64_t offset = scanner_.token().offset;
  scanner_.next();
  const std::string_view function = scanner_.token().text;
  const auto kind = function_kind(function);
  if (function == ":range" || (kind && txn.is_of_rows)) {
    return read_op(offset, txn);
  }
  if (!kind) {
    return fail(":r, :w, :i, :d, :range or :append");
  }
  const bool is_insert = function == ":i";
  const bool is_delete = function == ":d";
  MopInput mop{.kind = *kind};
  ValueId key;
  if (is_close(scanner_.next())) {
    return fail("a key");
  }
  const bool is_integer = scanner_.token().kind == TokenKind::kInteger;
  const std::int64_t number = scanner_.token().integer;
  if (!read_value(key)) {
    return false;
  }
  mop.key = is_integer ? history_.key(number) : history_.key(key);
  if (is_close(scanner_.next())) {
    return fail("a value");
  }
  const bool is_list = mop.kind == OpKind::kRead && is_sequential(scanner_.token().kind);
  if (!(is_list ? read_list(txn, mop) : read_value(mop.value))) {
    return false;
  }
  bool has_succeeded = true;
  if ((is_insert || is_delete) && !read_success(has_succeeded)) {
    return false;
  }
  if (has_succeeded) {
    txn.inserts += is_insert ? 1U : 0U;
    txn.deletes += is_delete ? 1U : 0U;
    txn.mops.push_back(mop);
  } else {
    ++txn.failed_writes;
  }
  return scanner_.skip_out_to(depth);
}

/// Reads the rest of an insert or a delete, whose value is the current token: the value read, a
/// flag, and whether it succeeded. Each may be absent.
bool ViperEdnReader::read_success(bool& has_succeeded) {
  for (int place = 3; !is_close(scanner_.next()); ++place) {
    has_succeeded = has_succeeded && (place != 5 || scanner_.token().text != "false");
    if (!scanner_.skip()) {
      return false;
    }
  }
  return true;
}

/// Reads an operation that began at this byte. The current token is its name.
bool ViperEdnReader::read_op(std::uint64_t offset, ViperTxn& txn) {
  std::vector<std::string> forms = {std::string(scanner_.token().text)};
  while (!is_close(scanner_.next())) {
    if (Status status = append_form(scanner_, edn::TextStyle::kCanonical, forms.emplace_back());
        !status.ok()) {
      return fail_at(status.error().byte_offset.value_or(offset), status.error().message);
    }
  }
  const std::string problem =
      forms.front() == ":range" ? add_range(forms, offset, txn) : add_op(forms, offset, txn);
  return problem.empty() || fail_at(offset, problem);
}

/// Adds `[:r key value is-dead]`, `[:w key value ...]`, or `[:i key value value-read is-dead
/// succeeded]` and `:d` in the same form. Flags may be absent. Returns the error, or nothing.
std::string ViperEdnReader::add_op(std::span<const std::string> forms, std::uint64_t offset,
                                   ViperTxn& txn) {
  const std::string& function = forms.front();
  const bool is_read = function == ":r";
  const bool sees = is_read || function != ":w";
  const std::size_t least = sees && !is_read ? 4 : 3;
  if (function == ":append" || forms.size() < least ||
      std::any_of(forms.begin() + 1, forms.begin() + static_cast<std::ptrdiff_t>(least),
                  is_collection)) {
    return "expected an operation on a register such as [:r 1 5 false] or [:d 1 6 5 false true], "
           "since there are ranges, inserts or deletes, found " +
           function + " with " + std::to_string(forms.size() - 1) + " arguments";
  }
  if (forms.size() > 5 && forms[5] == "false" && sees && !is_read) {
    ++txn.failed_writes;
    return {};
  }
  ViperOp op = {.kind = is_read ? ViperOp::Kind::kRead
                        : sees  ? ViperOp::Kind::kReadAndWrite
                                : ViperOp::Kind::kWrite,
                .key = value_of(forms[1]),
                .offset = offset};
  if (sees) {
    op.seen = {value_of(forms[least - 1]), forms.size() > least && forms[least] == "true"};
  }
  if (!is_read) {
    op.written = {value_of(forms[2]), function == ":d"};
    txn.inserts += function == ":i" ? 1U : 0U;
    txn.deletes += function == ":d" ? 1U : 0U;
  }
  txn.ops.push_back(op);
  return {};
}

/// Adds `[:range low high [{:id 1, :val 5}] [{:id 2, :val 6}]]`, with live and dead rows.
std::string ViperEdnReader::add_range(std::span<const std::string> forms, std::uint64_t offset,
                                      ViperTxn& txn) {
  constexpr const char* kExpected =
      "expected a range such as [:range 1 9 [{:id 1, :val 5}] []], whose bounds are integers or "
      "nil";
  if (forms.size() < 5) {
    return kExpected;
  }
  ViperOp op = {.kind = ViperOp::Kind::kRange, .row_begin = txn.rows.size(), .offset = offset};
  for (const std::size_t place : {std::size_t{1}, std::size_t{2}}) {
    const auto bound = integer_of(forms[place]);
    if (!bound && forms[place] != "nil" && forms[place] != "\"nil\"") {
      return kExpected;
    }
    op.has_bounds = op.has_bounds || bound;
    (place == 1 ? op.low : op.high) = bound.value_or(place == 1 ? op.low : op.high);
  }
  for (const std::size_t place : {std::size_t{3}, std::size_t{4}}) {
    const auto rows = elements_of(forms[place]);
    if (!rows) {
      return kExpected;
    }
    for (const std::string_view row : *rows) {
      const auto entries = row.starts_with('{') ? elements_of(row) : std::nullopt;
      const std::string_view id = entries ? entry(*entries, ":id") : "";
      const std::string_view val = entries ? entry(*entries, ":val") : "";
      if (id.empty() || val.empty() || is_collection(id) || is_collection(val)) {
        return "expected a row with :id and :val, found " + std::string(row);
      }
      const auto key = integer_of(id);
      if (key && (*key < op.low || *key > op.high)) {
        return "expected a row between " + forms[1] + " and " + forms[2] + ", found " +
               std::string(id);
      }
      txn.rows.push_back({value_of(id), {value_of(val), place == 4}});
    }
  }
  op.row_count = txn.rows.size() - op.row_begin;
  ++txn.ranges;
  if (txn.is_of_rows) {
    txn.ops.push_back(op);
    return {};
  }
  for (const ViperRow& row : txn.rows) {
    txn.mops.push_back(
        {.kind = OpKind::kRead, .key = history_.key(row.key), .value = row.cell.value});
  }
  txn.rows.clear();
  return {};
}

/// The value of canonical text. A read of the empty list saw no value.
ValueId ViperEdnReader::value_of(std::string_view text) {
  return text == "\"nil\"" || text == "[]" || text == "()" ? ValueId::nil()
                                                           : history_.values().intern(text);
}

bool ViperEdnReader::read_list(ViperTxn& txn, MopInput& mop) {
  mop.kind = OpKind::kReadList;
  mop.list_begin = static_cast<std::uint32_t>(txn.elements.size());
  while (!is_close(scanner_.next())) {
    ValueId element;
    if (!read_value(element)) {
      return false;
    }
    txn.elements.push_back(element);
  }
  mop.list_length = static_cast<std::uint32_t>(txn.elements.size()) - mop.list_begin;
  return true;
}

bool ViperEdnReader::read_value(ValueId& value) {
  const std::uint64_t offset = scanner_.token().offset;
  text_.clear();
  if (Status status = append_form(scanner_, edn::TextStyle::kCanonical, text_); !status.ok()) {
    scanner_.fail(status.error().byte_offset.value_or(offset), status.error().message);
    return false;
  }
  value = history_.values().intern(text_);
  return true;
}

/// Reports an error at this byte. Always false.
bool ViperEdnReader::fail_at(std::uint64_t offset, std::string message) {
  scanner_.fail(offset, std::move(message));
  return false;
}

/// Reports that the current token is not the expected one. Always false.
bool ViperEdnReader::fail(const char* expected) {
  if (scanner_.token().kind != TokenKind::kError) {
    scanner_.fail(scanner_.token().offset,
                  "expected " + std::string(expected) + ", found " + describe(scanner_.token()));
  }
  return false;
}

Status ViperEdnReader::status() const {
  return scanner_.token().kind == TokenKind::kError ? Status(scanner_.error()) : Status();
}

}  // namespace elapid
