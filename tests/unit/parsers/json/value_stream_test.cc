#include "parsers/json/value_stream.h"

#include <catch2/catch.hpp>
#include <string>

#include "parsers/json/value_parser.h"

namespace elapid::json {
namespace {

/// A value in short, with the place of everything in it: `{@0 "a"@1 [@5 1@6 2@8]}`.
void append_shape(Value value, std::string& out) {
  const std::string place = "@" + std::to_string(value.offset());
  const auto append_inside = [&out, value] {
    for (Value inner = value.begin(); inner != value.end(); inner = inner.next()) {
      out += ' ';
      append_shape(inner, out);
    }
  };
  switch (value.kind()) {
    case Kind::kArray:
      out += "[" + place;
      append_inside();
      out += ']';
      break;
    case Kind::kObject:
      out += "{" + place;
      append_inside();
      out += '}';
      break;
    case Kind::kString:
      out += '"' + std::string(value.text()) + '"' + place;
      break;
    case Kind::kNumber:
      out += std::string(value.text()) + place;
      break;
    default:
      out += describe(value) + place;
  }
}

/// All values of a text, and the error that ended it if one did.
std::string shapes(const std::string& text) {
  const auto source = memory_source("h.json", text);
  ValueStream stream(*source);
  std::string out;
  while (stream.next()) {
    out += out.empty() ? "" : " ";
    append_shape(stream.value(), out);
  }
  if (!stream.status().ok()) {
    out += out.empty() ? "" : " ";
    out += "! " + source->located(stream.status().error()).to_string();
  }
  return out;
}

TEST_CASE("JSON values keep their places and texts") {
  CHECK(shapes(R"({"a":[1,2.50],"b":{}})") == R"({@0 "a"@1 [@5 1@6 2.50@8] "b"@14 {@18}})");
  CHECK(shapes("[ null , true,false ,\"x\" ]") == R"(null@2 true@9 false@14 "x"@21)");
  CHECK(shapes(" -0\t12345678901234567890123 1e5 1E-7 0.25\r\n") ==
        "-0@1 12345678901234567890123@4 1e5@28 1E-7@32 0.25@37");
}

TEST_CASE("JSON strings are decoded") {
  CHECK(shapes(R"("\"\\\/\b\f\n\r\t\u0041\u00e4\ud83d\ude00")") ==
        "\"\"\\/\b\f\n\r\tA\xc3\xa4\xf0\x9f\x98\x80\"@0");
  CHECK(shapes("\"\xc3\xa4\x7f\"") == "\"\xc3\xa4\x7f\"@0");
  CHECK(shapes(R"("a\u0000b")") == std::string("\"a\0b\"@0", 7));
}

TEST_CASE("A JSON text is one array or values one after another") {
  CHECK(shapes("").empty());
  CHECK(shapes(" \n").empty());
  CHECK(shapes("[]").empty());
  CHECK(shapes("[1,\n2]\n") == "1@1 2@4");
  CHECK(shapes("{}\n{}\n\n{}{}") == "{@0} {@3} {@7} {@9}");
  CHECK(shapes("[[1]]") == "[@1 1@2]");
  CHECK(shapes("[1] 2") ==
        "1@1 ! h.json:1:5: expected the end of the input behind the array, found `2`");
  CHECK(shapes("{},{}") == "{@0} ! h.json:1:3: expected a value, found `,`");
}

TEST_CASE("JSON with a byte order mark") {
  const auto source = memory_source("h.json", "\xef\xbb\xbf[7]");
  ValueStream stream(*source);
  CHECK(stream.has_byte_order_mark());
  REQUIRE(stream.next());
  CHECK(stream.value().text() == "7");
  CHECK(stream.value().offset() == 4);
  CHECK_FALSE(stream.next());
  CHECK_FALSE(stream.next());
  CHECK(stream.status().ok());
}

TEST_CASE("What is not JSON is an error with its place") {
  CHECK(shapes("[1 2]") == "1@1 ! h.json:1:4: expected a comma or `]`, found `2`");
  CHECK(shapes("[1,]") == "1@1 ! h.json:1:4: expected a value, found `]`");
  CHECK(shapes("[,1]") == "! h.json:1:2: expected a value, found `,`");
  CHECK(shapes("{\"a\" 1}") == "! h.json:1:6: expected a colon, found `1`");
  CHECK(shapes("{\"a\":1,}") == "! h.json:1:8: expected a string as a key, found `}`");
  CHECK(shapes("{\"a\":1\n\"b\":2}") == "! h.json:2:1: expected a comma or `}`, found `\"`");
  CHECK(shapes("{\"a\":[1}") == "! h.json:1:8: expected a comma or `]`, found `}`");
  CHECK(shapes("{a:1}") == "! h.json:1:2: expected a string as a key, found `a`");
  CHECK(shapes("[nil]") == "! h.json:1:3: expected a value, found `i`");
  CHECK(shapes("[NaN]") == "! h.json:1:2: expected a value, found `N`");
  CHECK(shapes("[-Infinity]") == "! h.json:1:3: expected a value, found `I`");
  CHECK(shapes("[1.]") == "! h.json:1:4: expected a digit behind the point, found `]`");
  CHECK(shapes("[1e]") == "! h.json:1:4: expected a digit in the exponent, found `]`");
  CHECK(shapes("[01]") == "0@1 ! h.json:1:3: expected a comma or `]`, found `1`");
  CHECK(shapes("[1e400]") ==
        "! h.json:1:2: expected a number in the range of a double, found one beyond");
  CHECK(shapes("// comment\n1") == "! h.json:1:1: expected a value, found `/`");
}

TEST_CASE("Bad JSON strings are errors with their place") {
  CHECK(shapes("[\"\xff\"]") == "! h.json:1:3: expected valid UTF-8, found something else");
  CHECK(shapes("[\"\xed\xa0\x80\"]") == "! h.json:1:3: expected valid UTF-8, found something else");
  CHECK(shapes("[\"\xc0\xaf\"]") == "! h.json:1:3: expected valid UTF-8, found something else");
  CHECK(
      shapes(R"(["\x"])") ==
      "! h.json:1:3: expected an escape that JSON knows, and none but escaped control characters");
  CHECK(
      shapes("[\"\t\"]") ==
      "! h.json:1:3: expected an escape that JSON knows, and none but escaped control characters");
  CHECK(shapes(R"(["\u12g4"])") ==
        "! h.json:1:3: expected four hexadecimal digits behind \\u, found something else");
  CHECK(shapes(R"(["a\ud800b"])") ==
        "! h.json:1:4: expected both halves of a surrogate pair, found one");
  CHECK(shapes(R"(["a\udc00"])") ==
        "! h.json:1:2: expected both halves of a surrogate pair, found one in this string");
}

TEST_CASE("A NUL is not the end of JSON") {
  CHECK(shapes(std::string("[1]\0[2]", 7)) ==
        "1@1 ! h.json:1:4: expected the end of the input behind the array, found byte 0x00");
  CHECK(shapes(std::string("{}\0{}", 5)) == "{@0} ! h.json:1:3: expected a value, found byte 0x00");
  CHECK(shapes(std::string("[\"a\0\"]", 6)) ==
        "! h.json:1:4: expected the end of this string, found byte 0x00");
  CHECK(shapes(std::string("[1,\0 2]", 7)) ==
        "1@1 ! h.json:1:4: expected a value, found byte 0x00");
}

TEST_CASE("Truncated JSON says what was open") {
  CHECK(shapes("[") == "! h.json:1:2: expected a value, found the end of the input");
  CHECK(shapes("[1") ==
        "1@1 ! h.json:1:3: expected a comma or `]`, found the end of the input in the array that "
        "begins at byte 0");
  CHECK(shapes("[1,{\"a\":[") ==
        "1@1 ! h.json:1:10: expected a value, found the end of the input in the object that begins "
        "at byte 3");
  CHECK(shapes("[{\"a\":\"x") ==
        "! h.json:1:9: expected the end of this string, found the end of the input in the object "
        "that begins at byte 1");
}

TEST_CASE("A key that comes twice is found at any depth") {
  const auto duplicate = [](const std::string& text) -> std::string {
    const auto source = memory_source("h.json", text);
    ValueStream stream(*source);
    REQUIRE(stream.next());
    const auto key = stream.document().duplicate_key();
    return key ? std::string(key->text()) + "@" + std::to_string(key->offset()) : "none";
  };
  CHECK(duplicate(R"({"a":1,"b":{"a":2},"c":["a","a"]})") == "none");
  CHECK(duplicate(R"({"a":1,"b":2,"a":3})") == "a@13");
  CHECK(duplicate(R"([{"x":{"b":1,"b":2}}])") == "b@13");
}

TEST_CASE("The last of several equal keys is found") {
  const auto source = memory_source("h.json", R"({"a":1,"b":2,"a":3})");
  ValueStream stream(*source);
  REQUIRE(stream.next());
  REQUIRE(find(stream.value(), "a"));
  CHECK(find(stream.value(), "a")->text() == "3");
  CHECK_FALSE(find(stream.value(), "c"));
}

TEST_CASE("JSON nests a million levels deep, not more") {
  constexpr std::size_t kDeep = 1'000'000;
  const auto source =
      memory_source("h.json", "{\"a\":" + std::string(kDeep, '[') + std::string(kDeep, ']') + "}");
  ValueStream stream(*source);
  CHECK(stream.next());
  CHECK_FALSE(stream.next());
  CHECK(stream.status().ok());
  CHECK(shapes("[" + std::string(2 * kMaxDepth, '[')).find("around one another, found more") !=
        std::string::npos);
}

TEST_CASE("JSON values longer than the window") {
  const std::string text(3 * Input::kWindowBytes + 17, 'x');
  const auto source = memory_source("h.json", "[\"" + text + "\", 1]");
  ValueStream stream(*source);
  REQUIRE(stream.next());
  CHECK(stream.value().text() == text);
  REQUIRE(stream.next());
  CHECK(stream.value().offset() == text.size() + 5);
}

TEST_CASE("A JSON value can be read again from its place") {
  const auto source = memory_source("h.json", R"([{"a":1},{"b":[2]}])");
  Input input(*source, 9);
  Document document;
  REQUIRE(parse_value(input, document).ok());
  std::string shape;
  append_shape(document.root(), shape);
  CHECK(shape == R"({@9 "b"@10 [@14 2@15]})");
}

TEST_CASE("Descriptions of JSON values are short and of one line") {
  const auto source =
      memory_source("h.json", "[\"a\\nb\", 12, {}, \"" + std::string(60, 'x') + "\"]");
  ValueStream stream(*source);
  std::string out;
  while (stream.next()) {
    out += describe(stream.value()) + ' ';
  }
  CHECK(out == "`\"a?b\"` `12` an object `\"" + std::string(40, 'x') + "...\"` ");
}

/// Gives a few bytes and then fails, as a damaged archive does.
class FailingSource : public ByteSource {
 public:
  FailingSource() : ByteSource("h.json.gz") {}

  Result<std::size_t> read(std::span<char> into) override {
    if (is_read_) {
      return Error{.message = "the archive is damaged"};
    }
    is_read_ = true;
    return std::string("[{\"a\":1").copy(into.data(), into.size());
  }

  Result<std::size_t> reread(std::uint64_t /*offset*/, std::span<char> /*into*/) override {
    return std::size_t{0};
  }

  Status rewind() override { return {}; }

  [[nodiscard]] std::uint64_t total() const override { return 0; }

  [[nodiscard]] std::uint64_t consumed() const override { return 0; }

 private:
  bool is_read_ = false;
};

TEST_CASE("An input that cannot be read on is not taken for truncated JSON") {
  FailingSource source;
  ValueStream stream(source);
  CHECK_FALSE(stream.next());
  REQUIRE_FALSE(stream.status().ok());
  CHECK(stream.status().error().message == "the archive is damaged");
}

}  // namespace
}  // namespace elapid::json
