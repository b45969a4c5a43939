#include "harness/story/sql_script.h"

#include <catch2/catch.hpp>
#include <string>

#include "engine/check/check.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/tiny_trace.h"
#include "tests/unit/harness/story/approved.h"

namespace elapid {
namespace {

Result<std::string> script_of(const History& history, ModelSet demanded, SqlDialect dialect) {
  const Result<Verdict> verdict = check(history, {.models = demanded});
  REQUIRE(verdict.ok());
  return sql_script(history, tell_story(history, verdict.value(), {}), demanded, dialect);
}

void check_script(const History& history, Model model, SqlDialect dialect,
                  const std::string& approved) {
  const Result<std::string> script = script_of(history, {model}, dialect);
  REQUIRE(script.ok());
  check_approved(script.value(), approved);
}

std::string refusal(const History& history, Model model, SqlDialect dialect) {
  const Result<std::string> script = script_of(history, {model}, dialect);
  REQUIRE_FALSE(script.ok());
  CHECK(script.error().kind == ErrorKind::kUsage);
  return script.error().message;
}

History lost_update() {
  return list_history("0> rx ax1; 1> rx ax2; 0+ rx ax1; 1+ rx ax2; 2 rx12");
}

History write_skew() {
  return register_history("0> rx_ wy1; 1> ry_ wx1; 0+ rx_ wy1; 1+ ry_ wx1");
}

TEST_CASE("script: PostgreSQL") {
  check_script(lost_update(), Model::kPlSi, SqlDialect::kPostgres, "lost_update_postgres.sql");
}

TEST_CASE("script: MySQL") {
  check_script(lost_update(), Model::kPl3, SqlDialect::kMysql, "lost_update_mysql.sql");
}

TEST_CASE("script: SQLite") {
  check_script(write_skew(), Model::kPlSs, SqlDialect::kSqlite, "write_skew_sqlite.sql");
}

TEST_CASE("script: aborted and unknown outcomes") {
  check_script(register_history("0> wx1; 1> rx1; 0- wx1; 1+ rx1; 2> wx3; 2? wx3"), Model::kPl2,
               SqlDialect::kPostgres, "aborted_read_postgres.sql");
}

TEST_CASE("script: a recorded initial transaction is done before") {
  const History history = build_trace(
      parse_tiny(Workload::kRwRegister, "0> rx0 wx1; 1> rx0 wx2; 0+ rx0 wx1; 1+ rx0 wx2"),
      {.has_initial_txn = true});
  const Result<std::string> script = script_of(history, {Model::kPlSi}, SqlDialect::kPostgres);
  REQUIRE(script.ok());
  INFO(script.value());
  CHECK(script.value().find("insert into elapid values ('120', 0);") != std::string::npos);
  CHECK(script.value().find("set v = 0") == std::string::npos);
}

TEST_CASE("script: what would show nothing is refused") {
  CHECK(refusal(write_skew(), Model::kPlSi, SqlDialect::kSqlite) ==
        "SQLite has no level repeatable read: all its transactions are serializable");
  CHECK(refusal(register_history("0 wx1; 1 rx_"), Model::kPlSs, SqlDialect::kPostgres)
            .starts_with("no two of its transactions overlap"));
}

TEST_CASE("script: levels of the database that are meant to keep those demanded") {
  const auto level = [](ModelSet demanded) {
    const std::string script = script_of(write_skew(), demanded, SqlDialect::kPostgres).value();
    return script.substr(0, script.find('.'));
  };
  CHECK(level({Model::kPl1}) == "-- PostgreSQL, level read uncommitted");
  CHECK(level({Model::kRc}) == "-- PostgreSQL, level read committed");
  CHECK(level({Model::kPlSi, Model::kPl2}) == "-- PostgreSQL, level repeatable read");
  CHECK(level({Model::kStrongSessionSerializable}) == "-- PostgreSQL, level serializable");
  CHECK(level({}) == "-- PostgreSQL, level serializable");
}

TEST_CASE("script: dialects by name") {
  for (const std::string_view name : dialect_names()) {
    CHECK(dialect_names()[static_cast<std::size_t>(dialect_of(name))] == name);
  }
}

}  // namespace
}  // namespace elapid
