#include "parsers/stream/stream_line.h"

#include <catch2/catch.hpp>
#include <string>

namespace elapid {
namespace {

std::string text_of(const TimekillerTxn& txn, const TimekillerOp& op) {
  switch (op.value_kind) {
    case TimekillerValue::kNone:
      return "none";
    case TimekillerValue::kScalar:
      return txn.text_of(op.value);
    case TimekillerValue::kList:
      break;
  }
  std::string text = "(";
  for (std::uint32_t i = 0; i < op.list_length; ++i) {
    text += (i == 0 ? "" : " ") + txn.text_of(txn.elements[op.list_begin + i]);
  }
  return text + ")";
}

const char* name_of(OpKind kind) {
  return kind == OpKind::kWrite ? "w" : kind == OpKind::kAppend ? "append" : "r";
}

const char* name_of(TxnStatus status) {
  return status == TxnStatus::kCommitted ? "ok" : status == TxnStatus::kAborted ? "fail" : "info";
}

std::string clock_text(bool is_there, const TimekillerClock& clock) {
  return is_there ? std::to_string(clock.physical) + "." + std::to_string(clock.logical) : "-";
}

/// `ID of SESSION[#SEQ] STATUS START..COMMIT [op key value]... (INVOKED..COMPLETED)`.
std::string text_of(const StreamTxn& line) {
  const TimekillerTxn& txn = line.txn;
  std::string text = txn.text_of(txn.id) + " of " + txn.text_of(txn.session);
  text += txn.sequence ? "#" + std::to_string(*txn.sequence) : "";
  text += std::string(" ") + name_of(line.status) + " " + clock_text(line.has_start, txn.start);
  text += ".." + clock_text(line.has_commit, txn.commit);
  for (const TimekillerOp& op : txn.ops) {
    text += std::string(" [") + name_of(op.kind) + " " + txn.text_of(op.key) + " " +
            text_of(txn, op) + "]";
  }
  if (line.invoked) {
    text += " (" + std::to_string(*line.invoked) + "..";
    text += (line.completed ? std::to_string(*line.completed) : "") + ")";
  }
  return text;
}

/// What a line is to a reader that has read others.
std::string outcome(StreamLineReader& reader, StreamTxn& txn, const std::string& line) {
  const Result<StreamLine> read = reader.read(line, txn);
  if (!read) {
    CHECK(read.error().kind == ErrorKind::kMalformed);
    CHECK(read.error().message.find('\n') == std::string::npos);
    return "byte " + std::to_string(read.error().byte_offset.value()) + ": " + read.error().message;
  }
  switch (read.value()) {
    case StreamLine::kTransaction:
      return text_of(txn);
    case StreamLine::kHeader:
      return "header " + reader.header().initial.value_or("-");
    case StreamLine::kNemesis:
      return "nemesis";
    case StreamLine::kBlank:
      break;
  }
  return "blank";
}

std::string outcome(const std::string& line) {
  StreamLineReader reader;
  StreamTxn txn;
  return outcome(reader, txn, line);
}

TEST_CASE("lines of TimeKiller") {
  const std::string fields = R"("tid":1,"sid":2,"sts":{"p":"10","l":3},"cts":{"p":-20,"l":0})";
  const std::string ops =
      R"("ops":[{"t":"w","k":"7","v":5},{"t":"READ","k":-1},{"t":"r","k":1,"v":["1",2]}])";
  const std::string expected = "1 of 2 ok 10.3..-20.0 [w 7 5] [r -1 none] [r 1 (1 2)]";
  CHECK(outcome("{" + fields + "," + ops + "}") == expected);
  CHECK(outcome("  {" + fields + "," + ops + "} \r\n") == expected);
  CHECK(outcome("{" + fields + "," + ops + R"(,"note":{"a":[1]}})") == expected);
  CHECK(outcome("\xef\xbb\xbf{" + fields + "," + ops + "}") == expected);
  CHECK(outcome("{" + fields + R"(,"seq":-4,"ops":[]})") == "1 of 2#-4 ok 10.3..-20.0");
  CHECK(outcome("{" + fields + R"(,"seq":"4","ops":[],"x":0})") == "1 of 2#4 ok 10.3..-20.0");
  CHECK(outcome("{" + fields + R"(,"seq":null,"ops":[]})") == "1 of 2 ok 10.3..-20.0");
  CHECK(outcome(R"({"tid":1,"sid":1,"sts":9,"cts":8,"ops":[]})") == "1 of 1 ok 9.0..8.0");
}

TEST_CASE("texts of keys and values have quotes, ids have none") {
  CHECK(
      outcome(R"({"tid":"a b","sid":"s","sts":1,"cts":2,"ops":[{"t":"w","k":"k","v":"v\"\u00e9"},)"
              R"({"t":"r","k":"05","v":["x",5]}]})") ==
      "a b of s ok 1.0..2.0 [w \"k\" \"v\\\"\xc3\xa9\"] [r \"05\" (\"x\" 5)]");
}

