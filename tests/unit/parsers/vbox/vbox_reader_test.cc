#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/rows/rows.h"
#include "engine/rows/text.h"
#include "parsers/detect.h"
#include "parsers/read.h"
#include "parsers/vbox/vbox_format.h"
#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

constexpr std::uint64_t kColumn = 0xfedcba9876543210U;

/// A log, record by record. Each statement takes ten nanoseconds.
class Log {
 public:
  Log& txn(std::uint32_t tid, std::uint64_t start, std::uint64_t end) {
    now_ = start;
    return put("T").put32(tid).put64(start).put64(end).head('S', 0);
  }

  Log& read(std::uint32_t oid, std::uint64_t key, std::uint32_t tid, std::uint32_t from) {
    return head('R', oid).put64(key).put32(tid).put32(from);
  }

  Log& write(std::uint32_t oid, std::uint64_t key, std::uint32_t value,
             std::uint64_t column = kColumn) {
    return head('W', oid).put64(key).put64(column).put32(value);
  }

  Log& matched(std::uint32_t oid, std::uint32_t low, std::uint32_t high,
               const std::vector<std::uint64_t>& keys) {
    head('P', oid).put64(kColumn).put32(low).put32(high);
    put32(static_cast<std::uint32_t>(keys.size()));
    for (const std::uint64_t key : keys) {
      put64(key);
    }
    for (std::size_t i = 0; i < 2 * keys.size(); ++i) {
      put32(7);  // versions, which are wrong in all files there are
    }
    return *this;
  }

  Log& commit() { return head('C', 0); }

  Log& abort() { return head('A', 0); }

  Log& put(const std::string& bytes) {
    bytes_ += bytes;
    return *this;
  }

  Log& put32(std::uint32_t number) { return put_number(number, 4); }

  Log& put64(std::uint64_t number) { return put_number(number, 8); }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  Log& put_number(std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) {
      bytes_ += static_cast<char>(number >> (8 * i) & 0xffU);
    }
    return *this;
  }

  Log& head(char type, std::uint32_t oid) {
    put(std::string(1, type)).put32(oid).put64(now_).put64(now_ + 10);
    now_ += 10;
    return *this;
  }

  std::string bytes_;
  std::uint64_t now_ = 0;
};

/// The history of logs, or what is wrong with them, with the byte.
std::string read_logs(const std::vector<std::pair<std::string, Log>>& logs,
                      ReadOptions options = {}) {
  const TemporaryFolder folder;
  for (const auto& [name, log] : logs) {
    folder.write("h/" + name, log.bytes());
  }
  const auto loaded = read_history(folder / "h", options);
  if (!loaded) {
    return std::to_string(loaded.error().byte_offset.value_or(0)) + ": " + loaded.error().message;
  }
  const History& history = loaded.value().history();
  std::string out(history.workload().name());
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    constexpr const char* kStatus[] = {" ok", " fail", " info"};
    out += "; " + std::to_string(history.session_name(history.session(txn))) +
           kStatus[static_cast<std::size_t>(history.status(txn))];
    for (const Op op : history.ops(txn)) {
      out += ' ' + (op.kind() == OpKind::kRow
                        ? rows::text(history, op)
                        : (op.is_read() ? "r" : "w") + history.key_text(op.key()) + '=' +
                              history.text(op.value()));
    }
  }
  return out;
}

std::string version(std::uint64_t tid, std::uint64_t oid) {
  return std::to_string(tid << 32 | oid);
}

TEST_CASE("vbox: logs without predicates are registers of versions") {
  CHECK(read_logs({{"0.log",
                    Log().txn(1, 0, 50).write(2, 5, 0).write(2, 5, 1, 9).read(3, 5, 1, 2).commit()},
                   {"1.log", Log().txn(2, 60, 100).read(4, 5, 1, 2).read(5, 6, 0, 0).abort()}}) ==
        "rw-register; 0 ok w5=" + version(1, 2) + " r5=" + version(1, 2) +
            "; 1 fail r5=" + version(1, 2) + " r6=nil");
}

