#include <catch2/catch.hpp>

#include "tests/unit/harness/drive/driver_probe.h"

using namespace elapid;

namespace {

using SqliteList = std::vector<std::int64_t>;

const std::vector<std::string> kSqliteUris = {"sqlite:", "sqlite:?journal=wal",
                                              "sqlite:?begin=immediate",
                                              "sqlite:?journal=wal&begin=immediate"};

}  // namespace

TEST_CASE("SQLite keeps registers") {
  for (const std::string& uri : kSqliteUris) {
    INFO(uri);
    DriverProbe probe(uri, "", false, {probe_write(2, 20)});
    CHECK(probe.run(0, {probe_read(1), probe_write(1, -5), probe_read(1)}).seen ==
          std::vector<Seen>{{}, {}, -5});
    CHECK(probe.run(1, {probe_read(1), probe_read(2)}).seen == std::vector<Seen>{-5, 20});
  }
}

TEST_CASE("SQLite keeps lists as text, as rows and as JSON") {
  for (const char* const lists : {"text", "rows", "json"}) {
    INFO(lists);
    DriverProbe probe(std::string("sqlite:?lists=") + lists, "", true);
    CHECK(probe.run(0, {probe_append(1, 7), probe_list(1), probe_append(1, -8)}).lists[1] ==
          SqliteList{7});
    CHECK(probe.run(1, {probe_append(1, 9), probe_append(2, 1)}).outcome.fate ==
          TxnFate::kCommitted);
    CHECK(probe.run(2, {probe_list(1), probe_list(2), probe_list(3)}).lists ==
          std::vector<SqliteList>{{7, -8, 9}, {1}, {}});
  }
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
