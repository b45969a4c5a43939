#include "parsers/dbcop/readers.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/dbcop/versioned_txns.h"
#include "parsers/json/document.h"
#include "parsers/json/input.h"
#include "parsers/json/value_parser.h"
#include "parsers/read_progress.h"
#include "parsers/traces/int_keys.h"
#include "parsers/traces/trace_reader.h"

namespace elapid {

namespace {

using json::Value;

Error expected(const std::string& what, Value found) {
  return malformed_at(found.offset(), "expected " + what + ", found " + describe(found));
}

/// The value of a required key. `object` must be an object.
Result<Value> member(Value object, std::string_view key) {
  const std::optional<Value> value = find(object, key);
  return value ? Result<Value>(*value)
               : expected("an object with a key `" + std::string(key) + '`', object);
}

Result<std::uint64_t> natural(Value value, const char* what) {
  std::uint64_t number = 0;
  const std::string_view text = value.kind() == json::Kind::kNumber ? value.text() : "";
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) {
    return expected(std::string(what) + ", an integer from 0 to 2^64 - 1", value);
  }
  return number;
}

/// An event in one of its two forms.
struct EventParts {
  bool is_write;
  Value variable;
  Value version;
};

/// `["r", variable, version]`.
Result<EventParts> compact_parts(Value event) {
  constexpr std::size_t kParts = 3;
  std::size_t count = 0;
  for (Value part = event.begin(); part != event.end(); part = part.next()) {
    ++count;
  }
  const Value kind = event.begin();
  const bool is_whole = count == kParts && kind.is_string();
  if (!is_whole || (kind.text() != "r" && kind.text() != "w")) {
    return expected(R"(an event as ["r", variable, version] or ["w", variable, version])", event);
  }
  return EventParts{kind.text() == "w", kind.next(), kind.next().next()};
}

/// `{"Read": {"variable": ..., "version": ...}}`.
Result<EventParts> long_parts(Value event) {
  const Value kind = event.begin();
  const bool is_single = kind != event.end() && kind.next().next() == event.end();
  if (!is_single || (kind.text() != "Read" && kind.text() != "Write")) {
    return expected("an event with one key, Read or Write", event);
  }
  const Value body = kind.next();
  if (!body.is_object()) {
    return expected("an object with variable and version", body);
  }
  Result<Value> variable = member(body, "variable");
  Result<Value> version = member(body, "version");
  if (!variable || !version) {
    return variable ? std::move(version.error()) : std::move(variable.error());
  }
  return EventParts{kind.text() == "Write", variable.value(), version.value()};
}

class JsonReader {
 public:
  JsonReader(ByteSource& source, const ReadOptions& options)
      : options_(options),
        input_(source),
        progress_(source, options),
        txns_(options),
        keys_(txns_.builder()) {}

  Status read();

  Result<History> finish(Sources& sources) && {
    return std::move(txns_).finish(sources, input_.offset());
  }

 private:
  Status read_document();
  Status read_members();
  Status read_member();
  Status read_sessions();
  Status read_txn();
  Status add_events(Value events);
  Status add_event(Value event);
  template <class ReadElement>
  Status read_array(const char* what, ReadElement read_element);
  Status parse();
  bool take(char expected_char);
  Error unexpected(const std::string& what) const;

