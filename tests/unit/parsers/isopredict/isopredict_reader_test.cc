#include "parsers/isopredict/isopredict_format.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/unit/parsers/traces/reading.h"

namespace elapid {
namespace {

TEST_CASE("reads see what the transaction that they name wrote") {
  const Result<History> parsed = read_text(read_isopredict, sample("isopredict/valid.txt"));
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(summary(history) ==
        R"-(0 ok [:w "x" 0] [:w "Set(s:5)" 0]; 1 ok [:w "x" 1]; 1 ok [:w "Set(s:5)" 1]; )-"
        R"-(2 ok [:r "x" 1]; 2 ok [:r "Set(s:5)" 1]; 2 ok [:w "Set(s:5)" 2])-");
  CHECK(parsed.value().workload() == Workload::kRwRegister);
  CHECK(history.info().format == "isopredict");
  CHECK(history.info().initial_txn == TxnId{0});
  CHECK(history.info().initial.is_none());
  CHECK(history.event({1}, EventKind::kCompletion).position.offset == 23);
}

TEST_CASE("without transaction 0 0 what is read from it is the initial value") {
  const Result<History> parsed =
      read_text(read_isopredict, "READ KEY[x] Txn(1, 0) From(0, 0)\nWRITE KEY[x] Txn(1, 0)\n");
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == R"(1 ok [:r "x" 0] [:w "x" 1])");
  CHECK(parsed.value().info().initial == ValueId::integer(0));
}

TEST_CASE("the initial state is a session of its own even if session 0 goes on") {
  const Result<History> parsed = read_text(
      read_isopredict, "WRITE KEY[x] Txn(0, 0)\nWRITE KEY[x] Txn(0, 0)\nWRITE KEY[y] Txn(0, 1)\n");
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == R"(-1 ok [:w "x" 0] [:w "y" 0]; 0 ok [:w "y" 1])");
  CHECK(parsed.value().info().initial_txn == TxnId{0});
}

TEST_CASE("sessions have their transactions by index and operations in the order of the lines") {
  CHECK(outcome(read_isopredict,
                "WRITE KEY[x] Txn(2, 1)\nWRITE KEY[x] Txn(1, 5)\nWRITE KEY[y] Txn(2, 0)\n"
                "WRITE KEY[z] Txn(2, 1)\n") ==
        R"(1 ok [:w "x" 2]; 2 ok [:w "y" 1]; 2 ok [:w "x" 1] [:w "z" 1])");
}

TEST_CASE("of two writes of a transaction the last is read") {
  CHECK(outcome(read_isopredict,
                "READ KEY[x] Txn(2, 0) From(1, 0)\nWRITE KEY[x] Txn(1, 0)\n"
                "WRITE KEY[x] Txn(1, 0)\n") == R"(1 ok [:w "x" 1] [:w "x" 2]; 2 ok [:r "x" 2])");
}

TEST_CASE("reads of what the transaction wrote itself are left out") {
  const Result<History> parsed = read_text(
      read_isopredict, "WRITE KEY[x] Txn(1, 0)\nREAD KEY[x] Txn(1, 0) From(1, 0)\nnoise\n\n");
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == R"(1 ok [:w "x" 1])");
  const std::vector<std::string>& assumptions = parsed.value().info().assumptions;
  REQUIRE(assumptions.size() == 4);
  CHECK(assumptions[2] == "Reads of keys that their transaction had written were left out: 1.");
  CHECK(assumptions[3] == "Lines without an event were left out: 1.");
}

TEST_CASE("anything may stand before an event, and keys are any text") {
  CHECK(outcome(read_isopredict,
                "12:00 [info] WRITE KEY[a \"b\\ \xc3\xa4 READ KEY[] Txn(1, 0)\r\n") ==
        "1 ok [:w \"a \\\"b\\\\ \xc3\xa4 READ KEY[\" 1]");
  CHECK(outcome(read_isopredict, "DELETE KEY[k] From Set(s)\n").empty());
}

