#include <catch2/catch.hpp>

#include "tests/unit/harness/drive/sql_driver_checks.h"

using namespace elapid;

namespace {

TestServer& postgres() {
  static TestServer server(postgres_server());
  return server;
}

std::string postgres_uri(const std::string& parameters) {
  return postgres().uri(parameters);
}

}  // namespace

TEST_CASE("PostgreSQL keeps registers and lists in every way") {
  if (postgres().is_there()) {
    check_ways(postgres_uri, true);
  }
}

TEST_CASE("PostgreSQL's levels are what they are known to be") {
  if (postgres().is_there()) {
    CHECK(loses_updates(postgres(), "read-committed"));
    CHECK_FALSE(loses_updates(postgres(), "snapshot-isolation"));
    CHECK_FALSE(loses_updates(postgres(), "serializable"));
    CHECK(skews_writes(postgres(), "repeatable-read"));
    CHECK_FALSE(skews_writes(postgres(), "serializable"));
  }
}

TEST_CASE("PostgreSQL says what it is") {
  if (postgres().is_there()) {
    DriverProbe probe(postgres().uri(), "serializable");
    const std::vector<DatabaseFact> facts = probe.database().facts();
    CHECK(facts[0].value == "begin isolation level serializable");
    CHECK(facts[1].value == "PostgreSQL");
    CHECK(facts[2].value.find("PostgreSQL") == std::string::npos);  // its version
  }
}

TEST_CASE("PostgreSQL that dies, and that says nothing") {
  if (postgres().is_there()) {
    check_silence(postgres());
    check_death(postgres());
  }
}

TEST_CASE("PostgreSQL that falls silent in the middle of an answer") {
  if (postgres().is_there()) {
    const DatabaseUri uri = parse_database_uri(postgres().uri()).value();
    const std::string socket = std::string(uri.parameter("host", "")) + "/.s.PGSQL.5432";
    check_half_an_answer(postgres(), socket);
    check_half_a_commit(postgres(), socket);
  }
}

TEST_CASE("PostgreSQL that is not there") {
  const Result<const Driver*> driver = find_driver("postgres");
  REQUIRE(driver.ok());
  const Result<std::unique_ptr<Database>> opened = open_database(
      *driver.value(), {.uri = parse_database_uri("postgres:///db?host=/nowhere").value()});
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.error().kind == ErrorKind::kUnreadable);
  CHECK(opened.error().message.starts_with("PostgreSQL: connection to server on socket"));
}

TEST_CASE("A user of PostgreSQL who may make no tables is told so") {
  if (postgres().is_there()) {
    const Error error =
        error_without_rights(postgres(), {"create role guest login"}, [](DatabaseUri& uri) {
          for (auto& [name, value] : uri.parameters) {
            value = name == "user" ? "guest" : value;
          }
        });
    CHECK(error.kind == ErrorKind::kUnreadable);
    CHECK(error.message.starts_with("the table cannot be made: "));
  }
}

TEST_CASE("Addresses of PostgreSQL that are none") {
  const Driver& driver = *find_driver("postgres").value();
  const Error error =
      open_database(driver, {.uri = parse_database_uri("postgres:test").value()}).error();
  CHECK(error.kind == ErrorKind::kUsage);
  CHECK(error.message == "expected postgres://USER@HOST:PORT/DATABASE");
}

TEST_CASE("Ways of using SQL that are none") {
  const Driver& driver = *find_driver("postgres").value();
  const auto refused = [&](const std::string& parameters) {
    return open_database(driver, {.uri = parse_database_uri("postgres:?" + parameters).value()})
        .error()
        .message;
  };
  CHECK(refused("tables=0") == "tables is a number from 1 to 100, not '0'");
  CHECK(refused("lists=rows&append=read-write") ==
        "a list of rows is never written as a whole: append=read-write needs another");
}
