#include "parsers/rw_text/rw_text_format.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/parsers/traces/reading.h"

namespace elapid {
namespace {

constexpr TraceReader kReaders[] = {read_rw_text, read_polysi, read_plume, read_isovista};

const std::string kValid = "0 ok [:w 1 1] [:r 2 0]; 1 ok [:r 1 1] [:w 2 2]; 0 ok [:r 2 2]";

History parsed(TraceReader reader, const std::string& text, const ReadOptions& options = {}) {
  Result<History> result = read_text(reader, text, "", options);
  REQUIRE(result);
  return std::move(result).value();
}

TEST_CASE("all readers of op lines read what PolySI reads") {
  for (const TraceReader reader : kReaders) {
    const History history = parsed(reader, sample("rw_text/valid.txt"));
    CHECK(summary(history) == kValid);
    CHECK(history.workload() == Workload::kRwRegister);
    CHECK(history.info().initial == ValueId::integer(0));
    CHECK(history.info().initial_txn.is_none());
    CHECK_FALSE(history.info().has_real_time);
    CHECK(history.info().source_bytes == 55);
    CHECK(history.info().files == std::vector<std::string>{"input"});
    CHECK_FALSE(history.info().rules.aborted.empty());
  }
}

TEST_CASE("histories of op lines are named by their reader") {
  const std::string text = sample("rw_text/valid.txt");
  CHECK(parsed(read_rw_text, text).info().format == "rw-text");
  CHECK(parsed(read_polysi, text).info().format == "polysi");
  CHECK(parsed(read_plume, text).info().format == "plume");
  CHECK(parsed(read_isovista, text).info().format == "isovista");
}

TEST_CASE("bad samples of op lines are refused by all readers") {
  for (const TraceReader reader : kReaders) {
    CHECK(outcome(reader, sample("rw_text/bad-space.txt")) ==
          "input:1:5: expected a value, a natural number below 2^63, found a blank");
    CHECK(outcome(reader, sample("rw_text/bad-negative-key.txt")) ==
          "input:1:3: expected a key, a natural number below 2^63, found `-1,1,0,0)`");
    CHECK(outcome(reader, sample("rw_text/bad-blank-line.txt")) ==
          "input:2:1: expected `r(` or `w(`, found the end of the line");
  }
}

TEST_CASE("transactions begin where their first lines do") {
  const History history = parsed(read_plume, sample("rw_text/valid.txt"));
  CHECK(history.event({0}, EventKind::kCompletion).position.offset == 0);
  CHECK(history.event({1}, EventKind::kCompletion).position.offset == 22);
  CHECK(history.event({2}, EventKind::kCompletion).position.offset == 44);
}

TEST_CASE("PolySI knows no aborted transactions and no writes of 0") {
  CHECK(outcome(read_polysi, "r(1,0,0,0)\nw(1,9,0,-1)\n") ==
        "input:2:1: expected a natural number as transaction, found -1");
  CHECK(outcome(read_polysi, "r(1,0,0,0)\nw(7,0,0,0)\n") ==
        "input:2:1: expected a write of a value other than 0, which every key holds initially, "
        "found one of 0 to key 7");
}

TEST_CASE("each write of transaction -1 is an aborted transaction") {
  for (const TraceReader reader : {read_rw_text, read_plume, read_isovista}) {
    CHECK(outcome(reader, sample("rw_text/valid-aborted.txt")) ==
          "7 ok [:w 1 1]; 9 ok [:r 1 1]; -1 fail [:w 1 9]");
    CHECK(outcome(reader, sample("rw_text/g1a.txt")) == "9 ok [:r 1 9]; -1 fail [:w 1 9]");
    const History history =
        parsed(reader, "w(1,1,0,0)\nw(1,8,5,-1)\nr(1,8,0,-1)\nr(2,0,0,0)\nw(2,9,0,-1)\n");
    CHECK(summary(history) == "0 ok [:w 1 1] [:r 2 0]; -1 fail [:w 1 8]; -1 fail [:w 2 9]");
    const std::vector<std::string>& assumptions = history.info().assumptions;
    CHECK(std::count(assumptions.begin(), assumptions.end(),
                     "The writes of transaction -1, 2, are aborted transactions of one operation "
                     "each, in a session named -1.") == 1);
    CHECK(std::count(assumptions.begin(), assumptions.end(),
                     "The reads of transaction -1, 1, were left out.") == 1);
  }
}

TEST_CASE("a negative transaction other than -1 is an ordinary one") {
  const History history = parsed(read_plume, sample("rw_text/txn-minus2.txt"));
  CHECK(summary(history) == "0 ok [:w 1 9]");
  CHECK(remarks(history) ==
        std::vector<std::string>{
            "transaction -2 is negative but not -1: it is taken for an ordinary one"});
}

TEST_CASE("a first transaction that writes every key is the initial state for IsoVista") {
  const std::string text = sample("rw_text/explicit-init.txt");
  for (const TraceReader reader : {read_rw_text, read_isovista}) {
    const History history = parsed(reader, text);
    CHECK(summary(history) == "0 ok [:w 1 0] [:w 2 0]; 1 ok [:w 1 1]; 1 ok [:r 2 0]");
    CHECK(history.info().initial_txn == TxnId{0});
    CHECK(history.info().initial.is_none());
  }
  const History plume = parsed(read_plume, text);
  CHECK(plume.info().initial_txn.is_none());
  CHECK(plume.info().initial == ValueId::integer(0));
}

TEST_CASE("a transaction -1 anywhere makes rw text Plume's") {
  const std::string text = sample("rw_text/explicit-init.txt") + "w(1,7,3,-1)\n";
  const History history = parsed(read_rw_text, text);
  CHECK(history.info().initial_txn.is_none());
  CHECK(history.info().initial == ValueId::integer(0));
  CHECK(history.info().assumptions.front() ==
        "There is a transaction -1, so that Plume's rules hold: 0 is the initial value.");
  CHECK(parsed(read_isovista, text).info().initial_txn == TxnId{0});
}

TEST_CASE("the initial value of Plume text can be given") {
  const History history =
      parsed(read_rw_text, sample("rw_text/explicit-init.txt"), {.initial = "1"});
  CHECK(history.info().initial == ValueId::integer(1));
  CHECK(history.info().initial_txn.is_none());
}

TEST_CASE("lines of a transaction need not be together") {
  const std::string text =
      "w(1,1,0,5)\nw(1,2,1,6)\nr(1,2,0,5)\nw(2,3,1,7)\nr(2,3,1,6)\nw(3,4,0,-1)\n";
  CHECK(outcome(read_plume, text) ==
        "0 ok [:w 1 1] [:r 1 2]; 1 ok [:w 1 2] [:r 2 3]; 1 ok [:w 2 3]; -1 fail [:w 3 4]");
}

TEST_CASE("a transaction stays in the session of its first line") {
  for (const std::string between : {"", "w(9,9,8,8)\n"}) {
    const History history =
        parsed(read_rw_text, "w(1,1,0,5)\n" + between + "r(1,1,3,5)\nr(2,0,0,5)\n");
    CHECK(summary(history).starts_with("0 ok [:w 1 1] [:r 1 1] [:r 2 0]"));
    CHECK(remarks(history) ==
          std::vector<std::string>{"transaction 5 began in session 0 and stays there: this line "
                                   "names session 3"});
  }
}

TEST_CASE("values that repeat and reads of unwritten values are data") {
  CHECK(outcome(read_polysi, "w(1,5,0,0)\nw(1,5,0,1)\nr(1,6,1,2)\n") ==
        "0 ok [:w 1 5]; 0 ok [:w 1 5]; 1 ok [:r 1 6]");
}

TEST_CASE("op lines cut short anywhere") {
  for (const TraceReader reader : kReaders) {
    check_cuts(reader, sample("rw_text/valid.txt"));
  }
  check_cuts(read_plume, sample("rw_text/valid-aborted.txt"));
  check_cuts(read_isovista, sample("rw_text/explicit-init.txt"));
}

TEST_CASE("salvage leaves out the transaction at the break") {
  const ReadOptions options = {.salvage = true};
  CHECK(outcome(read_plume, "w(1,1,0,0)\nw(1,2,0,1)\nw(1,3", "", options) == "0 ok [:w 1 1]");
  const History scattered =
      parsed(read_plume, "w(1,1,0,0)\nw(1,2,1,1)\nr(1,1,0,0)\nw(1,3", options);
  CHECK(summary(scattered) == "1 ok [:w 1 2]");
  CHECK(remarks(scattered) ==
        std::vector<std::string>{"expected `,` behind the value, found the end of the input; kept "
                                 "what is whole before that, 1 transaction"});
}

TEST_CASE("a byte order mark before op lines is passed over") {
  const History history = parsed(read_polysi, "\xef\xbb\xbfw(1,1,0,0)\n");
  CHECK(summary(history) == "0 ok [:w 1 1]");
  CHECK(has_remark(history, Remark::Kind::kByteOrderMark));
}

TEST_CASE("no lines are an empty history") {
  CHECK(outcome(read_plume, "").empty());
}

TEST_CASE("PolySI reads a part of EDN as well") {
  const std::string text =
      "{:type :ok, :f :txn, :process 0, :value [[:append 1 1] [:r 2 nil]]}\n"
      "{:type :ok, :f :txn, :process 1, :value [[:r 1 [1]]]}\n";
  const std::string history = "0 ok [:append 1 1] [:r 2 nil]; 1 ok [:r 1 (1)]";
  CHECK(outcome(read_polysi, text) == history);
  CHECK(outcome(read_polysi, text, "elle") == history);
  CHECK(outcome(read_polysi, text, "text") == "input:1:1: expected `r(` or `w(`, found `{:type`");
  CHECK(outcome(read_polysi, sample("rw_text/elle-writer-style.edn")) ==
        "0 ok [:append 1 1] [:r 1 (1)]");
}

TEST_CASE("reading of op lines can be stopped") {
  const ReadOptions options = {.progress = [](std::uint64_t, std::uint64_t) { return false; }};
  const Result<History> result = read_text(read_plume, sample("rw_text/valid.txt"), "", options);
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::kUnreadable);
}

}  // namespace
}  // namespace elapid
