#include "parsers/timekiller/txn_document.h"

#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/integer_text.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {

using json::Kind;
using json::Value;

namespace {

/// The 64-bit integer that a number or a string in plain form denotes.
std::optional<std::int64_t> plain_integer(Value value) {
  if (value.kind() != Kind::kNumber && !value.is_string()) {
    return std::nullopt;
  }
  const auto n = integer_of(value.text());
  const bool is_plain = !value.is_string() || (n && std::to_string(*n) == value.text());
  return is_plain ? n : std::nullopt;
}

class TxnReader {
 public:
  explicit TxnReader(TimekillerTxn& txn) : txn_(txn) {}

  Status read(Value value) {
    if (!value.is_object()) {
      return unexpected("a transaction object", value);
    }
    txn_.clear();
    txn_.offset = value.offset();
    ELAPID_RETURN_IF_ERROR(read_names(value));
    ELAPID_RETURN_IF_ERROR(read_clock(value, "sts", txn_.start));
    ELAPID_RETURN_IF_ERROR(read_clock(value, "cts", txn_.commit));
    ELAPID_RETURN_IF_ERROR(read_sequence(value));
    return read_ops(value);
  }

 private:
  static Error unexpected(const std::string& expected, Value found) {
    return malformed_at(found.offset(), "expected " + expected + ", found " + describe(found));
  }

  /// The value of a required field.
  static Result<Value> field(Value object, std::string_view key) {
    const auto value = find(object, key);
    if (!value) {
      return malformed_at(object.offset(), "expected an object with \"" + std::string(key) +
                                               "\", found one without");
    }
    return *value;
  }

  Status read_names(Value object) {
    ELAPID_RETURN_IF_ERROR(read_named(object, "tid", txn_.id));
    return read_named(object, "sid", txn_.session);
  }

  Status read_named(Value object, std::string_view key, TimekillerScalar& scalar) {
    const Result<Value> value = field(object, key);
    return value ? read_scalar(value.value(), key, scalar) : Status(value.error());
  }

  Status read_scalar(Value value, std::string_view what, TimekillerScalar& scalar) {
    scalar = {};
    if (const auto n = plain_integer(value)) {
      scalar.number = *n;
      return {};
    }
    if (!value.is_string()) {
      return unexpected("an integer of 64 bits or a string as \"" + std::string(what) + '"', value);
    }
    scalar.text = static_cast<std::uint32_t>(txn_.texts.size());
    txn_.texts.emplace_back(value.text());
    return {};
  }

  static Status read_clock(Value object, std::string_view key, TimekillerClock& clock) {
    ELAPID_ASSIGN_OR_RETURN(const Value value, field(object, key));
    if (const auto n = plain_integer(value)) {
      clock = {.physical = *n};
      return {};
    }
    if (!value.is_object()) {
      return unexpected(R"(a timestamp such as {"p": 1, "l": 0})", value);
    }
    ELAPID_RETURN_IF_ERROR(read_physical(value, clock.physical));
    return read_logical(value, clock.logical);
  }

  static Status read_physical(Value clock, std::int64_t& part) {
    ELAPID_ASSIGN_OR_RETURN(const Value value, field(clock, "p"));
    const auto n = plain_integer(value);
    part = n.value_or(0);
    return n ? Status() : unexpected(R"(an integer of 64 bits as "p")", value);
  }

  static Status read_logical(Value clock, std::int64_t& part) {
    ELAPID_ASSIGN_OR_RETURN(const Value value, field(clock, "l"));
    part = plain_integer(value).value_or(-1);
    const bool is_in_range = part >= 0 && part < TimekillerClock::kLogicalLimit;
    return is_in_range ? Status() : unexpected(R"(a natural number below 2^32 as "l")", value);
  }

  Status read_sequence(Value object) {
    const auto value = find(object, "seq");
    if (!value || value->is_null()) {
      return {};
    }
    txn_.sequence = plain_integer(*value);
    return txn_.sequence ? Status() : unexpected(R"(an integer of 64 bits as "seq")", *value);
  }

  Status read_ops(Value object) {
    ELAPID_ASSIGN_OR_RETURN(const Value ops, field(object, "ops"));
    if (!ops.is_array()) {
      return unexpected("an array as \"ops\"", ops);
    }
    for (Value op = ops.begin(); op != ops.end(); op = op.next()) {
      ELAPID_RETURN_IF_ERROR(read_op(op));
    }
    return {};
  }

  Status read_op(Value object) {
    if (!object.is_object()) {
      return unexpected("an operation object", object);
    }
    TimekillerOp op;
    op.offset = object.offset();
    ELAPID_ASSIGN_OR_RETURN(const Value type, field(object, "t"));
    const auto kind = type.is_string() ? find_timekiller_kind(type.text()) : std::nullopt;
    if (!kind) {
      return unexpected("r, read, w, write, a or append as \"t\"", type);
    }
    op.kind = *kind;
    ELAPID_RETURN_IF_ERROR(read_named(object, "k", op.key));
    ELAPID_RETURN_IF_ERROR(read_value(object, op));
    if (!has_possible_value(op)) {
      const auto value = find(object, "v");
      return malformed_at(object.offset(), "expected a single value as the v of " +
                                               std::string(describe_timekiller_kind(op.kind)) +
                                               ", found " + (value ? describe(*value) : "none"));
    }
    txn_.ops.push_back(op);
    return {};
  }

  Status read_value(Value object, TimekillerOp& op) {
    const auto value = find(object, "v");
    if (!value || value->is_null()) {
      return {};
    }
    if (!value->is_array()) {
      op.value_kind = TimekillerValue::kScalar;
      return read_scalar(*value, "v", op.value);
    }
    op.value_kind = TimekillerValue::kList;
    op.list_begin = static_cast<std::uint32_t>(txn_.elements.size());
    for (Value element = value->begin(); element != value->end(); element = element.next()) {
      TimekillerScalar scalar;
      ELAPID_RETURN_IF_ERROR(read_scalar(element, "v", scalar));
      txn_.elements.push_back(scalar);
    }
    op.list_length = static_cast<std::uint32_t>(txn_.elements.size()) - op.list_begin;
    return {};
  }

  TimekillerTxn& txn_;
};

}  // namespace

Status read_timekiller_txn(Value value, TimekillerTxn& txn) {
  return TxnReader(txn).read(value);
}

}  // namespace elapid
