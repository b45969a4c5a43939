#include "parsers/dbcop/readers.h"

#include <catch2/catch.hpp>
#include <string>

#include "parsers/dbcop/dbcop_format.h"
#include "tests/unit/parsers/traces/reading.h"

namespace elapid {
namespace {

std::string dbcop_outcome(const std::string& text, const ReadOptions& options = {}) {
  return outcome(read_dbcop, text, "json", options);
}

/// One transaction of these events.
std::string history_of(const std::string& events) {
  return R"([[{"events":[)" + events + R"(],"committed":true}]])";
}

TEST_CASE("dbcop's JSON is read in all its forms") {
  const std::string expected = "1 ok [:w 0 1]; 1 fail [:w 0 7]; 2 ok [:r 0 1] [:r 1 nil] [:w 1 2]";
  for (const char* name : {"dbcop/wrapped.json", "dbcop/raw.json"}) {
    const Result<History> parsed = read_text(read_dbcop, sample(name));
    REQUIRE(parsed);
    CHECK(summary(parsed.value()) == expected);
    CHECK(parsed.value().info().format == "dbcop");
    CHECK(parsed.value().info().initial.is_nil());
    CHECK(parsed.value().info().source_bytes == sample(name).size());
    CHECK(remarks(parsed.value()).empty());
  }
  CHECK(outcome(read_dbcop, sample("dbcop/compact.json")) ==
        "1 ok [:w 0 1]; 2 ok [:r 0 1] [:r 1 nil]");
}

TEST_CASE("transactions of dbcop's JSON stand where they begin") {
  const Result<History> parsed = read_text(read_dbcop, sample("dbcop/raw.json"));
  REQUIRE(parsed);
  CHECK(parsed.value().event({1}, EventKind::kCompletion).position.offset == 77);
}

TEST_CASE("the members of a wrapped history come in any order") {
  CHECK(dbcop_outcome(R"({"data":[[],[{"committed":true,"events":[],"x":{}}]],"params":{}})") ==
        "2 ok");
  CHECK(dbcop_outcome(R"({"start":"","data":[],"more":[1,{}]})").empty());
  CHECK(dbcop_outcome("\xef\xbb\xbf [ [ ] , [ ] ] ").empty());
}

TEST_CASE("version 0 is initial where no transaction writes it") {
  CHECK(dbcop_outcome(history_of(R"(["r",1,0],["r",2,0],["w",2,0],["r",3,null])")) ==
        "1 ok [:r 1 nil] [:r 2 0] [:w 2 0] [:r 3 nil]");
}

TEST_CASE("the initial version can be given") {
  const Result<History> parsed =
      read_text(read_dbcop, history_of(R"(["r",1,0],["r",1,null])"), "json", {.initial = "7"});
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "1 ok [:r 1 0] [:r 1 7]");
  CHECK(parsed.value().info().initial == ValueId::integer(7));
}

TEST_CASE("numbers of dbcop's JSON have 64 bits without a sign") {
  CHECK(dbcop_outcome(history_of(R"(["w",18446744073709551615,18446744073709551614])")) ==
        "1 ok [:w 18446744073709551615N 18446744073709551614N]");
  for (const char* number : {"18446744073709551616", "-1", "1.0", "1e2", "\"1\"", "true"}) {
    INFO(number);
    CHECK(
        dbcop_outcome(history_of(R"(["w",1,)" + std::string(number) + "]"))
            .starts_with("input:1:21: expected a version, an integer from 0 to 2^64 - 1, found "));
    CHECK(
        dbcop_outcome(history_of(R"(["w",)" + std::string(number) + ",1]"))
            .starts_with("input:1:19: expected a variable, an integer from 0 to 2^64 - 1, found "));
  }
}

TEST_CASE("bad samples of dbcop's JSON") {
  CHECK(outcome(read_dbcop, sample("dbcop/bad-missing-committed.json")) ==
        "input:1:3: expected an object with a key `committed`, found an object");
  CHECK(outcome(read_dbcop, sample("dbcop/bad-null-write.json")) ==
        "input:1:52: expected a version, an integer from 0 to 2^64 - 1, found null");
}

TEST_CASE("JSON that is no history of dbcop is refused") {
  CHECK(dbcop_outcome("7") == "input:1:1: expected an array of sessions, found `7`");
  CHECK(dbcop_outcome("{}") == "input:1:1: expected an object with a key `data`, found none");
  CHECK(dbcop_outcome(R"({"data":[],"data":[]})") ==
        "input:1:12: expected each key once, found `\"data\"`");
  CHECK(dbcop_outcome(R"({"data" [])") == "input:1:9: expected a colon, found `[`");
  CHECK(dbcop_outcome("{7:[]}") == "input:1:2: expected a string as a key, found `7`");
  CHECK(dbcop_outcome(R"({"data":[])") ==
        "input:1:11: expected a comma or the end of the object, found the end of the input");
  CHECK(dbcop_outcome("[[]]x") ==
        "input:1:5: expected the end of the input behind the history, found `x`");
  CHECK(dbcop_outcome("[7]") == "input:1:2: expected an array of transactions, found `7`");
  CHECK(dbcop_outcome("[[] []]") ==
        "input:1:5: expected a comma or the end of the array of sessions, found `[`");
  CHECK(dbcop_outcome("[[[]]]") ==
        "input:1:3: expected a transaction, an object with events and committed, found an array");
  CHECK(dbcop_outcome(R"([[{"events":{},"committed":true}]])") ==
        "input:1:13: expected an array of events, found an object");
  CHECK(dbcop_outcome(R"([[{"events":[],"committed":1}]])") ==
        "input:1:28: expected true or false as committed, found `1`");
  CHECK(dbcop_outcome(R"([[{"events":[],"events":[],"committed":true}]])") ==
        "input:1:16: expected each key once, found `\"events\"`");
}

TEST_CASE("events that are none are refused") {
  const std::string compact =
      "input:1:14: expected an event as [\"r\", variable, version] or "
      "[\"w\", variable, version], found an array";
  CHECK(dbcop_outcome(history_of(R"(["r",1])")) == compact);
  CHECK(dbcop_outcome(history_of(R"(["r",1,1,1])")) == compact);
  CHECK(dbcop_outcome(history_of(R"(["x",1,1])")) == compact);
  CHECK(dbcop_outcome(history_of("[1,1,1]")) == compact);
  CHECK(dbcop_outcome(history_of("[]")) == compact);
  const std::string single =
      "input:1:14: expected an event with one key, Read or Write, found an object";
  CHECK(dbcop_outcome(history_of("{}")) == single);
  CHECK(dbcop_outcome(history_of(R"({"Read":{},"Write":{}})")) == single);
  CHECK(dbcop_outcome(history_of(R"({"Lock":{}})")) == single);
  CHECK(dbcop_outcome(history_of("7")) == "input:1:14: expected an event, found `7`");
  CHECK(dbcop_outcome(history_of(R"({"Read":[1,2]})")) ==
        "input:1:22: expected an object with variable and version, found an array");
  CHECK(dbcop_outcome(history_of(R"({"Read":{"variable":1}})")) ==
        "input:1:22: expected an object with a key `version`, found an object");
  CHECK(dbcop_outcome(history_of(R"({"Read":{"version":1}})")) ==
        "input:1:22: expected an object with a key `variable`, found an object");
}

TEST_CASE("dbcop's JSON cut short anywhere") {
  for (const char* name : {"dbcop/wrapped.json", "dbcop/raw.json", "dbcop/compact.json"}) {
    const std::string text = sample(name);
    const std::string whole = dbcop_outcome(text);
    const std::size_t size = text.find_last_of("]}") + 1;
    for (std::size_t length = 0; length < size; ++length) {
      INFO(name << " cut to " << length << " bytes");
      const std::string cut = text.substr(0, length);
      const Result<History> strict = read_text(read_dbcop, cut, "json");
      REQUIRE_FALSE(strict);
      CHECK(strict.error().line.has_value());
      const Result<History> salvaged = read_text(read_dbcop, cut, "json", {.salvage = true});
      REQUIRE(salvaged);
      CHECK(whole.starts_with(summary(salvaged.value())));
      CHECK(has_remark(salvaged.value(), Remark::Kind::kSalvaged));
    }
  }
}

}  // namespace
}  // namespace elapid
