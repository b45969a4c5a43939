#include "harness/drive/exec_protocol.h"

#include <catch2/catch.hpp>

using namespace elapid;

namespace {

/// A transaction of a list's append and read, and of a register's write and read.
struct ToldTxn {
  ToldTxn() {
    request.steps = {{OpKind::kAppend, 0, 5, 1},
                     {OpKind::kReadList, 0, 6, 0},
                     {OpKind::kWrite, 0, 7, -2},
                     {OpKind::kRead, 0, 8, 0}};
    txn.restart();
  }

  Request request = {};
  DriverTxn txn = DriverTxn(request);
};

std::string why_nonsense(std::string_view line) {
  ToldTxn told;
  const Result<TxnOutcome> outcome = read_outcome(line, told.txn);
  return outcome ? "" : outcome.error().message;
}

}  // namespace

TEST_CASE("Clients are told what to do in lines of JSON") {
  CHECK(
      open_line(2,
                {.level = "serializable", .has_lists = true, .sessions = 3, .scratch = "/a\"b"}) ==
      R"({"do": "open", "session": 2, "sessions": 3, "isolation": "serializable", "lists": true, )"
      R"("scratch": "/a\"b", "patience_ms": 1000})");
  CHECK(setup_line({}) == R"({"do": "setup", "initial": []})");
  const std::vector<RequestStep> initial = {{OpKind::kWrite, 0, 1, 10}, {OpKind::kWrite, 0, 2, -3}};
  CHECK(setup_line(initial) == R"({"do": "setup", "initial": [[1, 10], [2, -3]]})");
  CHECK(
      txn_line(ToldTxn().txn) ==
      R"({"do": "txn", "value": [["append", 5, 1], ["r", 6, null], ["w", 7, -2], ["r", 8, null]]})");
}

TEST_CASE("A client's answer says what was read") {
  ToldTxn told;
  const Result<TxnOutcome> outcome = read_outcome(
      R"( {"value": [["append",5,1], ["r",6,[3,-4]], ["w",7,-2], ["r",8,9]], "type":"ok"} )",
      told.txn);
  REQUIRE(outcome.ok());
  CHECK(outcome.value().fate == TxnFate::kCommitted);
  CHECK(told.txn.result(1).list_length == 2);
  CHECK(told.txn.elements()[1] == -4);
  CHECK(told.txn.result(3).seen == 9);
  CHECK(
      read_outcome(R"({"type":"ok","value":[["append",5,1],["r",6,null],["w",7,-2],["r",8,null]]})",
                   told.txn)
          .ok());
}

TEST_CASE("A client's answer says why a transaction failed") {
  ToldTxn told;
  const auto read = [&](std::string_view line) { return read_outcome(line, told.txn).value(); };
  CHECK(read(R"({"type":"fail","error":"deadlock"})").error == TxnError::kDeadlock);
  CHECK(read(R"({"type":"fail","error":"deadlock"})").fate == TxnFate::kAborted);
  const TxnOutcome lost = read(R"({"type":"info","error":["connection-lost","gone"]})");
  CHECK(lost.fate == TxnFate::kIndeterminate);
  CHECK(lost.error == TxnError::kConnection);
  CHECK(lost.message == "gone");
  CHECK(read(R"({"type":"fail","error":"some words"})").message == "some words");
  CHECK(read(R"({"type":"fail"})").error == TxnError::kOther);
  CHECK(read(R"({"type":"fail","error":17})").error == TxnError::kOther);
  CHECK(read(R"({"type":"fail","error":[[]]})").error == TxnError::kOther);
}

TEST_CASE("What is no answer to a transaction is refused with the place") {
  CHECK(why_nonsense("").starts_with("expected a line of JSON: "));
  CHECK(why_nonsense("ok").starts_with("expected a line of JSON: "));
  CHECK(why_nonsense("[]") == "expected an object, found an array");
  CHECK(why_nonsense("{} {}") == "expected one JSON object a line, found more behind it");
  CHECK(why_nonsense("{}") == R"(expected "type": "ok", "fail" or "info")");
  CHECK(why_nonsense(R"({"type":"yes"})") == R"(expected ok, fail or info, found `"yes"`)");
  CHECK(why_nonsense(R"({"type":"ok"})") ==
        R"(expected "value": the operations, with what was read)");
  CHECK(why_nonsense(R"({"type":"ok","value":[]})") == "expected 4 operations, found 0");
  CHECK(why_nonsense(R"({"type":"ok","value":[["append",5,1],["r",9,[]]]})")
            .starts_with(R"(expected ["r", 6, ...] as operation 2, found )"));
  CHECK(why_nonsense(R"({"type":"ok","value":[["append",5,1],["r",6,[1.5]]]})")
            .starts_with("expected a list of integers, found "));
  CHECK(why_nonsense(R"({"type":"ok","value":[["append",5,1],["r",6,[]],["w",7,-2],["r",8,"x"]]})")
            .starts_with("expected an integer or null, found "));
  CHECK(
      why_nonsense(
          R"({"type":"ok","value":[["append",5,1],["r",6,[]],["w",7,-2],["r",8,1],["r",8,1]]})") ==
      "expected 4 operations, found more");
}

TEST_CASE("A client that is ready tells of its database, or why it is not") {
  std::vector<DatabaseFact> facts;
  CHECK(read_ready(R"({"type":"ok","facts":{"version":"4.2","port":5}})", facts).ok());
  REQUIRE(facts.size() == 2);
  CHECK(facts[0].value == "4.2");
  CHECK(facts[1].value == "5");
  CHECK(read_ready(R"({"type":"ok"})", facts).ok());
  CHECK(read_ready(R"({"type":"fail","error":"no"})", facts).error().message == "no");
  CHECK(read_ready("no", facts).error().kind == ErrorKind::kMalformed);
}
