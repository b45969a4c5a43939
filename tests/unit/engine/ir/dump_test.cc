#include "engine/ir/dump.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "engine/ir/history_builder.h"

namespace elapid {
namespace {

constexpr std::string_view kText =
    "elapid-history 1\n"
    "format\tedn\n"
    "file\ta\\sfile.edn\n"
    "invoke\t0\t3\t12\t0:0\tappend :x 1\tread :y nil\n"
    "skip\t-\t4\t-\t0:0\n"
    "ok\t0\t5\t15\t0:80\tappend :x 1\tlist :y 3 4\n"
    "invoke\t1\t6\t-\t0:90\twrite \"a\\sb\\tc\\\\\" :v\n"
    "info\t1\t7\t-\t0:99\twrite \"a\\sb\\tc\\\\\" :v\n"
    "invoke\t2\t8\t20\t0:120\tread :y nil\n"
    "skip\t-\t9\t-\t0:0\n";

TEST_CASE("dump: reads what it writes") {
  const Result<History> history = parse_dump(kText);
  REQUIRE(history.ok());
  CHECK(dump(history.value()) == kText);
  CHECK(history.value().key_text(history.value().ops({1})[0].key()) == "\"a b\tc\\\"");
  CHECK(history.value().info().files == std::vector<std::string>{"a file.edn"});
}

TEST_CASE("dump: errors name the line") {
  const auto error_of = [](std::string_view lines) {
    const Result<History> history =
        parse_dump("elapid-history 1\nformat\tedn\n" + std::string(lines));
    REQUIRE_FALSE(history.ok());
    return history.error();
  };
  CHECK(parse_dump("elapid-history 2\n").error().line == 1);
  CHECK(error_of("invoke\t0\t0\n").line == 3);
  CHECK(error_of("invoke\tx\t0\t-\t0:0\n").line == 3);
  CHECK(error_of("invoke\t0\t0\t-\t0\n").line == 3);
  CHECK(error_of("begin\t0\t0\t-\t0:0\n").line == 3);
  CHECK(error_of("invoke\t0\t0\t-\t0:0\tpush :x 1\n").line == 3);
  CHECK(error_of("invoke\t0\t0\t-\t0:0\tappend :x\n").line == 3);
  CHECK(error_of("invoke\t0\t0\t-\t0:0\ninvoke\t0\t1\t-\t0:0\n").line == 4);
}

TEST_CASE("dump: an empty history") {
  const Result<History> history = parse_dump("elapid-history 1\nformat\tedn\n");
  REQUIRE(history.ok());
  CHECK(history.value().txn_count() == 0);
}

}  // namespace
}  // namespace elapid
