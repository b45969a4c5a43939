#include "parsers/elle_json/json_op.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "parsers/elle_json/edn_text.h"
#include "parsers/elle_json/row_ops.h"
#include "parsers/json/integer.h"

namespace elapid {

using json::Kind;
using json::Value;

namespace {

Error unexpected(std::string_view expected, Value found) {
  return {.message = "expected " + std::string(expected) + ", found " + describe(found),
          .byte_offset = found.offset()};
}

/// Notes why the value has no micro-operations. Always false.
bool give_up(std::string_view expected, Value found, OpMap& op) {
  op.not_mops = unexpected(expected, found);
  return false;
}

/// Reads an integer, which may be absent or null.
Status read_integer(const std::optional<Value>& value, std::string_view key,
                    std::optional<std::int64_t>& into) {
  into = value ? integer(*value) : std::nullopt;
  if (value && !into && !value->is_null()) {
    return unexpected("an integer of 64 bits as \"" + std::string(key) + '"', *value);
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

/// Whether a process is named. A string of digits is no name, and no client either.
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
    op.process_name = value.is_string() ? value.text() : std::string_view();
  }
}

/// The keys of an operation that matter, with their values. Of a repeated key the last value
/// counts.
struct Fields {
  bool has_validity = false;
  bool has_extras = false;
  std::optional<Value> type = {};
  std::optional<Value> process = {};
  std::optional<Value> f = {};
  std::optional<Value> value = {};
  std::optional<Value> index = {};
  std::optional<Value> time = {};
  std::optional<Value> start_timestamp = {};
  std::optional<Value> commit_timestamp = {};
  std::optional<Value> invoked = {};
  std::optional<Value> completed = {};
  std::optional<Value> isolation = {};

