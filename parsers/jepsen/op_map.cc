#include "parsers/jepsen/op_map.h"

#include "parsers/edn/string_text.h"
#include "parsers/edn/value_text.h"

namespace elapid {

using edn::TokenKind;

namespace {

/// The name in a keyword, string or symbol. Escapes are not decoded.
std::string_view bare_name(const edn::Token& token) {
  switch (token.kind) {
    case TokenKind::kKeyword:
      return token.text.substr(1);
    case TokenKind::kString:
      return token.text.substr(1, token.text.size() - 2);
    default:
      return token.text;
  }
}

}  // namespace

std::optional<EventType> find_event_type(std::string_view name) {
  if (name == "invoke") {
    return EventType::kInvoke;
  }
  if (name == "ok") {
    return EventType::kOk;
  }
  if (name == "fail") {
    return EventType::kFail;
  }
  return name == "info" ? std::optional(EventType::kInfo) : std::nullopt;
}

bool OpMapReader::read(OpMap& op) {
  op.clear();
  extra_text_.clear();
  extra_keys_.clear();
  const bool has_namespace = !scanner_.token().text.empty();
  unsigned seen = 0;
  while (scanner_.next() != TokenKind::kCloseBrace) {
    if (!read_entry(op, seen, has_namespace)) {
      return false;
    }
  }
  return check_extra_keys();
}

/// Reads a key, which is the current token, and its value.
bool OpMapReader::read_entry(OpMap& op, unsigned& seen, bool has_namespace) {
  // In #:ns{...} no key belongs to an operation.
  const Field field = has_namespace ? Field::kExtra : field_of(scanner_.token());
  const unsigned bit = 1U << static_cast<unsigned>(field);
  if (field == Field::kExtra) {
    if (!read_extra_key(op)) {
      return false;
    }
  } else if ((seen & bit) != 0) {
    scanner_.fail(scanner_.token().offset,
                  "expected distinct keys, found " + describe(scanner_.token()) + " twice");
    return false;
  }
  seen |= bit;
  if (is_close(scanner_.next())) {
    scanner_.fail(scanner_.token().offset,
                  "expected a value for the map's last key, found " + describe(scanner_.token()));
  }
  return scanner_.token().kind != TokenKind::kError && read_field(op, field);
}

OpMapReader::Field OpMapReader::field_of(const edn::Token& key) {
  const std::string_view text = key.text;
  switch (key.kind == TokenKind::kKeyword ? text.size() : 0) {
    case 2:
      return text == ":f" ? Field::kF : Field::kExtra;
    case 5:
      return text == ":type" ? Field::kType : text == ":time" ? Field::kTime : Field::kExtra;
    case 6:
      return text == ":value" ? Field::kValue : text == ":index" ? Field::kIndex : Field::kExtra;
    case 8:
      return text == ":process" ? Field::kProcess : Field::kExtra;
    case 10:
      return text == ":isolation" ? Field::kIsolation : Field::kExtra;
    default:
      return Field::kExtra;
  }
}

/// Reads the value that begins with the current token.
bool OpMapReader::read_field(OpMap& op, Field field) {
  switch (field) {
    case Field::kIndex:
      return read_index(op);
    case Field::kTime:
      return read_time(op);
    case Field::kType:
      return read_type(op);
    case Field::kProcess:
      return read_process(op);
    case Field::kF:
      return read_f(op);
    case Field::kIsolation:
      return read_isolation(op);
    case Field::kValue:
      return has_tuples_ ? read_tuple(op) : read_value(op);
    default:
      return read_extra_value(op);
  }
}

/// Reads the value of the last extra key, if it is a field of the workload.
bool OpMapReader::read_extra_value(OpMap& op) {
  if (fields_.empty() || extra_keys_.empty()) {
    return scanner_.skip();
  }
  const auto [begin, length] = extra_keys_.back();
  const std::string_view key = std::string_view(extra_text_).substr(begin, length);
  if (std::ranges::find(fields_, key) == fields_.end()) {
    return scanner_.skip();
  }
  const std::size_t depth = scanner_.depth() - (is_open(scanner_.token().kind) ? 1 : 0);
  std::string text;
  if (append_form(scanner_, edn::TextStyle::kCanonical, text).ok()) {
    op.fields.emplace_back(key, std::move(text));
  }
  return scanner_.skip_out_to(depth);
}

bool OpMapReader::read_extra_key(OpMap& op) {
  const std::size_t begin = extra_text_.size();
  const std::uint64_t offset = scanner_.token().offset;
  op.has_validity |= scanner_.token().text == ":valid?";
  op.has_extras = true;
  if (Status status = append_form(scanner_, edn::TextStyle::kCanonical, extra_text_);
      !status.ok()) {
    scanner_.fail(status.error().byte_offset.value_or(offset), status.error().message);
    return false;
  }
  extra_keys_.emplace_back(begin, extra_text_.size() - begin);
  return true;
}

/// Extra keys must be distinct too.
bool OpMapReader::check_extra_keys() {
  if (extra_keys_.size() < 2) {
    return true;
  }
  const auto text = [this](const auto& key) {
    return std::string_view(extra_text_).substr(key.first, key.second);
  };
  std::sort(extra_keys_.begin(), extra_keys_.end(),
            [&text](const auto& a, const auto& b) { return text(a) < text(b); });
  const auto twice =
      std::adjacent_find(extra_keys_.begin(), extra_keys_.end(),
                         [&text](const auto& a, const auto& b) { return text(a) == text(b); });
  if (twice == extra_keys_.end()) {
    return true;
  }
  scanner_.fail(scanner_.token().offset, "expected distinct keys in this map, found " +
                                             edn::in_quotes(text(*twice)) + " twice");
  return false;
}

bool OpMapReader::read_index(OpMap& op) {
  const edn::Token& token = scanner_.token();
  if (token.kind == TokenKind::kInteger) {
    op.index = token.integer;
  } else if (token.kind != TokenKind::kNil) {
    scanner_.fail(token.offset,
                  "expected an integer of 64 bits as :index, found " + describe(token));
    return false;
  }
  return true;
}

bool OpMapReader::read_time(OpMap& op) {
  if (scanner_.token().kind == TokenKind::kInteger) {
    op.time = scanner_.token().integer;
    return true;
  }
  op.has_odd_time = scanner_.token().kind != TokenKind::kNil;
  return scanner_.skip();
}

bool OpMapReader::read_type(OpMap& op) {
  const edn::Token& token = scanner_.token();
  if (token.kind == TokenKind::kKeyword) {
    op.type = find_event_type(token.text.substr(1));
  }
  if (!op.type) {
    scanner_.fail(token.offset,
                  "expected :invoke, :ok, :fail or :info as :type, found " + describe(token));
  }
  return op.type.has_value();
}

bool OpMapReader::read_process(OpMap& op) {
  switch (scanner_.token().kind) {
    case TokenKind::kInteger:
      op.process = scanner_.token().integer;
      op.process_kind = ProcessKind::kClient;
      break;
    case TokenKind::kNil:
      break;
    case TokenKind::kKeyword:
    case TokenKind::kString:
    case TokenKind::kSymbol:
      op.process_kind = ProcessKind::kNamed;
      op.process_name = bare_name(scanner_.token());
      break;
    default:
      op.process_kind = ProcessKind::kOdd;
  }
  return scanner_.skip();
}

/// The function of an operation, mostly the same as before.
ValueId OpMapReader::function(std::string_view text) {
  if (text != f_text_) {
    f_text_ = text;
    f_ = values_.intern(f_text_);
  }
  return f_;
}

bool OpMapReader::read_f(OpMap& op) {
  const edn::Token& token = scanner_.token();
  if (token.kind != TokenKind::kKeyword) {
    op.f = token.kind == TokenKind::kNil ? ValueId::nil() : ValueId::none();
    return scanner_.skip();
  }
  op.f = function(token.text);
  return true;
}

/// Reads the name of a level: a keyword, string or symbol. Other values are ignored.
bool OpMapReader::read_isolation(OpMap& op) {
  const edn::Token& token = scanner_.token();
  const bool is_named = token.kind == TokenKind::kKeyword || token.kind == TokenKind::kString ||
                        token.kind == TokenKind::kSymbol;
  op.has_extras = true;
  if (is_named) {
    std::string_view text = token.text;
    text = token.kind == TokenKind::kString ? text.substr(1, text.size() - 2) : text;
    op.level = values_.intern(std::string(text.starts_with(':') ? "" : ":").append(text));
  }
  return scanner_.skip();
}

/// Reads the key of a tuple, its value like any other :value, and the closing bracket.
bool OpMapReader::read_tuple(OpMap& op) {
  op.has_value = scanner_.token().kind != TokenKind::kNil;
  op.is_nil = !op.has_value;
  if (!is_sequential(scanner_.token().kind)) {
    give_up(op, "a [key value] tuple");
    return read_whole(op);
  }
  const std::size_t depth = scanner_.depth() - 1;
  ValueId key;
  if (is_close(scanner_.next()) || !read_scalar(op, key) || is_close(scanner_.next())) {
    give_up(op, "a [key value] tuple");
    return scanner_.skip_out_to(depth);
  }
  if (!read_value(op)) {
    return false;
  }
  if (!is_close(scanner_.next())) {
    give_up(op, "the end of a [key value] tuple");
    return scanner_.skip_out_to(depth);
  }
  op.tuple_key = key;
  return true;
}

bool OpMapReader::read_value(OpMap& op) {
  const TokenKind kind = scanner_.token().kind;
  op.has_value = kind != TokenKind::kNil;
  op.is_nil = !op.has_value;
  if (op.is_nil) {
    return true;
  }
  if (has_rows_) {
    op.begins_mops = is_sequential(kind);
    return read_whole(op);
  }
  if (has_own_values_ || kind == TokenKind::kInteger || kind == TokenKind::kKeyword ||
      kind == TokenKind::kString) {
    op.is_one_value = true;
    op.value_offset = scanner_.token().offset;
    return read_whole(op);
  }
  if (!is_sequential(kind)) {
    give_up(op, "a vector of micro-operations");
    return read_whole(op);
  }
  const std::size_t depth = scanner_.depth() - 1;
  return read_mops(op) || scanner_.skip_out_to(depth);
}

/// Reads micro-operations up to the closing bracket. False at anything else.
bool OpMapReader::read_mops(OpMap& op) {
  while (!is_close(scanner_.next())) {
    if (!is_sequential(scanner_.token().kind)) {
      give_up(op, "a micro-operation such as [:r x nil]");
      op.may_be_tuple = op.mops.empty();
      read_elements(op, false);
      return false;
    }
    if (!read_mop(op)) {
      return false;
    }
  }
  if (op.mops.empty()) {
    read_elements(op, false);
  }
  return true;
}

bool OpMapReader::read_mop(OpMap& op) {
  if (scanner_.next() != TokenKind::kKeyword) {
    give_up(op, "a keyword as the function of a micro-operation");
    read_elements(op, true);
    return false;
  }
  op.begins_mops = true;
  const auto kind = find_mop_kind(scanner_.token().text.substr(1));
  op.note_mop(kind.value_or(OpKind::kOther), scanner_.token().offset);
  return kind ? read_known_mop(op, *kind) : read_other_mop(op);
}

/// Reads key, value and closing bracket. A read may lack its value.
bool OpMapReader::read_known_mop(OpMap& op, OpKind kind) {
  MopInput mop{.kind = kind};
  ValueId key;
  if (is_close(scanner_.next())) {
    return give_up(op, "a key");
  }
  if (!read_scalar(op, key)) {
    return false;
  }
  const TokenKind value = scanner_.next();
  if (is_close(value)) {
    if (kind != OpKind::kRead) {
      return give_up(op, "a value");
    }
  } else {
    const bool is_list = kind == OpKind::kRead && has_lists_ && is_sequential(value);
    const bool is_unlisted = kind == OpKind::kRead && has_lists_ && value != TokenKind::kNil;
    if (is_unlisted && !is_list && !op.not_list) {
      op.not_list =
          malformed_at(scanner_.token().offset,
                       "expected a list of elements or nil, found " + describe(scanner_.token()));
    }
    if (!(is_list ? read_list(op, mop) : read_scalar(op, mop.value))) {
      return false;
    }
    if (!is_close(scanner_.next())) {
      return give_up(op, "the end of this micro-operation");
    }
  }
  set_key_name(mop, key);
  op.mops.push_back(mop);
  return true;
}

/// Reads a micro-operation of another workload: its name, and its first argument as the key.
bool OpMapReader::read_other_mop(OpMap& op) {
  const std::size_t depth = scanner_.depth() - 1;
  MopInput mop{.kind = OpKind::kOther, .value = values_.intern(scanner_.token().text)};
  ValueId key = ValueId::nil();
  if (!is_close(scanner_.next())) {
    if (!read_scalar(op, key) || !scanner_.skip_out_to(depth)) {
      return false;
    }
  }
  set_key_name(mop, key);
  op.mops.push_back(mop);
  return true;
}

bool OpMapReader::read_list(OpMap& op, MopInput& mop) {
  mop.kind = OpKind::kReadList;
  mop.list_begin = static_cast<std::uint32_t>(op.elements.size());
  while (!is_close(scanner_.next())) {
    // The most frequent elements need no further call.
    const edn::Token& token = scanner_.token();
    if (token.kind == TokenKind::kInteger && ValueId::fits_inline(token.integer)) {
      op.elements.push_back(ValueId::integer(token.integer));
      continue;
    }
    ValueId element;
    if (!read_scalar(op, element)) {
      return false;
    }
    op.elements.push_back(element);
  }
  mop.list_length = static_cast<std::uint32_t>(op.elements.size()) - mop.list_begin;
  return true;
}

/// Reads the form that begins with the current token as one value.
bool OpMapReader::read_scalar(OpMap& op, ValueId& value) {
  const edn::Token& token = scanner_.token();
  switch (token.kind) {
    case TokenKind::kInteger:
      value = ValueId::fits_inline(token.integer) ? ValueId::integer(token.integer)
                                                  : values_.integer(token.integer);
      return true;
    case TokenKind::kNil:
      value = ValueId::nil();
      return true;
    case TokenKind::kKeyword:
      value = values_.intern(token.text);
      return true;
    case TokenKind::kString:
      if (edn::is_printed_string(token.text)) {  // it may be long, and is not copied twice
        value = values_.intern(token.text);
        return true;
      }
      break;
    default:
      break;
  }
  text_.clear();
  if (Status status = append_form(scanner_, edn::TextStyle::kCanonical, text_); !status.ok()) {
    op.not_mops = std::move(status.error());
    return false;
  }
  value = values_.intern(text_);
  return true;
}

/// Reads a value as one.
bool OpMapReader::read_whole(OpMap& op) {
  op.whole.is_collection = is_open(scanner_.token().kind);
  const std::size_t depth = scanner_.depth() - (op.whole.is_collection ? 1 : 0);
  if (Status status = append_form(scanner_, edn::TextStyle::kCanonical, op.whole.text);
      !status.ok()) {
    op.whole.problem = std::move(status.error());
  }
  return scanner_.skip_out_to(depth);
}

/// Reads the elements of a vector or list that begins with no micro-operation. The current token is
/// its first element or, with `is_inner`, is in it. Errors stay in WholeValue.
void OpMapReader::read_elements(OpMap& op, bool is_inner) {
  if (!op.mops.empty()) {
    return;
  }
  op.whole.is_collection = true;
  op.whole.open();
  if (is_inner) {
    op.whole.text += '[';
    if (!append_elements(op.whole)) {
      return;
    }
    scanner_.next();
  }
  append_elements(op.whole);
}

/// Appends the forms from the current token to the closing bracket.
bool OpMapReader::append_elements(WholeValue& whole) {
  while (!is_close(scanner_.token().kind)) {
    whole.separate();
    if (Status status = append_form(scanner_, edn::TextStyle::kCanonical, whole.text);
        !status.ok()) {
      whole.problem = std::move(status.error());
      return false;
    }
    scanner_.next();
  }
  whole.text += ']';
  return true;
}

Error OpMap::why_no_mops() const {
  if (not_mops) {
    return *not_mops;
  }
  const std::string expected = is_json ? "an array" : "a vector";
  return malformed_at(value_offset, "expected " + expected + " of micro-operations, found " +
                                        edn::in_quotes(whole.text));
}

/// Notes why the value has no micro-operations. Always false.
bool OpMapReader::give_up(OpMap& op, std::string_view expected) {
  const edn::Token& token = scanner_.token();
  op.not_mops = malformed_at(token.offset,
                             "expected " + std::string(expected) + ", found " + describe(token));
  return false;
}

}  // namespace elapid
