#include "parsers/viper/viper_edn.h"

#include <optional>
#include <string_view>

#include "parsers/edn/value_text.h"

namespace elapid {

using edn::TokenKind;

namespace {

std::optional<OpKind> kind_of(std::string_view function) {
  if (function == ":r") {
    return OpKind::kRead;
  }
  if (function == ":append") {
    return OpKind::kAppend;
  }
  return function == ":w" || function == ":i" ? std::optional(OpKind::kWrite) : std::nullopt;
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
  bool has_value = false;
  while (scanner_.next() != TokenKind::kCloseBrace) {
    if (!read_entry(txn, has_value)) {
      return false;
    }
  }
  return has_value || fail("a :value in this map");
}

/// A key, the current token, and its value.
bool ViperEdnReader::read_entry(ViperTxn& txn, bool& has_value) {
  const std::string key(scanner_.token().text);
  if (!scanner_.skip()) {
    return false;
  }
  const TokenKind kind = scanner_.next();
  if (kind == TokenKind::kError || is_close(kind)) {
    return fail("a value for the map's last key");
  }
  if (key == ":value") {
    has_value = true;
    return read_mops(txn);
  }
  if (key == ":type" && scanner_.token().text != ":ok") {
    return fail(":ok as :type, since Viper records nothing else");
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
  scanner_.next();
  const auto kind = kind_of(scanner_.token().text);
  if (!kind) {
    return fail(":r, :w, :i or :append");
  }
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
  txn.mops.push_back(mop);
  return scanner_.skip_out_to(depth);
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

/// The current token is not what was expected. Always false.
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
