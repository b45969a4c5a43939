#include "parsers/cobra/cobra_format.h"

#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/parsers/cobra/logs.h"
#include "tests/unit/parsers/traces/reading.h"

namespace elapid {
namespace {

std::string log_outcome(const std::string& log, const std::string& dialect = "",
                        const ReadOptions& options = {}) {
  return outcome(read_cobra, log, dialect, options);
}

TEST_CASE("a log is one session of committed transactions") {
  const std::string log = txn(7, read_op(kInit, kInit, 0x11, 0x99) + write_op(0x77, 0x11, 0x701)) +
                          txn(8, read_op(kNull, kNull, 0x22, 0) + read_op(7, 0x77, 0x11, 0x701)) +
                          txn(9, "");
  const Result<History> parsed = read_text(read_cobra, log);
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(summary(history) == "0 ok [:r 17 nil] [:w 17 119]; 0 ok [:r 34 nil] [:r 17 119]; 0 ok");
  CHECK(parsed.value().workload() == Workload::kRwRegister);
  CHECK(history.info().format == "cobra");
  CHECK(history.info().initial.is_nil());
  CHECK_FALSE(history.info().has_real_time);
  CHECK(history.info().source_bytes == log.size());
  CHECK(history.event({1}, EventKind::kCompletion).position.offset == 76);
  CHECK(history.info().assumptions ==
        std::vector<std::string>{
            "Values are the ids of writes; each write has its own (dialect plain)."});
  CHECK(remarks(parsed.value()).empty());
}

TEST_CASE("hashes of 64 bits are kept as signed numbers") {
  CHECK(log_outcome(txn(1, write_op(0x0fffffffffffffff, 0xffffffffffffffff, 1))) ==
        "0 ok [:w -1 1152921504606846975]");
}

TEST_CASE("more transactions than a block holds are read alike") {
  std::string log;
  std::string expected;
  for (std::uint64_t i = 1; i <= 5000; ++i) {
    log += txn(i, (i > 1 ? read_op(i - 1, i - 1, 3, i - 1) : "") + write_op(i, 3, i));
    expected += (i > 1 ? "; 0 ok [:r 3 " + std::to_string(i - 1) + ']' : "0 ok") + " [:w 3 " +
                std::to_string(i) + ']';
  }
  CHECK(log_outcome(log) == expected);
}

TEST_CASE("after a delete a key is missing as it was at the beginning") {
  const std::string log = txn(1, read_op(kNull, kNull, 1, 0) + write_op(5, 1, 5)) +
                          txn(2, write_op(kDelete, 1, 6)) + txn(3, read_op(kNull, kNull, 1, 0)) +
                          txn(4, read_op(2, kDelete, 1, 6));
  const Result<History> parsed = read_text(read_cobra, log);
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) ==
        "0 ok [:r 1 nil] [:w 1 5]; 0 ok [:w 1 nil]; 0 ok [:r 1 nil]; 0 ok [:r 1 nil]");
  CHECK(parsed.value().info().tombstones == 1);
  CHECK(
      parsed.value().info().assumptions.back() ==
      "1 delete wrote the initial value: a read that finds no key saw a delete or the beginning.");
}

TEST_CASE("a transaction of the initial state is left out") {
  const std::string log = txn(1, read_op(kInit, kInit, 1, 5)) +
                          txn(kInit, write_op(kInit, 1, 5) + write_op(kNull, 2, 5));
  const Result<History> parsed = read_text(read_cobra, log);
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "0 ok [:r 1 nil]");
  CHECK(parsed.value().info().assumptions.back() ==
        "2 writes with the id of the initial state left out, which is initial without them.");
}

TEST_CASE("the collector of garbage has two initial values") {
  CHECK(log_outcome(txn(1, read_op(kInit, 0x23332333, 1, 1) + read_op(kInit, 0x66666666, 1, 1))) ==
        "0 ok [:r 1 nil] [:r 1 nil]");
  CHECK(log_outcome(txn(1, read_op(kInit, 0x23332334, 1, 1))) ==
        "input: byte 9: expected a read of the initial state, since that is its writer, found "
        "write 0x23332334");
  CHECK(log_outcome(txn(1, write_op(5, 1, 1) + read_op(9, kNull, 1, 1))) ==
        "input: byte 34: expected a read of a write of transaction 0x9, found the id of the "
        "initial state, 0xdeadbeef");
}

