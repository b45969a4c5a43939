#include <signal.h>

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "harness/servers/local_socket.h"
#include "tests/unit/harness/drive/sql_driver_checks.h"

using namespace elapid;

namespace {

TestServer& redis() {
  static TestServer server(redis_server());
  return server;
}

/// The server carries out a command of another client.
void tell_redis(const std::string& command) {
  const std::string answer =
      first_answer(parse_database_uri(redis().uri()).value().address, command + "\r\n");
  REQUIRE(answer == "+OK\r\n");
}

/// A session at the strictest level, of an empty database.
std::unique_ptr<StepSession> step_session() {
  const Addressee database = find_addressee(redis().uri()).value();
  std::unique_ptr<StepDatabase> steps =
      database.driver->open_steps({.uri = database.uri, .level = "serializable"}, {}).value();
  REQUIRE(steps->prepare({}).ok());
  return steps->connect(0, {}).value();
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

TEST_CASE("A command that fails within EXEC leaves the outcome open") {
  if (redis().is_there()) {
    DriverProbe lists(redis().uri(), "", true);
    DriverProbe probe(redis().uri(), "");
    REQUIRE(lists.run(0, {probe_append(1, 1)}).outcome.fate == TxnFate::kCommitted);
    const TxnOutcome outcome = probe.run(0, {probe_write(2, 1), probe_read(1)}).outcome;
    CHECK(outcome.fate == TxnFate::kIndeterminate);
    CHECK(outcome.message.starts_with("WRONGTYPE"));
  }
}

TEST_CASE("What Redis does not watch is not read") {
  if (redis().is_there()) {
    DriverProbe probe(redis().uri(), "serializable");
    tell_redis("ACL SETUSER default -watch");
    const TxnOutcome outcome = probe.run(0, {probe_read(1), probe_write(1, 1)}).outcome;
    tell_redis("ACL SETUSER default +watch");
    CHECK(outcome.fate == TxnFate::kAborted);
    CHECK(outcome.error == TxnError::kOther);
    CHECK(outcome.message.starts_with("NOPERM"));
    CHECK(probe.run(0, {probe_read(1)}).seen == std::vector<Seen>{Seen()});
  }
}

TEST_CASE("What Redis refuses while it is filled is an error") {
  if (redis().is_there()) {
    Result<Addressee> database = find_addressee(redis().uri());
    REQUIRE(database.ok());
    tell_redis("ACL SETUSER default -set");
    const Result<std::unique_ptr<Database>> opened = open_database(
        *database.value().driver, {.uri = database.value().uri, .initial = {probe_write(1, 1)}});
    tell_redis("ACL SETUSER default +set");
    REQUIRE_FALSE(opened.ok());
    CHECK(opened.error().message.starts_with("Redis: the first values cannot be written"));
  }
}

TEST_CASE("A failed transaction watches nothing on behalf of the next one") {
  if (redis().is_there()) {
    DriverProbe lists(redis().uri(), "", true);
    DriverProbe probe(redis().uri(), "serializable");
    REQUIRE(lists.run(0, {probe_append(1, 1)}).outcome.fate == TxnFate::kCommitted);
    CHECK(probe.run(0, {probe_read(1)}).outcome.message.starts_with("WRONGTYPE"));
    REQUIRE(lists.run(0, {probe_append(1, 2)}).outcome.fate == TxnFate::kCommitted);
    CHECK(probe.run(0, {probe_write(2, 1)}).outcome.fate == TxnFate::kCommitted);
  }
}

TEST_CASE("What is no number in Redis is not nothing") {
  if (redis().is_there()) {
    DriverProbe probe(redis().uri(), "serializable");
    tell_redis("SET elapid:1 " + std::string(50, 'x'));
    const std::string message = "expected a number, found '" + std::string(40, 'x') + "...'";
    const TxnOutcome early = probe.run(0, {probe_read(1)}).outcome;
    CHECK(early.fate == TxnFate::kAborted);
    CHECK(early.error == TxnError::kOther);
    CHECK(early.message == message);
    const TxnOutcome late = probe.run(0, {probe_write(2, 1), probe_read(1)}).outcome;
    CHECK(late.fate == TxnFate::kIndeterminate);
    CHECK(late.message == message);
    CHECK(probe.run(1, {probe_read(2)}).seen == std::vector<Seen>{1});
    tell_redis("SET elapid:1 9223372036854775808");
    CHECK(probe.run(0, {probe_read(1)}).outcome.message ==
          "expected a number, found '9223372036854775808'");
  }
}

TEST_CASE("What is no number in a list of Redis is not left out") {
  if (redis().is_there()) {
    DriverProbe probe(redis().uri(), "serializable", true);
    REQUIRE(probe.run(0, {probe_append(1, 1)}).outcome.fate == TxnFate::kCommitted);
    tell_redis("LSET elapid:1 0 x");
    CHECK(probe.run(0, {probe_list(1)}).outcome.message == "expected a number, found 'x'");
  }
}

TEST_CASE("A command that fails within EXEC leaves the outcome open in a scenario too") {
  if (redis().is_there()) {
    const std::unique_ptr<StepSession> session = step_session();
    using enum StepRequest::Kind;
    tell_redis("SET elapid:1 0");
    for (const RequestStep& step : {probe_write(2, 1), probe_append(1, 1)}) {
      CHECK(session->carry_out({.kind = kOperation, .operation = step}).error == TxnError::kNone);
    }
    const StepReply committed = session->carry_out({.kind = kCommit});
    CHECK(committed.error == TxnError::kOther);
    CHECK(committed.message.starts_with("WRONGTYPE"));
    CHECK(committed.is_lost);
  }
}

TEST_CASE("What Redis does not watch, and what is no number, is not read in a scenario either") {
  if (redis().is_there()) {
    const std::unique_ptr<StepSession> session = step_session();
    const StepRequest read = {.kind = StepRequest::Kind::kOperation, .operation = probe_read(1)};
    tell_redis("ACL SETUSER default -watch");
    const StepReply unwatched = session->carry_out(read);
    tell_redis("ACL SETUSER default +watch");
    CHECK(unwatched.message.starts_with("NOPERM"));
    tell_redis("SET elapid:1 x");
    const StepReply odd = session->carry_out(read);
    CHECK(odd.error == TxnError::kOther);
    CHECK(odd.message == "expected a number, found 'x'");
    CHECK(odd.rows.empty());
  }
}

TEST_CASE("Redis leaves SIGPIPE to the program") {
  if (redis().is_there()) {
    ::signal(SIGPIPE, SIG_DFL);  // whatever other drivers did
    check_death(redis(), {probe_read(1), probe_write(1, 1)});
    CHECK(::signal(SIGPIPE, SIG_DFL) == SIG_DFL);
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