TEST_CASE("broken events are refused where they break") {
  const auto error = [](const std::string& line) { return outcome(read_isopredict, line + '\n'); };
  CHECK(error("WRITE KEY[x") == "input:1:11: expected a name and `]`, found `x`");
  CHECK(error("WRITE KEY[\xff] Txn(1, 0)") == "input:1:12: expected a name in UTF-8, found `]`");
  CHECK(error("WRITE KEY[x]Txn(1, 0)") == "input:1:12: expected `] `, found `]Txn(1,`");
  CHECK(error("WRITE KEY[x] Txn(1,1)") == "input:1:19: expected `, `, found `,1)`");
  CHECK(error("- WRITE KEY[x] Txn(a, 1)") ==
        "input:1:20: expected a session, a natural number below 2^63, found `a,`");
  CHECK(error("WRITE KEY[x] Txn(1, 9223372036854775808)") ==
        "input:1:21: expected a transaction, a natural number below 2^63, found "
        "`9223372036854775808)`");
  CHECK(error("READ KEY[x] Txn(1, 0)") == "input:1:22: expected ` `, found the end of the line");
  CHECK(error("READ KEY[x] Txn(1, 0) Of(1, 0)") == "input:1:23: expected `From(`, found `Of(1,`");
  CHECK(error("INSERT[5] into Set[s] Txn(1, 1)") == "input:1:9: expected `] to Set[`, found `]`");
  CHECK(error("CONTAINS[5] in Set[s] Txn(1, 1) From(1, 1)") ==
        "input:1:23: expected `From(`, found `Txn(1,`");
}

TEST_CASE("a dangling read is an error, and with salvage has a writer of unknown fate") {
  const std::string text = sample("isopredict/bad-dangling.txt");
  CHECK(outcome(read_isopredict, text) ==
        "input:1:1: a dangling read: expected From to name a transaction that writes the key, "
        "found (9, 0)");
  const Result<History> parsed =
      read_text(read_isopredict, text + text + "WRITE KEY[x] Txn(3, 0)\n", "", {.salvage = true});
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) ==
        R"(2 ok [:r "x" 2] [:r "x" 2]; 3 ok [:w "x" 1]; -2 info [:w "x" 2])");
  CHECK(remarks(parsed.value()).size() == 1);
}

TEST_CASE("salvage of a trace leaves out the transaction at the break") {
  CHECK(outcome(read_isopredict,
                "WRITE KEY[x] Txn(1, 0)\nWRITE KEY[x] Txn(2, 0)\nREAD KEY[x] Txn(1, 1) From(2, 0)\n"
                "WRITE KEY[y] Txn(2, 0)\nWRITE KEY[z",
                "",
                {.salvage = true}) == R"(1 ok [:w "x" 1]; 1 ok [:r "x" 3]; -2 info [:w "x" 3])");
}

TEST_CASE("traces cut short anywhere") {
  check_cuts(read_isopredict,
             "WRITE KEY[x] Txn(1, 0)\nREAD KEY[x] Txn(2, 0) From(1, 0)\n"
             "INSERT[5] to Set[s] Txn(1, 1)\nCONTAINS[5] in Set[s] From(1, 1) Txn(2, 1)\n"
             "DELETE[5] from Set[s] Txn(2, 2)\n");
}

TEST_CASE("IsoPredict's own traces hold what they are named for") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(ELAPID_SHARED) / "corpus/isopredict/tests/microbenchmark";
  if (!fs::exists(folder)) {
    WARN("skipped: there is no " << folder);
    std::cerr << "SKIPPED: there is no " << folder << '\n';
    return;
  }
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    INFO(file.path());
    std::ifstream in(file.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const Result<History> parsed = read_text(read_isopredict, text);
    REQUIRE(parsed);
    const History& history = parsed.value();
    CHECK(history.info().remarks.empty());
    CHECK(history.txn_count() >= 3);
    CHECK(history.txn_count() <= 5);
    CHECK(history.info().initial_txn.is_none() == (text.find("Txn(0, 0)\n") == std::string::npos));
  }
}

}  // namespace
}  // namespace elapid
