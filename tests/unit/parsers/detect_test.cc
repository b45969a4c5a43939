#include "parsers/detect.h"

#include <catch2/catch.hpp>
#include <string>

namespace elapid {
namespace {

/// The format and why, or the error.
std::string detected(const std::string& text) {
  const auto source = memory_source("h", text);
  const auto detection = detect_format(*source);
  return detection ? std::string(name(detection.value().format)) + ": " + detection.value().reason
                   : detection.error().to_string();
}

TEST_CASE("EDN is known by keywords, lists, comments and tags") {
  CHECK(detected("{:type :ok}") == "edn: it begins with a map of keyword keys");
  CHECK(detected(" ,\n[ {:type :ok}]") ==
        "edn: it begins with a vector with a map of keyword keys");
  CHECK(detected("({\"a\" 1})") == "edn: it begins with a list");
  CHECK(detected("; {\"type\": \"ok\"}\n{:type :ok}") == "edn: it begins with a comment");
  CHECK(detected("[; note\n{:type :ok}]") == "edn: it begins with a comment");
  CHECK(detected("#jepsen.history.Op{:type :ok}") ==
        "edn: it begins with a tag or a discarded form");
  CHECK(detected("[#_ {} {:type :ok}]") == "edn: it begins with a tag or a discarded form");
  CHECK(detected("{#_ 1 :type :ok}") == "edn: it begins with a map that holds a comment or a tag");
}

TEST_CASE("JSON is known by objects with strings as keys") {
  CHECK(detected("[{\"type\": \"ok\"}]") == "json: it begins with an array of objects");
  CHECK(detected("\n [ { \"type\": \"ok\"}]") == "json: it begins with an array of objects");
  CHECK(detected("{\"type\": \"ok\"}\n{") == "jsonl: it begins with an object, not an array");
}

TEST_CASE("A byte order mark does not keep a format from being known") {
  CHECK(detected("\xef\xbb\xbf[{\"type\": \"ok\"}]") == "json: it begins with an array of objects");
  CHECK(detected("\xef\xbb\xbf{:type :ok}") == "edn: it begins with a map of keyword keys");
}

TEST_CASE("An empty input is no history") {
  CHECK(detected("") == "h:1:1: expected a history, found an empty file");
  CHECK(detected(" \n\n") == "h:1:1: expected a history, found an empty file");
  CHECK(detected("\xef\xbb\xbf") == "h:1:1: expected a history, found an empty file");
  CHECK(detected(std::string(100'000, ' ') + "{:type :ok}") ==
        "h:1:1: expected a history, found 64 KiB of white space");
}

TEST_CASE("What could be any format or is none is refused with the candidates") {
  CHECK(detected("[]") ==
        "h:1:1: cannot tell the format of an input that begins with `[]`: it may be edn, json or "
        "jsonl "
        "(see --format)");
  CHECK(detected("{}").find("`{}`: it may be edn, json or jsonl") != std::string::npos);
  CHECK(detected("r(1,2,3,4)\nw(1,2,3,4)\nr(1") ==
        "h:1:1: cannot tell the format of an input that begins with `r(1,2,3,4)?w(1,2,3,4...`: it "
        "may "
        "be edn, json or jsonl (see --format)");
  CHECK(detected("\x7f"
                 "ELF")
            .find("begins with `?ELF`") != std::string::npos);
  CHECK(detected("JEPSEN\1").find("Jepsen's binary format") != std::string::npos);
}

TEST_CASE("Detection leaves the source at its start") {
  const auto source = memory_source("h", "{:type :ok}");
  REQUIRE(detect_format(*source));
  char first = '\0';
  REQUIRE(source->read({&first, 1}));
  CHECK(first == '{');
}

}  // namespace
}  // namespace elapid
