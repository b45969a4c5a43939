#include <catch2/catch.hpp>

#include "tests/unit/harness/drive/sql_driver_checks.h"

using namespace elapid;

namespace {

const std::vector<std::string> kSqliteUris = {"sqlite:", "sqlite:?journal=wal",
                                              "sqlite:?begin=immediate",
                                              "sqlite:?journal=wal&begin=immediate"};

}  // namespace

TEST_CASE("SQLite keeps registers and lists in every way") {
  check_ways([](const std::string& parameters) { return "sqlite:?" + parameters; }, false);
  for (const std::string& uri : kSqliteUris) {
    check_registers(uri);
  }
}

TEST_CASE("SQLite says what it is") {
  DriverProbe probe("sqlite:?journal=wal&begin=immediate", "");
  std::string text;
  for (const DatabaseFact& fact : probe.database().facts()) {
    text += fact.name == "version" ? "" : fact.name + '=' + fact.value + ' ';
  }
  CHECK(text ==
        "begin=begin immediate database=SQLite journal=wal read_uncommitted=0 synchronous=0 ");
}

TEST_CASE("SQLite loses no update, however it is asked") {
  for (const std::string& uri : kSqliteUris) {
    INFO(uri);
    DriverProbe probe(uri, "");
    ProbeResult other;
    const ProbeResult one = probe.run(0, {probe_read(1), probe_write(1, 1)}, [&] {
      other = probe.run(1, {probe_read(1), probe_write(1, 2)});
    });
    const bool one_did = one.outcome.fate == TxnFate::kCommitted;
    CHECK(one_did != (other.outcome.fate == TxnFate::kCommitted));
    const TxnOutcome& refused = one_did ? other.outcome : one.outcome;
    CHECK(refused.fate == TxnFate::kAborted);
    CHECK((refused.error == TxnError::kBusy || refused.error == TxnError::kConflict));
    CHECK(!refused.is_unusable);
    CHECK(probe.run(2, {probe_read(1)}).seen == std::vector<Seen>{one_did ? 1 : 2});
  }
}

TEST_CASE("A client that gives up leaves nothing in SQLite") {
  check_giving_up("sqlite:", "");
}

TEST_CASE("A file that is no database of SQLite is refused") {
  const Result<const Driver*> driver = find_driver("sqlite");
  REQUIRE(driver.ok());
  const Result<DatabaseUri> uri = parse_database_uri("sqlite:" ELAPID_OTHER_OBJECT);
  REQUIRE(uri.ok());
  const Result<std::unique_ptr<Database>> database =
      open_database(*driver.value(), {.uri = uri.value()});
  REQUIRE(!database.ok());
  CHECK(database.error().kind == ErrorKind::kUnreadable);
  CHECK(database.error().message == "SQLite says: file is not a database");
}
