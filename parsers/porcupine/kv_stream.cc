#include "parsers/porcupine/kv_stream.h"

#include <string_view>
#include <utility>

#include "parsers/edn/value_text.h"
#include "parsers/jepsen/op_map.h"

namespace elapid {

using edn::TokenKind;

namespace {

std::optional<OpKind> kind_of(std::string_view f) {
  if (f == ":get") {
    return OpKind::kRead;
  }
  if (f == ":put") {
    return OpKind::kWrite;
  }
  return f == ":append" ? std::optional(OpKind::kAppend) : std::nullopt;
}

}  // namespace

bool KvStream::next() {
  op_ = {};
  has_value_ = false;
  scanner_.end_form();
  TokenKind kind = scanner_.next();
  if (!has_begun_ && is_sequential(kind)) {
    kind = scanner_.next();
  }
  has_begun_ = true;
  if (kind == TokenKind::kEnd || is_close(kind)) {
    return kind == TokenKind::kEnd || scanner_.next() == TokenKind::kEnd
               ? false
               : fail("the end of the input behind the operations");
  }
  if (kind != TokenKind::kOpenMap) {
    return fail("an operation map");
  }
  op_.offset = scanner_.token().offset;
  scanner_.begin_form();
  while (scanner_.next() != TokenKind::kCloseBrace) {
    if (!read_entry()) {
      return false;
    }
  }
  const bool is_whole = op_.type && op_.process && op_.kind && op_.key;
  return is_whole || fail(":type, :process, :f and :key in this map");
}

/// Reads a key, which is the current token, and its value.
bool KvStream::read_entry() {
  const std::string key(scanner_.token().text);
  if (!scanner_.skip()) {
    return false;
  }
  if (is_close(scanner_.next())) {
    return fail("a value for the map's last key");
  }
  const bool is_second = (key == ":type" && op_.type) || (key == ":f" && op_.kind) ||
                         (key == ":process" && op_.process) || (key == ":key" && op_.key) ||
                         (key == ":value" && std::exchange(has_value_, true));
  if (is_second) {
    return fail("each key once in this map");
  }
  if (key == ":type" || key == ":f") {
    return read_name(key);
  }
  if (key == ":process") {
    if (scanner_.token().kind != TokenKind::kInteger) {
      return fail("an integer as :process");
    }
    op_.process = scanner_.token().integer;
    return true;
  }
  if (key == ":key") {
    return read_text(op_.key.emplace());
  }
  return key == ":value" ? read_text(op_.value) : scanner_.skip();
}

bool KvStream::read_name(const std::string& key) {
  const edn::Token& token = scanner_.token();
  const std::string_view text = token.kind == TokenKind::kKeyword ? token.text : " ";
  if (key == ":f") {
    op_.kind = kind_of(text);
    return op_.kind || fail(":get, :put or :append as :f");
  }
  op_.type = find_event_type(text.substr(1));
  return op_.type || fail(":invoke, :ok, :fail or :info as :type");
}

bool KvStream::read_text(std::string& text) {
  const std::uint64_t offset = scanner_.token().offset;
  text.clear();
  if (Status status = append_form(scanner_, edn::TextStyle::kCanonical, text); !status.ok()) {
    scanner_.fail(status.error().byte_offset.value_or(offset), status.error().message);
    return false;
  }
  return true;
}

/// Reports that the current token is not the expected one. Always false.
bool KvStream::fail(const char* expected) {
  if (scanner_.token().kind != TokenKind::kError) {
    scanner_.fail(scanner_.token().offset,
                  "expected " + std::string(expected) + ", found " + describe(scanner_.token()));
  }
  return false;
}

Status KvStream::status() const {
  return scanner_.token().kind == TokenKind::kError ? Status(scanner_.error()) : Status();
}

}  // namespace elapid