  const ReadOptions& options_;
  json::Input input_;
  ReadProgress progress_;
  VersionedTxns txns_;
  NaturalKeys keys_;
  json::Document document_;
  std::uint64_t session_ = 0;  // counted from 1 as dbcop does
  bool has_data_ = false;
};

Error JsonReader::unexpected(const std::string& what) const {
  return input_.error() ? *input_.error()
                        : malformed_at(input_.offset(),
                                       "expected " + what + ", found " + input_.describe_next());
}

/// Skips white space, and takes the character if it comes next. Returns whether it did.
bool JsonReader::take(char expected_char) {
  input_.skip_space();
  if (input_.at_end() || input_.peek() != expected_char) {
    return false;
  }
  input_.take();
  return true;
}

/// Parses the next value into the document.
Status JsonReader::parse() {
  input_.skip_space();
  Status parsed = parse_value(input_, document_);
  if (parsed.ok() && document_.duplicate_key()) {
    return expected("each key once", *document_.duplicate_key());
  }
  return parsed;
}

template <class ReadElement>
Status JsonReader::read_array(const char* what, ReadElement read_element) {
  if (!take('[')) {
    return unexpected(std::string("an array of ") + what);
  }
  if (take(']')) {
    return {};
  }
  do {
    ELAPID_RETURN_IF_ERROR(read_element());
  } while (take(','));
  return take(']') ? Status()
                   : unexpected(std::string("a comma or the end of the array of ") + what);
}

Status JsonReader::read() {
  if (input_.skip_byte_order_mark()) {
    txns_.builder().remark(Remark::Kind::kByteOrderMark, {},
                           "the input begins with a byte order mark");
  }
  Status status = read_document();
  return status.ok()
             ? Status()
             : end_at_break(txns_.builder(), options_, std::move(status.error()), txns_.count());
}

Status JsonReader::read_document() {
  input_.skip_space();
  const bool is_wrapped = input_.peek() == '{';
  ELAPID_RETURN_IF_ERROR(is_wrapped ? read_members() : read_sessions());
  input_.skip_space();
  if (!input_.at_end()) {
    return unexpected("the end of the input behind the history");
  }
  return input_.error() ? Status(*input_.error()) : Status();
}

Status JsonReader::read_members() {
  take('{');
  if (!take('}')) {
    do {
      ELAPID_RETURN_IF_ERROR(read_member());
    } while (take(','));
    if (!take('}')) {
      return unexpected("a comma or the end of the object");
    }
  }
  return has_data_ ? Status() : malformed_at(0, "expected an object with a key `data`, found none");
}

Status JsonReader::read_member() {
  input_.skip_space();
  if (input_.peek() != '"') {
    return unexpected("a string as a key");
  }
  ELAPID_RETURN_IF_ERROR(parse());
  const Value key = document_.root();
  const bool is_data = key.text() == "data";
  if (is_data && has_data_) {
    return expected("each key once", key);
  }
  if (!take(':')) {
    return unexpected("a colon");
  }
  has_data_ = has_data_ || is_data;
  return is_data ? read_sessions() : parse();
}

Status JsonReader::read_sessions() {
  return read_array("sessions", [this] {
    ++session_;
    return read_array("transactions", [this] { return read_txn(); });
  });
}

Status JsonReader::read_txn() {
  ELAPID_RETURN_IF_ERROR(parse());
  const Value txn = document_.root();
  if (!txn.is_object()) {
    return expected("a transaction, an object with events and committed", txn);
  }
  const Result<Value> events = member(txn, "events");
  const Result<Value> committed = member(txn, "committed");
  if (!events || !committed) {
    return events ? committed.error() : events.error();
  }
  const json::Kind kind = committed.value().kind();
  if (kind != json::Kind::kTrue && kind != json::Kind::kFalse) {
    return expected("true or false as committed", committed.value());
  }
  ELAPID_RETURN_IF_ERROR(add_events(events.value()));
  ELAPID_RETURN_IF_ERROR(txns_.end_txn(session_, kind == json::Kind::kTrue, txn.offset()));
  return progress_.report(input_.offset());
}

Status JsonReader::add_events(Value events) {
  if (!events.is_array()) {
    return expected("an array of events", events);
  }
  for (Value event = events.begin(); event != events.end(); event = event.next()) {
    ELAPID_RETURN_IF_ERROR(add_event(event));
  }
  return {};
}

Status JsonReader::add_event(Value event) {
  ELAPID_ASSIGN_OR_RETURN(EventParts parts, event.is_array()    ? compact_parts(event)
                                            : event.is_object() ? long_parts(event)
                                                                : expected("an event", event));
  const auto [is_write, variable, version] = parts;
  ELAPID_ASSIGN_OR_RETURN(const std::uint64_t key, natural(variable, "a variable"));
  if (version.is_null() && !is_write) {
    txns_.read(keys_.key(key), std::nullopt);
    return {};
  }
  ELAPID_ASSIGN_OR_RETURN(const std::uint64_t value, natural(version, "a version"));
  if (is_write) {
    txns_.write(keys_.key(key), value);
  } else {
    txns_.read(keys_.key(key), value);
  }
  return {};
}

}  // namespace

Result<History> read_dbcop_json(Sources& sources, const ReadOptions& options) {
  return read_trace<JsonReader>(sources, options);
}

}  // namespace elapid