TEST_CASE("vbox: logs with predicates are rows") {
  const auto load = Log().txn(1, 0, 90).write(2, 5, 30).write(2, 6, 40).commit();
  const auto client = Log()
                          .txn(2, 100, 900)
                          .read(8, 5, 1, 2)
                          .matched(8, 25, 35, {5})
                          .matched(9, 50, 60, {})
                          .write(10, 6, 41)
                          .matched(10, 40, 40, {6})
                          .read(11, 5, 1, 2)
                          .commit();
  const std::string column = "18364758544493064720N";
  const std::string v = version(1, 2);
  CHECK(read_logs({{"-1.log", load}, {"0.log", client}}) ==
        "rows; -1 ok [:put 5 {" + column + " 30} #v " + v + "] [:put 6 {" + column + " 40} #v " +
            v + "]; 0 ok [:rp [:in " + column + " 25 35] {5 #v " + v + "}] [:rp [:in " + column +
            " 50 60] #{}] [:rp [:in " + column + " 40 40] #{6}] [:put 6 {" + column + " 41} #v " +
            version(2, 10) + "] [:r 5 #v " + v + "]");
}

TEST_CASE("vbox: transactions of a log that overlap are sessions of their own") {
  CHECK(read_logs(
            {{"0.log",
              Log().txn(1, 0, 100).commit().txn(2, 50, 150).commit().txn(3, 200, 300).commit()}}) ==
        "rw-register; 0 ok; 1 ok; 0 ok");
}

TEST_CASE("vbox: without COMMIT or ROLLBACK a transaction is indeterminate") {
  CHECK(read_logs({{"0.log", Log().txn(1, 0, 100).write(1, 2, 3).txn(2, 200, 300).commit()}}) ==
        "rw-register; 0 info w2=" + version(1, 1) + "; 0 ok");
}

TEST_CASE("vbox: what breaks a log is told with its byte") {
  const auto wrong = [](const Log& log) { return read_logs({{"0.log", log}}); };
  const auto begun = [] { return Log().txn(1, 0, 100); };
  CHECK(wrong(begun().put("X")) ==
        "42: expected a record R, W, P, C or A of transaction 1, found `X`");
  CHECK(wrong(begun().put("W12")) == "42: expected the rest of a record, found the end");
  CHECK(wrong(begun().commit().write(1, 2, 3)) ==
        "63: expected a transaction's record `T`, found `W`");
  CHECK(wrong(begun().put("S")) ==
        "42: expected a record R, W, P, C or A of transaction 1, found `S`");
  CHECK(wrong(begun().commit().txn(1, 200, 300).commit()) ==
        "63: expected a transaction's id of its own, found 1 a second time");
  CHECK(wrong(begun().commit().put("T").put32(2).put64(9).put64(3)) ==
        "63: expected a transaction that ends after its start, found the times 9 and 3");
  CHECK(wrong(Log().txn(1, 0, 15).commit()) ==
        "42: expected times within those of transaction 1, 0 to 15, found 10 to 20");
  CHECK(wrong(begun().matched(1, 0, 9, {2, 2}).write(1, 2, 1).commit()) ==
        "42: row 2 appears twice in the result");
  CHECK(wrong(begun().matched(1, 0, 9, {2, 3}).write(1, 2, 1).commit()) ==
        "42: expected the rows that statement 1 read or wrote, 1 of them, found 2 that its "
        "predicate matched, or others");
  CHECK(wrong(begun().read(1, 2, 77, 5).commit()) ==
        "42: expected the version of a row that some log wrote, found 77:5, whose writer is not "
        "recorded");
  CHECK(wrong(begun().put("P").put32(1).put64(10).put64(20).put64(0).put32(0).put32(9).put32(
            0xffffffffU)) ==
        "83: expected the rest of the rows that a predicate matched, found the end");
}

TEST_CASE("vbox: what comes before a break can be salvaged") {
  const Log log = Log().txn(1, 0, 100).write(1, 2, 3).commit().txn(2, 200, 300).put("W");
  CHECK(read_logs({{"0.log", log}}, {.salvage = true}) == "rw-register; 0 ok w2=" + version(1, 1));
}

TEST_CASE("vbox: a single log is recognised") {
  const TemporaryFolder folder;
  const std::string path = folder.write("0.log", Log().txn(1, 0, 100).commit().bytes());
  const auto loaded = read_history(path, {});
  REQUIRE(loaded.ok());
  CHECK(loaded.value().history().info().format == "vbox");
}

}  // namespace
}  // namespace elapid
