// Directories of logs with their .debug files.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "parsers/cobra/cobra_format.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/parsers/cobra/logs.h"
#include "tests/unit/parsers/traces/reading.h"

namespace elapid {
namespace {

Result<History> read_folder(const std::string& path, const ReadOptions& options = {}) {
  Sources sources(path);
  return read_cobra(sources, "", options);
}

std::string folder_outcome(const TemporaryFolder& folder, const ReadOptions& options = {}) {
  const Result<History> parsed = read_folder(folder.path().string(), options);
  if (parsed) {
    return summary(parsed.value());
  }
  const std::string text = parsed.error().to_string();
  return text.substr(text.starts_with(folder.path().string()) ? folder.path().string().size() : 0);
}

std::string sample_outcome(const std::string& name, const ReadOptions& options = {}) {
  const std::string folder =
      (std::filesystem::path(ELAPID_TEST_DATA) / "formats/cobra" / name).string();
  const Result<History> parsed = read_folder(folder, options);
  return parsed ? summary(parsed.value()) : parsed.error().to_string().substr(folder.size());
}

const char* const kCommit = "successfully commit";

TEST_CASE("the samples of Cobra are read as their document says") {
  CHECK(sample_outcome("valid") ==
        "24 ok [:r 4369 nil] [:w 4369 119]; 24 ok [:r 8738 nil]; 25 ok [:r 4369 119] "
        "[:w 8738 120]; 25 fail");
  CHECK(sample_outcome("veristrong-universal") ==
        "0 ok [:r 4369 nil] [:w 4369 6]; 0 ok [:r 4369 6]");
  CHECK(sample_outcome("timestamped") == "0 ok [:w 4369 1]");
  CHECK(
      sample_outcome("bad-aborted").starts_with("/T0.log: byte 9: expected a commit, since only"));
  CHECK(sample_outcome("bad-commit-id").starts_with("/T0.log: byte 9: expected the commit of"));
  CHECK(sample_outcome("bad-no-commit").starts_with("/T0.log: byte 34: expected a commit"));
  CHECK(sample_outcome("bad-opcode").starts_with("/T0.log: byte 43: expected the start"));
  CHECK(sample_outcome("bad-truncated").starts_with("/T0.log: byte 52: expected a record `W`"));
  CHECK(sample_outcome("bad-truncated", {.salvage = true}) == "0 ok [:w 4369 1]");
}

TEST_CASE("sessions are named by the numbers of their logs") {
  const TemporaryFolder folder;
  folder.write("T10.log", txn(10, ""));
  folder.write("T9.log", txn(9, ""));
  folder.write("T09.log", txn(99, ""));
  folder.write("T2.log", "");
  folder.write("client.log", txn(1, ""));
  folder.write("T3.txt", txn(3, ""));
  CHECK(folder_outcome(folder) == "9 ok; 10 ok; 11 ok; 12 ok");
  const Result<History> parsed = read_folder(folder.path().string());
  REQUIRE(parsed);
  CHECK(parsed.value().info().assumptions.back() ==
        "2 logs whose names tell no session of their own are numbered behind the others.");
  CHECK(parsed.value().info().files.size() == 5);
}

TEST_CASE("a directory without logs is no history") {
  const TemporaryFolder folder;
  folder.write("T1.txt", "");
  CHECK(folder_outcome(folder) == ": is a directory without logs of Cobra (*.log)");
}

TEST_CASE("reads find writes of later logs") {
  const TemporaryFolder folder;
  folder.write("T1.log", txn(1, read_op(2, 7, 5, 1)));
  folder.write("T2.log", txn(2, write_op(7, 5, 1)));
  CHECK(folder_outcome(folder) == "1 ok [:r 5 7]; 2 ok [:w 5 7]");
  folder.write("T3.log", txn(3, read_op(4, 7, 5, 1)));
  CHECK(folder_outcome(folder) ==
        "/T3.log: byte 9: expected what other records say of write 0x7, found another transaction "
        "or value hash: 0x4 and 0x1");
  folder.write("T3.log", txn(2, ""));
  CHECK(folder_outcome(folder) ==
        "/T3.log: byte 0: expected transactions with ids of their own, found 0x2 a second time");
}

TEST_CASE("the debug file puts aborted transactions in their places") {
  const TemporaryFolder folder;
  folder.write("T1.log", txn(1, "") + txn(0xa3, ""));
  folder.write("T1.debug", debug_lines("f", {"start", "abort"}) +
                               debug_lines("1", {"start", "try to commit", kCommit}) +
                               "[DEBUG] TxnException: Busy\n" +
                               debug_lines("a2", {"start", "abort"}) +
                               debug_lines("a3", {"start", kCommit}) +
                               debug_lines("a4", {"start", "try to commit", "abort"}) +
                               debug_lines("a5", {"start", "try to commit"}) +
                               debug_lines("a6", {"start"}) + "[DEBUG] Txn[a6] ab");
  CHECK(folder_outcome(folder) == "1 fail; 1 ok; 1 fail; 1 ok; 1 fail");
  const Result<History> parsed = read_folder(folder.path().string());
  REQUIRE(parsed);
  const HistoryInfo& info = parsed.value().info();
  CHECK(info.assumptions.at(1) ==
        "3 aborted transactions in .debug files taken, without their operations.");
  CHECK(info.assumptions.at(2) ==
        "1 transaction in .debug files left out that tried to commit, without an outcome.");
  const SourcePosition position = parsed.value().event({2}, EventKind::kCompletion).position;
  CHECK(info.files.at(position.file) == (folder.path() / "T1.debug").string());
  CHECK(position.offset == 154);
}

TEST_CASE("transactions that the debug file does not know are no matter") {
  const TemporaryFolder folder;
  folder.write("T1.log", txn(1, "") + txn(2, ""));
  folder.write("T1.debug", debug_lines("3", {"start", "abort"}));
  CHECK(folder_outcome(folder) == "1 ok; 1 ok; 1 fail");
}

TEST_CASE("a log that lacks what has committed is refused") {
  const TemporaryFolder folder;
  folder.write("T1.log", txn(1, ""));
  folder.write("T1.debug", debug_lines("1", {"start", kCommit}) +
                               debug_lines("2", {"start", kCommit}) +
                               debug_lines("3", {"start", kCommit}));
  CHECK(folder_outcome(folder) ==
        "/T1.debug:3:1: expected transaction 0x2 in " + (folder.path() / "T1.log").string() +
            ", since it has committed; that log lacks 2 committed transactions");
  const Result<History> parsed = read_folder(folder.path().string(), {.salvage = true});
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "1 ok");
  CHECK(has_remark(parsed.value(), Remark::Kind::kSalvaged));
}

TEST_CASE("a read of an aborted transaction is one of an aborted write") {
  const TemporaryFolder folder;
  folder.write("T1.log", txn(1, read_op(0xa2, 7, 5, 1)));
  folder.write("T2.log", "");
  folder.write("T2.debug", debug_lines("a2", {"start", "abort"}));
  CHECK(folder_outcome(folder) == "1 ok [:r 5 7]; 2 fail; 3 fail [:w 5 7]");
}

TEST_CASE("aborted transactions have no times") {
  const TemporaryFolder folder;
  folder.write("T1.log", timed_txn(1, 1000, 2000, ""));
  folder.write("T1.debug", debug_lines("a2", {"start", "abort"}));
  CHECK(folder_outcome(folder) == "1 ok");
  const Result<History> parsed = read_folder(folder.path().string());
  REQUIRE(parsed);
  CHECK(parsed.value().info().has_real_time);
  CHECK(parsed.value().info().assumptions.back() ==
        "1 aborted transaction in .debug files left out, since their times are unknown.");
}

TEST_CASE("salvage goes on with the next log") {
  const TemporaryFolder folder;
  folder.write("T1.log", txn(1, "") + "S");
  folder.write("T1.debug", debug_lines("1", {"start", kCommit}) +
                               debug_lines("2", {"start", kCommit}) +
                               debug_lines("3", {"start", "abort"}));
  folder.write("T2.log", txn(4, ""));
  CHECK(folder_outcome(folder) ==
        "/T1.log: byte 18: expected a record `S` of 9 bytes, found the end of the log");
  CHECK(folder_outcome(folder, {.salvage = true}) == "1 ok; 2 ok");
}

TEST_CASE("an initial transaction of PolySI is found") {
  const TemporaryFolder folder;
  const std::uint64_t initial = 0xffffffffffffffff;
  folder.write("T-1.log", txn(initial, write_op(0, 1, 0) + write_op(0, 2, 0)));
  folder.write("T0.log", txn(1, read_op(initial, 0, 1, 0) + write_op(5, 2, 5)));
  const Result<History> parsed = read_folder(folder.path().string());
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "-1 ok [:w 1 0] [:w 2 0]; 0 ok [:r 1 0] [:w 2 5]");
  CHECK(parsed.value().info().initial_txn == TxnId{0});
}

}  // namespace
}  // namespace elapid
