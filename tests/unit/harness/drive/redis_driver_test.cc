#include <catch2/catch.hpp>

#include "tests/unit/harness/drive/sql_driver_checks.h"

using namespace elapid;

namespace {

TestServer& redis() {
  static TestServer server(redis_server());
  return server;
}

}  // namespace

TEST_CASE("Redis keeps registers and lists") {
  if (redis().is_there()) {
    check_registers(redis().uri());
    check_lists(redis().uri());
  }
}

TEST_CASE("Redis without WATCH loses updates, and with it neither these nor writes that skew") {
  if (redis().is_there()) {
    CHECK(loses_updates(redis(), "read-committed"));
    CHECK_FALSE(loses_updates(redis(), "serializable"));
    CHECK_FALSE(skews_writes(redis(), "serializable"));
  }
}

TEST_CASE("Reads alone are one moment in Redis too") {
  if (redis().is_there()) {
    DriverProbe probe(redis().uri(), "serializable", false, {probe_write(1, 0)});
    const ProbeResult torn = probe.run(0, {probe_read(1), probe_read(2)}, [&] {
      probe.run(1, {probe_write(1, 1), probe_write(2, 1)});
    });
    CHECK(torn.outcome.error == TxnError::kConflict);
  }
}

TEST_CASE("Redis says what it is") {
  if (redis().is_there()) {
    DriverProbe probe(redis().uri(), "");
    const std::vector<DatabaseFact> facts = probe.database().facts();
    REQUIRE(facts.size() == 2);
    CHECK(facts[1].name == "version");
  }
}

TEST_CASE("Redis that dies, and that says nothing") {
  if (redis().is_there()) {
    check_silence(redis());
    check_death(redis(), {probe_read(1), probe_write(1, 1)});
  }
}

TEST_CASE("Redis that falls silent in the middle of an answer") {
  if (redis().is_there()) {
    check_half_an_answer(redis(), parse_database_uri(redis().uri()).value().address);
  }
}

TEST_CASE("A command that fails within EXEC leaves nobody knowing") {
  if (redis().is_there()) {
    DriverProbe lists(redis().uri(), "", true);
    DriverProbe probe(redis().uri(), "");
    REQUIRE(lists.run(0, {probe_append(1, 1)}).outcome.fate == TxnFate::kCommitted);
    const TxnOutcome outcome = probe.run(0, {probe_write(2, 1), probe_read(1)}).outcome;
    CHECK(outcome.fate == TxnFate::kIndeterminate);
    CHECK(outcome.message.starts_with("WRONGTYPE"));
  }
}

TEST_CASE("Redis that is not there, and addresses that are none") {
  const Driver& driver = *find_driver("redis").value();
  const auto opened = [&](const std::string& uri) {
    return open_database(driver, {.uri = parse_database_uri(uri).value()}).error();
  };
  CHECK(opened("redis:/nowhere").kind == ErrorKind::kUnreadable);
  CHECK(opened("redis://host:none").message == "a port is a number up to 65535, not 'none'");
}
