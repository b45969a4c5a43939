#include "harness/compare/command.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

using Words = std::vector<std::string>;

const CommandWords kWords = {.input = "/tmp/h/history.edn",
                             .dir = "/tmp/h",
                             .work = "/tmp/w",
                             .level = {"--strong-session"},
                             .format = "EDN",
                             .workload = "list-append",
                             .program = "/opt/mine/bin/mine",
                             .here = "/opt/descriptions",
                             .memory = "768"};

}  // namespace

TEST_CASE("commands: placeholders are replaced wherever they stand") {
  CHECK(expand("{input}", kWords) == Words{"/tmp/h/history.edn"});
  CHECK(expand("-Xmx{memory}m", kWords) == Words{"-Xmx768m"});
  CHECK(expand("{program-dir}/../conf:{here}", kWords) ==
        Words{"/opt/mine/bin/../conf:/opt/descriptions"});
  CHECK(expand("{work}/{format}/{workload}", kWords) == Words{"/tmp/w/EDN/list-append"});
}

TEST_CASE("commands: other braces are themselves") {
  CHECK(expand("{:models [:{level}] {} {A} {", kWords) ==
        Words{"{:models [:--strong-session] {} {A} {"});
  CHECK_FALSE(unknown_placeholder("{:models #{} {A}"));
  CHECK(unknown_placeholder("a {b} {input}") == "{b}");
}

TEST_CASE("commands: a level alone in its argument may be several arguments, or none") {
  CommandWords words = kWords;
  CHECK(expand(Words{"a", "{level}", "b"}, words) == Words{"a", "--strong-session", "b"});
  words.level = {};
  CHECK(expand(Words{"a", "{level}", "b"}, words) == Words{"a", "b"});
  words.level = {"--level", "si"};
  CHECK(expand(Words{"{level}"}, words) == Words{"--level", "si"});
  CHECK(expand(Words{"={level}"}, words) == Words{"=--level si"});
}

}  // namespace elapid