  /// Where the value of a key is stored; null for other keys.
  std::optional<Value>* find(std::string_view key) {
    struct Named {
      std::string_view key;
      std::optional<Value> Fields::*field;
    };

    static constexpr std::array kNamed = {Named{"type", &Fields::type},
                                          Named{"process", &Fields::process},
                                          Named{"f", &Fields::f},
                                          Named{"value", &Fields::value},
                                          Named{"index", &Fields::index},
                                          Named{"time", &Fields::time},
                                          Named{"start_ts", &Fields::start_timestamp},
                                          Named{"commit_ts", &Fields::commit_timestamp},
                                          Named{"invoked", &Fields::invoked},
                                          Named{"completed", &Fields::completed},
                                          Named{"isolation", &Fields::isolation}};
    for (const Named& named : kNamed) {
      if (named.key == key) {
        return &(this->*named.field);
      }
    }
    return nullptr;
  }
};

Fields fields_of(Value object) {
  Fields fields;
  for (Value key = object.begin(); key != object.end(); key = key.next().next()) {
    if (std::optional<Value>* field = fields.find(key.text())) {
      *field = key.next();
    } else {
      fields.has_validity |= key.text() == "valid?";
      fields.has_extras = true;
    }
  }
  return fields;
}

Status read_integers(const Fields& fields, OpMap& op) {
  struct Integer {
    const std::optional<Value>& value;
    std::string_view key;
    std::optional<std::int64_t>& into;
  };

  for (const Integer& integer : {Integer{fields.index, "index", op.index},
                                 Integer{fields.start_timestamp, "start_ts", op.start_timestamp},
                                 Integer{fields.commit_timestamp, "commit_ts", op.commit_timestamp},
                                 Integer{fields.invoked, "invoked", op.invoked},
                                 Integer{fields.completed, "completed", op.completed}}) {
    ELAPID_RETURN_IF_ERROR(read_integer(integer.value, integer.key, integer.into));
  }
  return {};
}

}  // namespace

Status JsonOpReader::read(Value object, OpMap& op) {
  op.clear();
  op.offset = object.offset();
  op.is_json = true;
  const Fields fields = fields_of(object);
  op.has_validity = fields.has_validity;
  op.has_extras = fields.has_extras;
  if (fields.type) {
    ELAPID_RETURN_IF_ERROR(read_type(*fields.type, op));
  }
  ELAPID_RETURN_IF_ERROR(read_integers(fields, op));
  if (fields.time) {
    read_time(*fields.time, op);
  }
  if (fields.process) {
    read_process(*fields.process, op);
    ELAPID_RETURN_IF_ERROR(name_session(op));
  }
  if (fields.f) {
    read_f(*fields.f, op);
  }
  if (fields.isolation && fields.isolation->is_string()) {
    text_ = ':';
    text_ += fields.isolation->text();
    op.level = values_.intern(text_);
    op.has_extras = true;
  }
  if (!fields_.empty() && fields.has_extras) {
    read_fields(object, op);
  }
  op.is_nil = fields.value && fields.value->is_null();
  if (fields.value && !op.is_nil) {
    if (has_tuples_) {
      read_tuple(*fields.value, op);
    } else {
      read_value(*fields.value, op);
    }
  }
  return {};
}

/// Reads the fields that the workload uses.
void JsonOpReader::read_fields(Value object, OpMap& op) {
  for (Value key = object.begin(); key != object.end(); key = key.next().next()) {
    const auto is_named = [&](std::string_view field) { return field.substr(1) == key.text(); };
    std::string text;
    if (std::ranges::any_of(fields_, is_named) &&
        append_edn(key.next(), edn::TextStyle::kCanonical, text).ok()) {
      op.fields.emplace_back(':' + std::string(key.text()), std::move(text));
    }
  }
}

/// Gives a named session a number that no client has. Error: a client has one of these.
Status JsonOpReader::name_session(OpMap& op) {
  constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
  if (has_named_sessions_ && op.process < kFirst / 2) {
    return malformed_at(op.offset, "expected a process of at least -2^62, found a smaller one");
  }
  if (!has_named_sessions_ || op.process_name.empty() || is_nemesis(op)) {
    return {};
  }
  const auto next = kFirst + static_cast<std::int64_t>(sessions_.size());
  op.process = sessions_.try_emplace(op.process_name, next).first->second;
  op.process_kind = ProcessKind::kClient;
  return {};
}

void JsonOpReader::read_tuple(Value tuple, OpMap& op) {
  op.has_value = true;
  const bool has_key = tuple.is_array() && tuple.begin() != tuple.end();
  const bool has_value = has_key && tuple.begin().next() != tuple.end();
  ValueId key;
  if (!has_value || tuple.begin().next().next() != tuple.end() ||
      !read_scalar(tuple.begin(), key, op)) {
    give_up("a [key, value] tuple", tuple, op);
    return;
  }
  op.tuple_key = key;
  const Value value = tuple.begin().next();
  op.has_value = !value.is_null();
  op.is_nil = !op.has_value;
  if (op.has_value) {
    read_value(value, op);
  }
}

void JsonOpReader::read_value(Value value, OpMap& op) {
  op.has_value = true;
  if (has_rows_) {
    read_row_ops(value, op);
    return;
  }
  op.is_one_value = has_own_values_;
  op.value_offset = value.offset();
  if (!has_own_values_) {
    read_mops(value, op);
  }
  if (op.begins_mops) {
    return;
  }
  op.whole.is_collection = value.is_array() || value.is_object();
  read_whole(value, op.whole);
}

void JsonOpReader::read_whole(Value value, WholeValue& whole) {
  const auto append = [&whole](Value part) {
    Status status = append_edn(part, edn::TextStyle::kCanonical, whole.text);
    if (!status.ok()) {
      whole.problem = std::move(status.error());
    }
    return status.ok();
  };
  if (!value.is_array()) {
    append(value);
    return;
  }
  whole.open();
  for (Value element = value.begin(); element != value.end(); element = element.next()) {
    whole.separate();
    if (!append(element)) {
      return;
    }
  }
  whole.text += ']';
}

/// Errors stay in WholeValue, since only those of client operations matter.
void JsonOpReader::read_row_ops(Value value, OpMap& op) {
  WholeValue& whole = op.whole;
  op.begins_mops = value.is_array();
  if (!value.is_array()) {
    whole.problem = unexpected("an array of operations on rows", value);
    return;
  }
  whole.is_collection = true;
  whole.open();
  for (Value row_op = value.begin(); row_op != value.end(); row_op = row_op.next()) {
    whole.separate();
    whole.offsets.push_back(row_op.offset());
    if (Status status = append_row_op(row_op, whole.text); !status.ok()) {
      whole.problem = std::move(status.error());
      return;
    }
  }
  whole.text += ']';
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
      op.may_be_tuple = op.mops.empty();
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
  op.begins_mops = true;
  const auto kind = find_mop_kind(function.text());
  op.note_mop(kind.value_or(OpKind::kOther), function.offset());
  return kind ? read_known_mop(mop, *kind, op) : read_other_mop(mop, op);
}

/// Reads key and value. A read may lack its value.
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
  set_key_name(input, name);
  op.mops.push_back(input);
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

/// Reads a micro-operation of another workload: its name, and its first argument as the key.
bool JsonOpReader::read_other_mop(Value mop, OpMap& op) {
  const Value function = mop.begin();
  ValueId name = ValueId::nil();
  if (function.next() != mop.end() && !read_scalar(function.next(), name, op)) {
    return false;
  }
  text_ = ':';
  text_ += function.text();
  MopInput input{.kind = OpKind::kOther, .value = values_.intern(text_)};
  set_key_name(input, name);
  op.mops.push_back(input);
  return true;
}

/// Reads any value as one value.
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
