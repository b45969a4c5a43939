#include "parsers/porcupine/etcd_line.h"

#include <re2/re2.h>

#include <optional>
#include <string>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"
#include "parsers/edn/value_text.h"

namespace elapid {

using edn::TokenKind;

namespace {

using re2::StringPiece;

std::string_view view(StringPiece text) {
  return {text.data(), text.size()};
}

/// What a line says.
struct Fields {
  StringPiece process;
  StringPiece type;
  StringPiece f;
  StringPiece value;
};

bool split(std::string_view line, Fields& fields) {
  static const re2::RE2 pattern(
      R"(INFO\s+jepsen\.util\s+-\s+(\d+|:[\w-]+)\s+:(\w+)\s+(:[^\s]+)\s+(.*?)\s*)");
  return re2::RE2::FullMatch(StringPiece(line.data(), line.size()), pattern, &fields.process,
                             &fields.type, &fields.f, &fields.value);
}

/// The process of a client; nothing for a nemesis.
bool read_process(StringPiece text, OpMap& op) {
  if (text.starts_with(":")) {
    op.process_kind = ProcessKind::kNamed;
    return true;
  }
  op.process_kind = ProcessKind::kClient;
  static const re2::RE2 number(R"((\d+))");
  return re2::RE2::FullMatch(text, number, &op.process);
}

/// The text of the form that the scanner's current token begins, in pieces if it is a vector.
Status read_form(edn::Scanner& scanner, WholeValue& whole) {
  if (!is_sequential(scanner.token().kind)) {
    return append_form(scanner, edn::TextStyle::kCanonical, whole.text);
  }
  whole.is_collection = true;
  whole.open();
  while (!is_close(scanner.next())) {
    whole.separate();
    if (Status status = append_form(scanner, edn::TextStyle::kCanonical, whole.text);
        !status.ok()) {
      return status;
    }
  }
  whole.text += ']';
  return {};
}

/// The value, and behind it nothing or what an error says.
Status read_value(std::string_view text, std::uint64_t offset, OpMap& op) {
  constexpr std::size_t kWindowBytes = 1024;
  const auto source = memory_source({}, std::string(text));
  edn::Scanner scanner(*source, offset, kWindowBytes);
  op.has_value = scanner.next() != TokenKind::kNil;
  if (!op.has_value) {
    return {};
  }
  op.not_mops = malformed_at(offset, "expected a value that stands alone");
  return read_form(scanner, op.whole);
}

}  // namespace

bool is_etcd_line(std::string_view line) {
  static const re2::RE2 pattern(R"(^INFO\s+jepsen\.util\b)");
  return re2::RE2::PartialMatch(StringPiece(line.data(), line.size()), pattern);
}

Status read_etcd_line(std::string_view line, std::uint64_t offset, ValuePool& values, OpMap& op) {
  op.clear();
  op.offset = offset;
  Fields fields;
  if (!split(line, fields)) {
    return malformed_at(offset,
                        "expected `INFO jepsen.util - PROCESS :TYPE :F VALUE`, found another line");
  }
  op.type = find_event_type(view(fields.type));
  if (!op.type) {
    return malformed_at(offset, "expected :invoke, :ok, :fail or :info, found " +
                                    edn::in_quotes(':' + std::string(view(fields.type))));
  }
  if (!read_process(fields.process, op)) {
    return malformed_at(offset, "expected a process number of 64 bits, found " +
                                    edn::in_quotes(view(fields.process)));
  }
  op.f = values.intern(view(fields.f));
  const auto at = static_cast<std::uint64_t>(fields.value.data() - line.data());
  return read_value(view(fields.value), offset + at, op);
}

}  // namespace elapid
