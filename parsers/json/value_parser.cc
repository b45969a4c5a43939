#include "parsers/json/value_parser.h"

#include <string>
#include <string_view>
#include <utility>

#include "parsers/json/rapidjson.h"

namespace elapid::json {

namespace {

/// An Input with the interface of RapidJSON's streams.
class RapidInput {
 public:
  using Ch = char;

  explicit RapidInput(Input& input) : input_(input) {}

  // NOLINTBEGIN(readability-identifier-naming): the names are RapidJSON's.
  [[nodiscard]] Ch Peek() const { return input_.peek(); }

  Ch Take() { return input_.take(); }

  [[nodiscard]] std::size_t Tell() const { return input_.offset(); }

  // RapidJSON would call these for parsing in place.
  Ch* PutBegin() { return nullptr; }

  void Put(Ch /*byte*/) {}

  std::size_t PutEnd(Ch* /*begin*/) { return 0; }

  // NOLINTEND(readability-identifier-naming)

  void skip_space() { input_.skip_space(); }

 private:
  Input& input_;
};

/// Whether the text has a surrogate. Otherwise it is valid UTF-8: RapidJSON accepts surrogates as
/// escapes.
bool has_surrogate(std::string_view text) {
  for (std::size_t at = text.find('\xed'); at != std::string_view::npos;
       at = text.find('\xed', at + 1)) {
    if (static_cast<unsigned char>(text[at + 1]) >= 0xa0) {
      return true;
    }
  }
  return false;
}

/// Puts the values that RapidJSON reports into a document. A callback that returns false ends the
/// parsing.
class Recorder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Recorder> {
 public:
  Recorder(const Input& input, Document& document) : input_(input), document_(document) {}

  // NOLINTBEGIN(readability-identifier-naming): the names are RapidJSON's.
  bool Null() { return add(Kind::kNull, {}); }

  bool Bool(bool value) { return add(value ? Kind::kTrue : Kind::kFalse, {}); }

  bool RawNumber(const char* text, rapidjson::SizeType size, bool /*copy*/) {
    return add(Kind::kNumber, {text, size});
  }

  bool String(const char* text, rapidjson::SizeType size, bool /*copy*/) {
    if (has_surrogate({text, size})) {
      return fail("expected both halves of a surrogate pair, found one in this string");
    }
    return add(Kind::kString, {text, size});
  }

  bool Key(const char* text, rapidjson::SizeType size, bool copy) {
    return String(text, size, copy);
  }

  bool StartObject() { return open(Kind::kObject); }

  bool StartArray() { return open(Kind::kArray); }

  bool EndObject(rapidjson::SizeType /*members*/) { return close(); }

  bool EndArray(rapidjson::SizeType /*elements*/) { return close(); }

  // NOLINTEND(readability-identifier-naming)

  /// The reason why a callback returned false.
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  bool add(Kind kind, std::string_view text) {
    document_.add(kind, input_.token_offset(), text);
    return true;
  }

  bool open(Kind kind) {
    if (document_.depth() == kMaxDepth) {
      return fail("expected at most " + std::to_string(kMaxDepth) +
                  " arrays and objects around one another, found more");
    }
    document_.open(kind, input_.token_offset());
    return true;
  }

  bool close() {
    document_.close();
    return true;
  }

  bool fail(std::string message) {
    error_ = Error{.message = std::move(message), .byte_offset = input_.token_offset()};
    return false;
  }

  const Input& input_;
  Document& document_;
  Error error_;
};

/// What RapidJSON expected where it stopped. Empty for errors about something before, for which see
/// complaint().
std::string_view expectation(rapidjson::ParseErrorCode code) {
  switch (code) {
    case rapidjson::kParseErrorObjectMissName:
      return "a string as a key";
    case rapidjson::kParseErrorObjectMissColon:
      return "a colon";
    case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
      return "a comma or `}`";
    case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
      return "a comma or `]`";
    case rapidjson::kParseErrorStringMissQuotationMark:
      return "the end of this string";
    case rapidjson::kParseErrorNumberMissFraction:
      return "a digit behind the point";
    case rapidjson::kParseErrorNumberMissExponent:
      return "a digit in the exponent";
    case rapidjson::kParseErrorDocumentEmpty:
    case rapidjson::kParseErrorValueInvalid:
      return "a value";
    default:
      return {};
  }
}

std::string_view complaint(rapidjson::ParseErrorCode code) {
  switch (code) {
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
      return "expected four hexadecimal digits behind \\u, found something else";
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
      return "expected both halves of a surrogate pair, found one";
    case rapidjson::kParseErrorStringEscapeInvalid:
      return "expected an escape that JSON knows, and none but escaped control characters";
    case rapidjson::kParseErrorStringInvalidEncoding:
      return "expected valid UTF-8, found something else";
    case rapidjson::kParseErrorNumberTooBig:
      return "expected a number in the range of a double, found one beyond";
    default:
      return "expected JSON, found something else";
  }
}

Error syntax_error(const rapidjson::ParseResult& result, const Input& input,
                   const Document& document) {
  Error error{.byte_offset = result.Offset()};
  const std::string_view expected = expectation(result.Code());
  if (expected.empty() && !input.at_end()) {
    error.message = complaint(result.Code());
    return error;
  }
  error.message = "expected " + std::string(expected.empty() ? "more" : expected) + ", found " +
                  input.describe_next();
  if (input.at_end()) {
    error.byte_offset = input.offset();
    error.message += document.depth() == 0
                         ? ""
                         : " in the " +
                               std::string(document.root().is_array() ? "array" : "object") +
                               " that begins at byte " + std::to_string(document.root().offset());
  }
  return error;
}

}  // namespace

}  // namespace elapid::json

/// As RapidJSON's own function, and marks where the next token begins.
template <>
inline void rapidjson::SkipWhitespace(elapid::json::RapidInput& input) {
  input.skip_space();
}

namespace elapid::json {

Status parse_value(Input& input, Document& document) {
  constexpr unsigned kFlags =
      rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag |
      rapidjson::kParseValidateEncodingFlag | rapidjson::kParseStopWhenDoneFlag;
  input.begin_value();
  document.reset(input.token_offset());
  RapidInput rapid_input(input);
  Recorder recorder(input, document);
  rapidjson::Reader reader;
  rapidjson::ParseResult result;
  try {
    result = reader.Parse<kFlags>(rapid_input, recorder);
  } catch (const RapidJsonFailure& failure) {
    return Error{.kind = ErrorKind::kInternal,
                 .message = std::string("RapidJSON broke its promise: ") + failure.what(),
                 .byte_offset = input.offset()};
  }
  if (!result.IsError()) {
    return {};
  }
  if (input.error()) {
    return *input.error();
  }
  return result.Code() == rapidjson::kParseErrorTermination ? recorder.error()
                                                            : syntax_error(result, input, document);
}

}  // namespace elapid::json
