#include "harness/drive/exec_protocol.h"

#include <charconv>
#include <optional>
#include <utility>

#include "engine/ir/json_string.h"
#include "engine/ir/utf8.h"
#include "parsers/json/document.h"
#include "parsers/json/piece.h"

namespace elapid {

namespace {

using json::Kind;
using json::Value;

bool is_read(OpKind kind) {
  return kind == OpKind::kRead || kind == OpKind::kReadList;
}

std::string_view word(OpKind kind) {
  return is_read(kind) ? "r" : kind == OpKind::kWrite ? "w" : "append";
}

Error malformed(std::string message) {
  return {.kind = ErrorKind::kMalformed, .message = std::move(message)};
}

Error unexpected(const std::string& expected, Value found) {
  return malformed("expected " + expected + ", found " + describe(found));
}

/// Parses a line as an object.
Result<Value> object_in(std::string_view line, json::Document& document) {
  const Result<std::size_t> size = json::parse_piece(line, 0, document);
  if (!size) {
    return malformed("expected a line of JSON: " + size.error().message);
  }
  if (line.find_first_not_of(" \t\r", size.value()) != std::string_view::npos) {
    return malformed("expected one JSON object a line, found more behind it");
  }
  const Value value = document.root();
  return value.is_object() ? Result<Value>(value) : unexpected("an object", value);
}

std::optional<std::int64_t> integer(Value value) {
  std::int64_t n = 0;
  const std::string_view text = value.text();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  const bool is_integer =
      value.kind() == Kind::kNumber && error == std::errc() && end == text.data() + text.size();
  return is_integer ? std::optional(n) : std::nullopt;
}

/// The outcome in the field `type`: ok, fail or info.
Result<TxnFate> fate_in(Value object) {
  const std::optional<Value> type = find(object, "type");
  if (!type || !type->is_string()) {
    return malformed("expected \"type\": \"ok\", \"fail\" or \"info\"");
  }
  if (type->text() == "ok") {
    return TxnFate::kCommitted;
  }
  if (type->text() == "fail") {
    return TxnFate::kAborted;
  }
  return type->text() == "info" ? Result<TxnFate>(TxnFate::kIndeterminate)
                                : unexpected("ok, fail or info", *type);
}

TxnError error_named(std::string_view text) {
  for (std::size_t error = 1; error < kTxnErrors; ++error) {
    if (text == name(static_cast<TxnError>(error))) {
      return static_cast<TxnError>(error);
    }
  }
  return TxnError::kOther;
}

/// The field `error`: a known word, a message, or an array of both.
void take_error(Value object, TxnOutcome& outcome) {
  outcome.error = TxnError::kOther;
  const std::optional<Value> error = find(object, "error");
  if (!error) {
    return;
  }
  if (error->is_string()) {
    outcome.error = error_named(error->text());
    outcome.message = outcome.error == TxnError::kOther ? error->text() : "";
  } else if (error->is_array()) {
    for (Value part = error->begin(); part != error->end(); part = part.next()) {
      if (part == error->begin()) {
        outcome.error = error_named(part.text());
      } else if (part.is_string()) {
        outcome.message = part.text();
      }
    }
  }
}

/// Takes the result of a read of a list.
Status take_list(Value list, std::size_t i, DriverTxn& txn) {
  std::vector<std::int64_t> elements;
  if (list.is_array()) {
    for (Value element = list.begin(); element != list.end(); element = element.next()) {
      const std::optional<std::int64_t> n = integer(element);
      if (!n) {
        return unexpected("a list of integers", element);
      }
      elements.push_back(*n);
    }
  } else if (!list.is_null()) {
    return unexpected("a list of integers", list);
  }
  txn.saw_list(i, elements);
  return {};
}

/// Takes one operation of the answer, which must match the request.
Status take_mop(Value mop, std::size_t i, DriverTxn& txn) {
  const RequestStep& step = txn.step(i);
  std::vector<Value> parts;
  if (mop.is_array()) {
    for (Value part = mop.begin(); part != mop.end(); part = part.next()) {
      parts.push_back(part);
    }
  }
  const bool is_same = parts.size() == 3 && parts[0].is_string() &&
                       parts[0].text() == word(step.kind) && integer(parts[1]) == step.key;
  if (!is_same) {
    return unexpected("[\"" + std::string(word(step.kind)) + "\", " + std::to_string(step.key) +
                          ", ...] as operation " + std::to_string(i + 1),
                      mop);
  }
  if (step.kind == OpKind::kReadList) {
    return take_list(parts[2], i, txn);
  }
  if (step.kind == OpKind::kRead) {
    const std::optional<std::int64_t> n = integer(parts[2]);
    if (!n && !parts[2].is_null()) {
      return unexpected("an integer or null", parts[2]);
    }
    static_cast<void>(txn.saw(i, n));
  }
  return {};
}

Status take_mops(Value object, DriverTxn& txn) {
  const std::optional<Value> value = find(object, "value");
  if (!value || !value->is_array()) {
    return malformed("expected \"value\": the operations, with what was read");
  }
  std::size_t i = 0;
  for (Value mop = value->begin(); mop != value->end(); mop = mop.next(), ++i) {
    if (i == txn.size()) {
      return malformed("expected " + std::to_string(i) + " operations, found more");
    }
    ELAPID_RETURN_IF_ERROR(take_mop(mop, i, txn));
  }
  return i == txn.size() ? Status()
                         : malformed("expected " + std::to_string(txn.size()) +
                                     " operations, found " + std::to_string(i));
}

}  // namespace

std::string open_line(std::size_t session, const DatabaseRequest& request) {
  return "{\"do\": \"open\", \"session\": " + std::to_string(session) +
         ", \"sessions\": " + std::to_string(request.sessions) +
         ", \"isolation\": " + json_quoted(request.level) +
         ", \"lists\": " + (request.has_lists ? "true" : "false") +
         ", \"scratch\": " + json_quoted(as_utf8(request.scratch)) +
         ", \"patience_ms\": " + std::to_string(request.patience.count()) + "}";
}

std::string setup_line(std::span<const RequestStep> initial) {
  std::string line = "{\"do\": \"setup\", \"initial\": [";
  for (const RequestStep& write : initial) {
    line += line.ends_with('[') ? "[" : ", [";
    line += std::to_string(write.key) + ", " + std::to_string(write.value) + ']';
  }
  return line + "]}";
}

std::string txn_line(const DriverTxn& txn) {
  std::string line = "{\"do\": \"txn\", \"value\": [";
  for (const RequestStep& step : txn.steps()) {
    line += &step == txn.steps().data() ? "[\"" : ", [\"";
    line += word(step.kind);
    line += "\", " + std::to_string(step.key) + ", " +
            (is_read(step.kind) ? "null" : std::to_string(step.value)) + ']';
  }
  return line + "]}";
}

Status read_ready(std::string_view line, std::vector<DatabaseFact>& facts) {
  json::Document document;
  ELAPID_ASSIGN_OR_RETURN(const Value object, object_in(line, document));
  ELAPID_ASSIGN_OR_RETURN(const TxnFate fate, fate_in(object));
  if (fate != TxnFate::kCommitted) {
    TxnOutcome outcome;
    take_error(object, outcome);
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = outcome.message.empty() ? std::string(name(outcome.error))
                                                    : std::move(outcome.message)};
  }
  const std::optional<Value> told = find(object, "facts");
  if (told && told->is_object()) {
    for (Value key = told->begin(); key != told->end(); key = key.next().next()) {
      const Value value = key.next();
      facts.push_back({std::string(key.text()), std::string(value.text())});
    }
  }
  return {};
}

Result<TxnOutcome> read_outcome(std::string_view line, DriverTxn& txn) {
  json::Document document;
  ELAPID_ASSIGN_OR_RETURN(const Value object, object_in(line, document));
  ELAPID_ASSIGN_OR_RETURN(const TxnFate fate, fate_in(object));
  TxnOutcome outcome = {.fate = fate};
  if (outcome.fate != TxnFate::kCommitted) {
    take_error(object, outcome);
    return outcome;
  }
  ELAPID_RETURN_IF_ERROR(take_mops(object, txn));
  return outcome;
}

}  // namespace elapid
