#include <catch2/catch.hpp>

#include "tests/unit/harness/drive/sql_driver_checks.h"

using namespace elapid;

namespace {

TestServer& mariadb() {
  static TestServer server(mariadb_server());
  return server;
}

std::string mariadb_uri(const std::string& parameters) {
  return mariadb().uri(parameters);
}

}  // namespace

TEST_CASE("MariaDB keeps registers and lists in every way") {
  if (mariadb().is_there()) {
    check_ways(mariadb_uri, true);
  }
}

TEST_CASE("MariaDB's levels are what they are known to be") {
  if (mariadb().is_there()) {
    CHECK(loses_updates(mariadb(), "read-committed"));
    CHECK(loses_updates(mariadb(), "repeatable-read"));
    CHECK_FALSE(loses_updates(mariadb(), "snapshot-isolation"));
    CHECK(skews_writes(mariadb(), "snapshot-isolation"));
  }
}

TEST_CASE("MariaDB says what it is") {
  if (mariadb().is_there()) {
    DriverProbe probe(mariadb().uri(), "serializable");
    const std::vector<DatabaseFact> facts = probe.database().facts();
    CHECK(facts[1].value == "MariaDB");
    CHECK(facts[2].value.find("MariaDB") == std::string::npos);  // its version
    CHECK(facts[3].value == "SERIALIZABLE");
  }
}

TEST_CASE("MariaDB that dies, and that says nothing") {
  if (mariadb().is_there()) {
    check_silence(mariadb());
    check_death(mariadb());
  }
}

TEST_CASE("A user of MariaDB who may make no tables is told so") {
  if (mariadb().is_there()) {
    const Error error = error_without_rights(mariadb(), {"create user guest@localhost"},
                                             [](DatabaseUri& uri) { uri.address = "//guest@"; });
    CHECK(error.kind == ErrorKind::kUnreadable);
    CHECK(error.message.starts_with("MariaDB: Access denied for user 'guest'@'localhost'"));
  }
}

TEST_CASE("MariaDB that falls silent in the middle of an answer") {
  if (mariadb().is_there()) {
    const DatabaseUri uri = parse_database_uri(mariadb().uri()).value();
    const std::string socket(uri.parameter("socket", ""));
    check_half_an_answer(mariadb(), socket);
    check_half_a_commit(mariadb(), socket);
  }
}

TEST_CASE("MariaDB that is not there, and addresses that are none") {
  const Driver& driver = *find_driver("mysql").value();
  const auto opened = [&](const std::string& uri) {
    return open_database(driver, {.uri = parse_database_uri(uri).value()}).error();
  };
  CHECK(opened("mysql:?socket=/nowhere").kind == ErrorKind::kUnreadable);
  CHECK(opened("mysql:localhost").message == "expected mysql://USER:PASSWORD@HOST:PORT/DATABASE");
  CHECK(opened("mysql://b:65536/d").kind == ErrorKind::kUsage);
  CHECK(opened("mysql://a@b:c/d").message == "a port is a number up to 65535, not 'c'");
}
