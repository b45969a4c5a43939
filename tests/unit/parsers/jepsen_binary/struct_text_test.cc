#include "parsers/jepsen_binary/struct_text.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace elapid::jepsen_binary {
namespace {

/// The structure's text, or `-` if it has none of its own.
std::string text(std::string_view tag, const std::vector<fressian::Component>& components) {
  JepsenStructText structs;
  std::string out;
  return structs.append(tag, components, out) ? out : '-' + out;
}

TEST_CASE("Jepsen's structures as EDN") {
  CHECK(text("persistent-hash-set", {{"[1 2]", ""}}) == "#{1 2}");
  CHECK(text("persistent-sorted-set", {{"nil", ""}}) == "#{}");
  CHECK(text("map-entry", {{":k", ""}, {"[1]", ""}}) == "[:k [1]]");
  CHECK(text("byte", {{"7", ""}}) == "7");
  CHECK(text("vec", {{"[7]", ""}}) == "[7]");
  CHECK(text("instant", {{"\"2020-01-02T03:04:05.123456Z\"", ""}}) ==
        "#inst \"2020-01-02T03:04:05.123-00:00\"");
  CHECK(text("char", {{"97", ""}}) == "\\u0061");
  CHECK(text("ratio", {{"-3", ""}, {"4", ""}}) == "-3/4");
  CHECK(text("ratio", {{"3N", ""}, {"400N", ""}}) == "3/400");
  CHECK(text("record", {{"my.Rec", ""}, {"{:a 1}", ""}}) == "#my.Rec {:a 1}");
  CHECK(text("key", {{"nil", ""}, {"\"a\"", ""}}) == ":a");
  CHECK(text("sym", {{"\"n\"", ""}, {"\"a\"", ""}}) == "n/a");
}

TEST_CASE("structures that only look like Jepsen's have no text of their own") {
  CHECK(text("multiset", {{"{1 2}", ""}}) == "-");
  CHECK(text("persistent-hash-set", {{"5", ""}}) == "-");
  CHECK(text("map-entry", {{"5", ""}}) == "-");
  CHECK(text("instant", {{"\"soon\"", ""}}) == "-");
  CHECK(text("instant", {{"5", ""}}) == "-");
  for (const char* code : {"55296", "65536", "-1", ":a", "1x"}) {
    CHECK(text("char", {{code, ""}}) == "-");
  }
  CHECK(text("ratio", {{"3", ""}, {"0", ""}}) == "-");
  CHECK(text("ratio", {{"3", ""}, {"-1", ""}}) == "-");
  CHECK(text("ratio", {{"1.5", ""}, {"2", ""}}) == "-");
  CHECK(text("record", {{"\"a b\"", ""}, {"{}", ""}}) == "-");
  CHECK(text("key", {{"nil", ""}, {":a", ""}}) == "-");
}

std::vector<fressian::Component> op(std::string_view value, std::string_view tag,
                                    std::string_view extras) {
  return {{"3", ""}, {"40", ""}, {":ok", ""}, {"0", ""}, {":txn", ""}, {value, tag}, {extras, ""}};
}

TEST_CASE("operations as EDN") {
  const std::string common = "{:index 3, :time 40, :type :ok, :process 0, :f :txn, :value [1 2]";
  CHECK(text("jepsen.history.Op", op("[1 2]", "", "nil")) == common + "}");
  CHECK(text("jepsen.history.Op", op("[1 2]", "", "{}")) == common + "}");
  CHECK(text("jepsen.history.Op", op("[1 2]", "", "{:error :x}")) == common + ", :error :x}");
  CHECK(text("jepsen.history.Op", op("[1 2]", "", "5")) == "-");
  CHECK(text("jepsen.history.Op", {{"3", ""}}) == "-");
}

TEST_CASE("tuples of jepsen.independent are told from vectors") {
  JepsenStructText structs;
  std::string out;
  structs.append("jepsen.history.Op", op("[1 2]", "map-entry", "nil"), out);
  CHECK(structs.is_tuple());
  structs.forget();
  CHECK_FALSE(structs.is_tuple());
  structs.append("jepsen.history.Op", op("[1 2]", "", "nil"), out);
  CHECK_FALSE(structs.is_tuple());
}

}  // namespace
}  // namespace elapid::jepsen_binary