TEST_CASE("one transaction after another leaves nothing behind") {
  StreamLineReader reader;
  StreamTxn txn;
  const std::string full =
      R"({"tid":"a","sid":"s","seq":1,"sts":1,"cts":2,"ops":[{"t":"r","k":"k",)"
      R"("v":["x"]}]})";
  const std::string recorder =
      R"({"type":"info","process":3,"invoked":5,"value":[["w","x",1.50]]})";
  const std::string plain = R"({"tid":1,"sid":2,"sts":3,"cts":4,"ops":[{"t":"w","k":5,"v":6}]})";
  for (const std::string& before : {full, recorder, plain, std::string(R"({"tid":"x")")}) {
    outcome(reader, txn, before);
    CHECK(outcome(reader, txn, plain) == "1 of 2 ok 3.0..4.0 [w 5 6]");
    outcome(reader, txn, before);
    CHECK(outcome(reader, txn, full) == "a of s#1 ok 1.0..2.0 [r \"k\" (\"x\")]");
    outcome(reader, txn, before);
    CHECK(outcome(reader, txn, recorder) == "3@5// of 3 info -..- [w \"x\" 1.5] (5..)");
  }
}

TEST_CASE("lines of the recorder format") {
  CHECK(outcome(
            R"({"type": "ok", "process": 0, "value": [["w", "x", 1], ["r", "y", null]],)"
            R"( "invoked": 10, "completed": 20, "start_ts": 17, "commit_ts": -21, "node": "n"})") ==
        "0@10/17/-21 of 0 ok 17.0..-21.0 [w \"x\" 1] [r \"y\" none] (10..20)");
  CHECK(outcome(R"({"type":"fail","process":-1,"index":8,"value":[["append",1,"5"]],"f":"txn",)"
                R"("invoked":1,"completed":2})") == "8 of -1 fail -..- [append 1 \"5\"] (1..2)");
  CHECK(outcome(R"({"type":"ok","process":1,"value":[["r",1,["5",5,true,null,123456789012345]]],)"
                R"("invoked":1,"completed":2,"start_ts":3})") ==
        "1@1/3/ of 1 ok 3.0..- [r 1 (\"5\" 5 true nil 123456789012345)] (1..2)");
  CHECK(outcome(R"({"type":"ok","process":1,"value":[],"invoked":1,"completed":1})") ==
        "1@1// of 1 ok -..- (1..1)");
}

TEST_CASE("rows are in no stream") {
  StreamLineReader reader("--follow");
  StreamTxn txn;
  constexpr std::string_view kStreamHeader = R"({"format": "elapid/1", "workload": "rows"})";
  CHECK(is_header_of_rows(kStreamHeader));
  CHECK_FALSE(is_header_of_rows(R"({"format": "elapid/1", "workload": "list-append"})"));
  CHECK_FALSE(is_header_of_rows(R"({"workload": "rows")"));
  CHECK(reader.read(kStreamHeader, txn).error().message ==
        "operations on rows are not judged by timestamps, as a stream is (a history of them can be "
        "followed: see --follow)");
  CHECK_FALSE(reader
                  .read(R"({"type": "ok", "process": 1, "value": [["dp", true, 1]], "invoked": 1, )"
                        R"("completed": 2, "start_ts": 1, "commit_ts": 2})",
                        txn)
                  .ok());
}

TEST_CASE("a header says what arrays are") {
  const std::string read =
      R"({"type":"ok","process":1,"index":1,"value":[["r",1,[2, 3]]],"invoked":1,"completed":2})";
  StreamLineReader reader;
  StreamTxn txn;
  CHECK(outcome(reader, txn, read) == "1 of 1 ok -..- [r 1 (2 3)] (1..2)");
  CHECK(outcome(reader, txn, R"({"format":"elapid/1","workload":"rw-register","initial":0})") ==
        "header 0");
  CHECK(outcome(reader, txn, read) == "1 of 1 ok -..- [r 1 [2 3]] (1..2)");
  CHECK(outcome(reader, txn, R"({"format":"elapid/1","workload":"list-append"})") == "header -");
  CHECK(outcome(reader, txn, read) == "1 of 1 ok -..- [r 1 (2 3)] (1..2)");
  CHECK(outcome(reader, txn,
                R"({"type":"ok","process":1,"value":[["r",1,5]],"invoked":1,"completed":2})") ==
        "byte 41: expected an array of elements or null, found `5`");
  CHECK(outcome(reader, txn, R"({"format":"elapid/2"})") ==
        R"(byte 10: expected "elapid/1" as "format", found `"elapid/2"`)");
}

TEST_CASE("blank lines") {
  CHECK(outcome("") == "blank");
  CHECK(outcome(" \t\r\n") == "blank");
  CHECK(outcome("\xef\xbb\xbf\n") == "blank");
}