TEST_CASE("the initial value of Cobra can be given") {
  const Result<History> parsed =
      read_text(read_cobra, txn(1, read_op(kInit, kInit, 1, 0)), "", {.initial = "0"});
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "0 ok [:r 1 0]");
  CHECK(parsed.value().info().initial == ValueId::integer(0));
}

TEST_CASE("the universal dialect has values that may repeat") {
  const std::string log = txn(1, read_op(kInit, kInit, 1, 5) + write_op(kUniversal, 1, 6)) +
                          txn(2, write_op(kUniversal, 1, 6) + write_op(kDelete, 2, 7)) +
                          txn(3, read_op(kUniversal, kUniversal, 1, 6));
  const std::string expected = "0 ok [:r 1 nil] [:w 1 6]; 0 ok [:w 1 6] [:w 2 nil]; 0 ok [:r 1 6]";
  CHECK(log_outcome(log) == expected);
  CHECK(log_outcome(log, "universal") == expected);
  CHECK(log_outcome(log, "plain") ==
        "input: byte 42: expected a write with an id of its own, found the id of all writes in "
        "the dialect universal, 0xabddefee");
  CHECK(log_outcome(log + txn(4, write_op(9, 1, 1))) ==
        "input: byte 204: expected the id of all writes in the dialect universal, found 0x9");
  CHECK(log_outcome(txn(1, write_op(9, 1, 1)), "universal") ==
        "input: byte 9: expected the id of all writes in the dialect universal, found 0x9");
}

TEST_CASE("times are real time") {
  const std::string log = timed_txn(1, 1'700'000'000'000, 1'700'000'000'005, write_op(1, 1, 1)) +
                          timed_txn(2, 1'700'000'000'010, 1'700'000'000'009, "");
  for (const char* dialect : {"", "timestamps"}) {
    const Result<History> parsed = read_text(read_cobra, log, dialect);
    REQUIRE(parsed);
    const History& history = parsed.value();
    CHECK(summary(history) == "0 ok [:w 1 1]; 0 ok");
    CHECK(history.info().has_real_time);
    CHECK(history.event({0}, EventKind::kInvocation).time == 1'700'000'000'000'000'000);
    CHECK(history.event({0}, EventKind::kCompletion).time == 1'700'000'000'005'000'000);
    CHECK(remarks(parsed.value()) ==
          std::vector<std::string>{"transaction 0x2 commits 1 ms before it starts: taken as "
                                   "committed when it starts"});
  }
  CHECK(log_outcome(log, "plain") ==
        "input: byte 9: expected R, W or C, found byte 0x00 in transaction 0x1");
  CHECK(log_outcome(timed_txn(1, 1ULL << 54U, 2, "")) ==
        "input: byte 0: expected times in ms since 1970, found 18014398509481984 in transaction "
        "0x1");
}

TEST_CASE("keys may be texts") {
  const auto named = [](const std::string& key) { return big_endian(key.size(), 4) + key; };
  const auto number = [](std::uint64_t n) { return big_endian(n, 8); };
  const std::string log = txn(1, "W" + number(77) + named("account \"1\"") + number(5)) +
                          txn(2, "R" + number(1) + number(77) + named("account \"1\"") + number(5) +
                                     "W" + number(78) + named("") + number(6));
  CHECK(log_outcome(log) ==
        R"(0 ok [:w "account \"1\"" 77]; 0 ok [:r "account \"1\"" 77] [:w "" 78])");
  CHECK(log_outcome(log + txn(3, "W" + number(77) + named("account \"1\"") + number(5))) ==
        "input: byte 138: expected an id that no other write of this key has, found 0x4d again");
  CHECK(log_outcome(log + txn(3, "W" + number(79) + named("\xff") + number(5))) ==
        "input: byte 147: expected a key in valid UTF-8, found something else");
  CHECK(log_outcome(log + txn(3, "W" + number(79) + big_endian(0x7fffffff, 4))) ==
        "input: byte 147: expected a key of at most 1 MiB, found a length of 2147483647 bytes");
}

