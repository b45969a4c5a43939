#include "parsers/elle_json/json_op.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "parsers/elle_json/edn_text.h"

namespace elapid {

using json::Kind;
using json::Value;

namespace {

Error unexpected(std::string_view expected, Value found) {
  return {.message = "expected " + std::string(expected) + ", found " + describe(found),
          .byte_offset = found.offset()};
}

/// Remembers why the value is not made of micro-operations. Always false.
bool give_up(std::string_view expected, Value found, OpMap& op) {
  op.not_mops = unexpected(expected, found);
  return false;
}

std::optional<std::int64_t> integer(Value value) {
  const std::string_view text = value.text();
  const char* const end = text.data() + text.size();
  std::int64_t n = 0;
  const auto parsed = std::from_chars(text.data(), end, n);
  const bool is_integer =
      value.kind() == Kind::kNumber && parsed.ec == std::errc{} && parsed.ptr == end;
  return is_integer ? std::optional(n) : std::nullopt;
}

Status read_index(Value value, OpMap& op) {
  op.index = integer(value);
  if (!op.index && !value.is_null()) {
    return unexpected("an integer of 64 bits as \"index\"", value);
  }
  return {};
}

void read_time(Value value, OpMap& op) {
  op.time = integer(value);
  op.has_odd_time = !op.time && !value.is_null();
}

Status read_type(Value value, OpMap& op) {
  if (value.is_string()) {
    op.type = find_event_type(value.text());
  }
  return op.type ? Status() : unexpected(R"("invoke", "ok", "fail" or "info" as "type")", value);
}

/// A string of digits was hardly meant as a name, but is no client either.
bool is_name(Value value) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string_view text = value.text();
  return value.is_string() && !std::all_of(text.begin(), text.end(), is_digit);
}

void read_process(Value value, OpMap& op) {
  if (const auto process = integer(value)) {
    op.process = *process;
    op.process_kind = ProcessKind::kClient;
  } else if (!value.is_null()) {
    op.process_kind = is_name(value) ? ProcessKind::kNamed : ProcessKind::kOdd;
  }
}

}  // namespace

Status JsonOpReader::read(Value object, OpMap& op) {
  op.clear();
  op.offset = object.offset();
  op.has_validity = find(object, "valid?").has_value();
  if (const auto type = find(object, "type")) {
    if (Status status = read_type(*type, op); !status.ok()) {
      return status;
    }
  }
  if (const auto index = find(object, "index")) {
    if (Status status = read_index(*index, op); !status.ok()) {
      return status;
    }
  }
  if (const auto time = find(object, "time")) {
    read_time(*time, op);
  }
  if (const auto process = find(object, "process")) {
    read_process(*process, op);
  }
  if (const auto f = find(object, "f")) {
    read_f(*f, op);
  }
  if (const auto value = find(object, "value"); value && !value->is_null()) {
    op.has_value = true;
    read_mops(*value, op);
  }
  return {};
}

void JsonOpReader::read_f(Value value, OpMap& op) {
  if (value.is_string()) {
    text_ = ':';
    text_ += value.text();
    op.f = values_.intern(text_);
  } else if (!value.is_null()) {
    op.f = ValueId::none();
  }
}

bool JsonOpReader::read_mops(Value value, OpMap& op) {
  if (!value.is_array()) {
    return give_up("an array of micro-operations", value, op);
  }
  for (Value mop = value.begin(); mop != value.end(); mop = mop.next()) {
    if (!mop.is_array()) {
      return give_up(R"(a micro-operation such as ["r", "x", null])", mop, op);
    }
    if (!read_mop(mop, op)) {
      return false;
    }
  }
  return true;
}

bool JsonOpReader::read_mop(Value mop, OpMap& op) {
  const Value function = mop.begin();
  if (function == mop.end()) {
    return give_up("a micro-operation, which begins with a function", mop, op);
  }
  if (!function.is_string()) {
    return give_up("a string as the function of a micro-operation", function, op);
  }
  if (function.text() == "r") {
    return read_known_mop(mop, OpKind::kRead, op);
  }
  if (function.text() == "append") {
    return read_known_mop(mop, OpKind::kAppend, op);
  }
  return function.text() == "w" ? read_known_mop(mop, OpKind::kWrite, op) : read_other_mop(mop, op);
}

/// Key and value; a read may leave out its value.
bool JsonOpReader::read_known_mop(Value mop, OpKind kind, OpMap& op) {
  const Value key = mop.begin().next();
  if (key == mop.end()) {
    return give_up("a micro-operation with a key", mop, op);
  }
  const Value value = key.next();
  const bool is_read = kind == OpKind::kRead;
  if (value == mop.end() && !is_read) {
    return give_up("a micro-operation with a value", mop, op);
  }
  if (value != mop.end() && value.next() != mop.end()) {
    return give_up("the end of this micro-operation", value.next(), op);
  }
  ValueId name;
  if (!read_scalar(key, name, op)) {
    return false;
  }
  MopInput input{.kind = kind};
  if (value != mop.end() &&
      !(is_read ? read_read_value(value, input, op) : read_scalar(value, input.value, op))) {
    return false;
  }
  op.mops.push_back(input);
  op.keys.push_back(name);
  return true;
}

bool JsonOpReader::read_read_value(Value value, MopInput& mop, OpMap& op) {
  if (has_lists_ && value.is_array()) {
    return read_list(value, mop, op);
  }
  if (has_lists_ && !value.is_null() && !op.not_list) {
    op.not_list = unexpected("an array of elements or null", value);
  }
  return read_scalar(value, mop.value, op);
}

bool JsonOpReader::read_list(Value list, MopInput& mop, OpMap& op) {
  mop.kind = OpKind::kReadList;
  mop.list_begin = static_cast<std::uint32_t>(op.elements.size());
  for (Value element = list.begin(); element != list.end(); element = element.next()) {
    ValueId id;
    if (!read_scalar(element, id, op)) {
      return false;
    }
    op.elements.push_back(id);
  }
  mop.list_length = static_cast<std::uint32_t>(op.elements.size()) - mop.list_begin;
  return true;
}

/// A micro-operation of another workload: its name, and its first argument as the key.
bool JsonOpReader::read_other_mop(Value mop, OpMap& op) {
  const Value function = mop.begin();
  ValueId name = ValueId::nil();
  if (function.next() != mop.end() && !read_scalar(function.next(), name, op)) {
    return false;
  }
  text_ = ':';
  text_ += function.text();
  op.mops.push_back({.kind = OpKind::kOther, .value = values_.intern(text_)});
  op.keys.push_back(name);
  return true;
}

/// Anything as one value.
bool JsonOpReader::read_scalar(Value value, ValueId& id, OpMap& op) {
  if (const auto n = integer(value)) {
    id = values_.integer(*n);
    return true;
  }
  text_.clear();
  if (Status status = append_edn(value, edn::TextStyle::kCanonical, text_); !status.ok()) {
    op.not_mops = std::move(status.error());
    return false;
  }
  id = values_.intern(text_);
  return true;
}

}  // namespace elapid
