#include "harness/predict/line_client.h"

#include <optional>
#include <string_view>

#include "engine/ir/json_string.h"
#include "parsers/json/document.h"
#include "parsers/json/piece.h"

namespace elapid {

namespace {

Error senseless(std::string_view line, const std::string& expected) {
  return {.kind = ErrorKind::kMalformed,
          .message = "the client's line makes no sense: expected " + expected + ", found " +
                     json_quoted(line.substr(0, 100))};
}

/// A parsed line of a client.
struct ClientLine {
  std::string what = {};   ///< `get`, `put`, `commit` or `abort`
  std::string key = {};    ///< of get and put
  std::string value = {};  ///< of put, as JSON
};

std::optional<std::string> scalar_text(json::Value value) {
  switch (value.kind()) {
    case json::Kind::kNull:
      return "null";
    case json::Kind::kTrue:
      return "true";
    case json::Kind::kFalse:
      return "false";
    case json::Kind::kNumber:
      return std::string(value.text());
    case json::Kind::kString:
      return json_quoted(value.text());
    default:
      return std::nullopt;
  }
}

Result<ClientLine> take_apart(std::string_view line) {
  json::Document document;
  const Result<std::size_t> size = json::parse_piece(line, 0, document);
  if (!size || !document.root().is_object()) {
    return senseless(line, "an object of JSON");
  }
  const json::Value object = document.root();
  const std::optional<json::Value> what = find(object, "do");
  ClientLine parts = {.what = what ? std::string(what->text()) : ""};
  if (parts.what == "commit" || parts.what == "abort") {
    return parts;
  }
  const std::optional<json::Value> key = find(object, "key");
  if ((parts.what != "get" && parts.what != "put") || !key || !key->is_string()) {
    return senseless(line, "\"do\": \"get\" or \"put\" with a \"key\", \"commit\" or \"abort\"");
  }
  parts.key = key->text();
  if (parts.what == "put") {
    const std::optional<json::Value> value = find(object, "value");
    const std::optional<std::string> text = value ? scalar_text(*value) : std::nullopt;
    if (!text) {
      return senseless(line, "a \"value\" that is a number, a string, true, false or null");
    }
    parts.value = *text;
  }
  return parts;
}

}  // namespace

Status LineClient::tell(const std::string& line) {
  return program_.write_line(line, patience_)
             ? Status()
             : Status(Error{.kind = ErrorKind::kUnreadable,
                            .message = "the client does not read what it is told"});
}

Result<bool> LineClient::run(const std::string& session, std::size_t number, ReplayTxn& txn) {
  std::string answer = "{\"do\": \"begin\", \"session\": " + json_quoted(session) +
                       ", \"transaction\": " + std::to_string(number) + "}";
  while (true) {
    ELAPID_RETURN_IF_ERROR(tell(answer));
    const LineAnswer said = program_.read_line(patience_);
    if (!said.line) {
      return Error{.kind = ErrorKind::kUnreadable, .message = "the client " + said.why_not};
    }
    ELAPID_ASSIGN_OR_RETURN(const ClientLine line, take_apart(*said.line));
    answer = R"({"type": "ok"})";
    if (line.what == "get") {
      ELAPID_ASSIGN_OR_RETURN(const std::string value, txn.get(line.key));
      answer = R"({"type": "ok", "value": )" + value + "}";
    } else if (line.what == "put") {
      txn.put(line.key, line.value);
    } else {
      const Status told = tell(answer);
      return told ? Result<bool>(line.what == "commit") : Result<bool>(told.error());
    }
  }
}

}  // namespace elapid