TEST_CASE("logs that break the grammar are refused") {
  CHECK(log_outcome(txn(1, "X")) ==
        "input: byte 9: expected R, W or C, found `X` in transaction 0x1");
  CHECK(log_outcome("X" + txn(1, "")) ==
        "input: byte 0: expected the start of a transaction, `S`, found `X`");
  CHECK(log_outcome(txn(1, "") + write_op(1, 1, 1)) ==
        "input: byte 18: expected the start of a transaction, `S`, found `W` outside of a "
        "transaction");
  CHECK(log_outcome(record('S', {1}) + record('S', {2})) ==
        "input: byte 9: expected a commit, found the start of another one in transaction 0x1");
  CHECK(log_outcome(record('S', {1}) + record('C', {2})) ==
        "input: byte 9: expected the commit of transaction 0x1, found that of transaction 0x2");
  CHECK(log_outcome(record('S', {1}) + record('A', {1})) ==
        "input: byte 9: expected a commit, since only committed transactions are logged, found an "
        "abort in transaction 0x1");
  CHECK(log_outcome(record('S', {1}) + write_op(1, 1, 1)) ==
        "input: byte 34: expected a commit in transaction 0x1, found the end of the log");
  CHECK(log_outcome(record('S', {1}) + "W123") ==
        "input: byte 9: expected a record `W` of 25 bytes, found the end of the log");
}

TEST_CASE("records that contradict each other are refused") {
  CHECK(log_outcome(txn(1, "") + txn(1, "")) ==
        "input: byte 18: expected transactions with ids of their own, found 0x1 a second time");
  CHECK(log_outcome(txn(1, write_op(7, 1, 1)) + txn(2, write_op(7, 1, 1))) ==
        "input: byte 52: expected an id that no other write of this key has, found 0x7 again");
  CHECK(log_outcome(txn(1, write_op(7, 1, 1)) + txn(2, read_op(3, 7, 1, 1))) ==
        "input: byte 52: expected what other records say of write 0x7, found another transaction "
        "or value hash: 0x3 and 0x1");
  CHECK(log_outcome(txn(1, write_op(7, 1, 1)) + txn(2, read_op(1, 7, 1, 2))) ==
        "input: byte 52: expected what other records say of write 0x7, found another transaction "
        "or value hash: 0x1 and 0x2");
  CHECK(log_outcome(txn(2, read_op(3, 7, 1, 1)) + txn(1, write_op(7, 1, 1))) ==
        "input: byte 60: expected what other records say of write 0x7, found another transaction "
        "or value hash: 0x1 and 0x1");
}

TEST_CASE("one id may stand for writes of several keys") {
  CHECK(log_outcome(txn(1, write_op(7, 1, 1) + write_op(7, 2, 1)) + txn(2, read_op(1, 7, 2, 1))) ==
        "0 ok [:w 1 7] [:w 2 7]; 0 ok [:r 2 7]");
}

TEST_CASE("a write of a transaction without a log is no write") {
  const Result<History> parsed = read_text(read_cobra, txn(1, read_op(9, 7, 1, 1)));
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "0 ok [:r 1 7]");
  CHECK(
      remarks(parsed.value()) ==
      std::vector<std::string>{"transaction 0x9 is in no log, but should have made 1 write that "
                               "reads saw, as 0x7: no transaction wrote what they saw (the option "
                               "salvage: it was lost)"});
}