TEST_CASE("what is wrong with a line, and where") {
  const auto timekiller = [](const std::string& start, const std::string& more = "") {
    return outcome(R"({"tid":1,"sid":1,"sts":)" + start + R"(,"cts":2,"ops":[])" + more + "}");
  };
  CHECK(outcome("x").starts_with("byte 0: "));
  CHECK(outcome("[{}]") == "byte 0: expected a transaction object, found an array");
  CHECK(outcome(R"({"tid":1)").starts_with("byte 8: "));
  CHECK(outcome("{}").starts_with("byte 0: expected a transaction with tid, sid"));
  CHECK(outcome(R"({"sid":1,"sts":1,"cts":2,"ops":[]})") ==
        R"(byte 0: expected an object with "tid", found one without)");
  CHECK(timekiller("1", "} {") ==
        "byte 43: expected the end of the line behind an object, found more");
  CHECK(timekiller("1", R"(,"sid":1)") ==
        R"(byte 42: expected each key of an object once, found `"sid"` twice)");
  CHECK(timekiller("1", R"(,"seq":1.5)") ==
        R"(byte 48: expected an integer of 64 bits as "seq", found `1.5`)");
  CHECK(timekiller(R"({"p":9223372036854775808,"l":0})") ==
        R"(byte 28: expected an integer of 64 bits as "p", found `9223372036854775808`)");
  CHECK(timekiller(R"({"p":1,"l":4294967296})") ==
        R"(byte 34: expected a natural number below 2^32 as "l", found `4294967296`)");
  CHECK(timekiller(R"({"p":-9223372036854775808,"l":4294967295})") ==
        "1 of 1 ok -9223372036854775808.4294967295..2.0");
}

TEST_CASE("what is wrong with a line of the recorder format") {
  const auto error = [](const std::string& fields) {
    return outcome(R"({"type":"ok",)" + fields + "}");
  };
  const std::string event =
      R"(byte 0: expected a whole transaction, with "invoked" and "completed", found an event)";
  CHECK(outcome(R"({"type":"invoke","process":0,"value":[["r",1,null]],"time":5})") == event);
  CHECK(error(R"("process":0,"value":[["r",1,null]])") == event);
  StreamLineReader follows("the option follow");
  StreamTxn txn;
  const auto read = follows.read(R"({"type":"ok","process":0,"value":[]})", txn);
  REQUIRE_FALSE(read);
  CHECK_THAT(read.error().message,
             Catch::EndsWith("found an event (a history of events can be followed: see the option "
                             "follow)"));
  CHECK(outcome(R"({"type":"invoke","process":0,"value":[],"invoked":5})") ==
        "byte 0: expected a transaction that is ok, fail or info, found an invocation");
  CHECK(outcome(R"({"type":"okay","process":0})") ==
        R"(byte 8: expected "invoke", "ok", "fail" or "info" as "type", found `"okay"`)");
  CHECK(error(R"("value":[],"invoked":5,"completed":6)") ==
        "byte 0: expected an integer as the process of a transaction, found none");
  CHECK(error(R"("process":0,"value":[],"invoked":5)") ==
        "byte 0: expected the time when the transaction completed, found none");
  CHECK(error(R"("process":0,"value":[],"invoked":5,"completed":4)")
            .starts_with("byte 0: expected a transaction that completed after"));
  CHECK(error(R"("process":0,"value":[["incr",1,2]],"invoked":5,"completed":6)") ==
        R"(byte 0: expected the operations "append", "w" and "r", found `incr`)");
  CHECK(error(R"("process":0,"f":"read","value":3,"invoked":5,"completed":6)") ==
        "byte 44: expected an array of micro-operations, found `3`");
  CHECK(error(R"("process":0,"value":[["w",1]],"invoked":5,"completed":6)") ==
        "byte 34: expected a micro-operation with a value, found an array");
  CHECK(error(R"("process":0,"value":[],"invoked":5,"completed":6,"start_ts":9223372036854775808)")
            .ends_with("expected an integer of 64 bits as \"start_ts\", found "
                       "`9223372036854775808`"));
}

TEST_CASE("a line cut anywhere is an error") {
  for (const std::string line :
       {R"({"tid":1,"sid":2,"sts":{"p":3,"l":0},"cts":4,"ops":[{"t":"r","k":5,"v":[1]}]})",
        R"({"type":"ok","process":0,"value":[["w","x",1]],"invoked":10,"completed":20})"}) {
    CHECK_FALSE(outcome(line).starts_with("byte"));
    for (std::size_t size = 1; size < line.size(); ++size) {
      CHECK(outcome(line.substr(0, size)).starts_with("byte"));
    }
  }
}

TEST_CASE("many different values leave room for those of the next line") {
  StreamLineReader reader;
  StreamTxn txn;
  for (int i = 0; i < 36'000; ++i) {
    const std::string n = std::to_string(i);
    const std::string line = R"({"type":"ok","process":1,"index":1,"invoked":1,"completed":2,)"
                             R"("value":[["w","k)" +
                             n + R"(","v)" + n + R"("]]})";
    if (i % 1000 == 0) {
      CHECK(outcome(reader, txn, line) ==
            "1 of 1 ok -..- [w \"k" + n + "\" \"v" + n + "\"] (1..2)");
    } else {
      REQUIRE(reader.read(line, txn));
    }
  }
}

}  // namespace
}  // namespace elapid