TEST_CASE("of a salvaged history, writers without a log are indeterminate transactions") {
  const std::string log = txn(1, read_op(9, 7, 1, 1) + read_op(9, 8, 2, 1)) +
                          txn(2, read_op(9, 7, 1, 1) + read_op(5, 6, 1, 1));
  const Result<History> parsed = read_text(read_cobra, log, "", {.salvage = true});
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(
      summary(history) ==
      "0 ok [:r 1 7] [:r 2 8]; 0 ok [:r 1 7] [:r 1 6]; 1 info [:w 1 6]; 2 info [:w 1 7] [:w 2 8]");
  CHECK(history.event({2}, EventKind::kInvocation).position.offset == 84);
  CHECK(history.event({3}, EventKind::kInvocation).position.offset == 0);
  CHECK(remarks(parsed.value()) ==
        std::vector<std::string>{"transaction 0x9 is in no log, but has made 2 writes that reads "
                                 "saw, as 0x7: taken for an indeterminate one",
                                 "transaction 0x5 is in no log, but has made 1 write that reads "
                                 "saw, as 0x6: taken for an indeterminate one"});
  CHECK(history.info().assumptions.back().starts_with("2 transactions that reads name and no log"));
}

TEST_CASE("indeterminate transactions last as long as a history with times") {
  const Result<History> parsed = read_text(
      read_cobra, timed_txn(1, 1000, 2000, "") + timed_txn(2, 3000, 4000, read_op(9, 7, 1, 1)), "",
      {.salvage = true});
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(history.info().has_real_time);
  CHECK(history.event({2}, EventKind::kInvocation).time == 1'000'000'000);
  CHECK(history.event({2}, EventKind::kCompletion).time == 4'000'000'000);
}

TEST_CASE("a write that its logged transaction does not have is no write") {
  const Result<History> parsed = read_text(read_cobra, txn(9, "") + txn(1, read_op(9, 7, 1, 1)));
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "0 ok; 0 ok [:r 1 7]");
  CHECK(remarks(parsed.value()) ==
        std::vector<std::string>{"transaction 0x9 has not recorded 1 write that reads saw, as 0x7: "
                                 "no transaction wrote what they saw"});
}

TEST_CASE("salvage keeps the transactions before a break of a log") {
  const std::string good = txn(1, write_op(7, 1, 1));
  const Result<History> parsed =
      read_text(read_cobra, good + record('S', {2}) + "?", "", {.salvage = true});
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "0 ok [:w 1 7]");
  CHECK(has_remark(parsed.value(), Remark::Kind::kSalvaged));
  CHECK(remarks(parsed.value()).front() ==
        "the log breaks here: expected R, W or C, found `?` in transaction 0x2; 1 transaction "
        "before it taken");
}

TEST_CASE("a contradictory transaction that salvage leaves out has written nothing") {
  const std::string log = txn(1, write_op(7, 1, 1)) + txn(2, read_op(3, 8, 1, 1)) +
                          txn(3, write_op(8, 1, 1) + write_op(7, 1, 1));
  CHECK(log_outcome(log, "", {.salvage = true}) == "0 ok [:w 1 7]; 0 ok [:r 1 8]; 1 info [:w 1 8]");
}

TEST_CASE("a log cut short anywhere") {
  const std::string log = txn(1, write_op(7, 1, 1)) + txn(2, read_op(1, 7, 1, 1)) + txn(3, "");
  const std::string whole = log_outcome(log);
  for (std::size_t length = 0; length < log.size(); ++length) {
    INFO("cut to " << length << " bytes");
    const std::string cut = log.substr(0, length);
    const Result<History> strict = read_text(read_cobra, cut, "plain");
    const bool is_boundary = length == 0 || length == 43 || length == 94;
    CHECK(strict.ok() == is_boundary);
    CHECK((strict.ok() || strict.error().byte_offset.has_value()));
    const std::string kept = log_outcome(cut, "plain", {.salvage = true});
    CHECK(whole.starts_with(kept));
    CHECK(log_outcome(cut).empty() == (length == 0));
  }
}

TEST_CASE("reading a log can be stopped") {
  const ReadOptions options{.progress = [](std::uint64_t, std::uint64_t) { return false; }};
  CHECK(log_outcome(txn(1, ""), "", options) == "input: byte 18: the reading was interrupted");
}

}  // namespace
}  // namespace elapid
