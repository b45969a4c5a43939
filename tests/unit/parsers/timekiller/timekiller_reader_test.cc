#include "parsers/timekiller/timekiller_format.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/sample_size.h"
#include "tests/unit/parsers/traces/reading.h"

namespace elapid {
namespace {

Result<History> read(const std::string& text, const ReadOptions& options = {}) {
  return read_text(read_timekiller, text, "", options);
}

/// A transaction of session 1 at times 10 and 20.
std::string txn(const std::string& tid, const std::string& ops) {
  return R"({"tid":)" + tid + R"(,"sid":1,"sts":{"p":10,"l":0},"cts":{"p":20,"l":0},"ops":[)" +
         ops + "]}";
}

std::string with_clock(const std::string& sts, const std::string& cts) {
  return R"({"tid":1,"sid":1,"sts":)" + sts + R"(,"cts":)" + cts + R"(,"ops":[]})";
}

std::string in_array(const std::string& text) {
  return "[" + text + "]";
}

TEST_CASE("registers of TimeKiller") {
  const auto parsed = read(sample("timekiller/kv.json"));
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(summary(history) == "1 ok [:w 1 5] [:r 2 nil]; -1 ok [:r 1 5]");
  CHECK(parsed.value().workload() == Workload::kRwRegister);
  CHECK(history.info().format == "timekiller");
  CHECK(history.info().logical_bits == 18);
  CHECK(history.start_timestamp({0}) == std::int64_t{10} << 18);
  CHECK(history.start_timestamp({1}) == (std::int64_t{30} << 18 | 1));
  CHECK(history.commit_timestamp({1}) == std::int64_t{40} << 18);
  CHECK_FALSE(history.info().has_real_time);
  CHECK(history.info().assumptions ==
        std::vector<std::string>{"The workload is rw-register: something is written.",
                                 "Sessions whose sid is no natural number, 1 in all, are numbered "
                                 "by first appearance, from -1 downwards."});
  CHECK(history.event({1}, EventKind::kCompletion).position.offset ==
        sample("timekiller/kv.json").find(R"({"tid": "2")"));
}

TEST_CASE("lists of TimeKiller") {
  const auto parsed = read(sample("timekiller/list.json"));
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "1 ok [:append 1 5] [:r 2 ()]; 1 ok [:append 1 6] [:r 1 (5 6)]");
  CHECK(parsed.value().workload() == Workload::kListAppend);
  CHECK(parsed.value().info().logical_bits == 0);
  CHECK(parsed.value().start_timestamp({1}) == 21);
  CHECK(parsed.value().commit_timestamp({1}) == 21);
}

TEST_CASE("a start behind its commit is a remark") {
  const auto parsed = read(sample("timekiller/bad-sts-after-cts.json"));
  REQUIRE(parsed);
  CHECK(remarks(parsed.value()) ==
        std::vector<std::string>{"transaction 1 commits before it starts"});
}

TEST_CASE("names of operations in any case, integers as strings, fields in any order") {
  CHECK(
      outcome(read_timekiller,
              in_array(R"({ "ops" : [ {"v": "5", "t": "Write", "k": "7"}, {"k":7,"t":"R","v":null} ,
                             {"t":"w","k":-3,"v":-99999999999}],
                    "cts": {"l": "0", "p": "20"}, "sid": "4",
                    "sts": {"l": 0, "p": 10}, "tid": "x" })")) ==
      "4 ok [:w 7 5] [:r 7 nil] [:w -3 -99999999999]");
}

TEST_CASE("what only the general reader understands comes out the same") {
  CHECK(outcome(read_timekiller,
                in_array(R"({"tid":"t\u0031","sid":"a","extra":{"x":["}",{}]},"sts":{"p":1,"l":0},
                   "cts":{"p":2,"l":0},"ops":[{"t":"w","k":"k\"1","v":"v"},{"t":"r","k":"01","v":1,
                   "note":null}]},)" +
                         txn("2", R"({"t":"r","k":1,"v":123456789012345678901234567890})"))) ==
        "input:3:120: expected an integer of 64 bits or a string as \"v\", found "
        "`123456789012345678901234567890`");
  CHECK(outcome(read_timekiller,
                in_array(R"({"tid":"t\u0031","sid":"a","extra":{"x":["}",{}]},"sts":{"p":1,"l":0},
                   "cts":{"p":2,"l":0},"ops":[{"t":"w","k":"k\"1","v":"v"},{"t":"r","k":"01","v":1,
                   "note":null}]},)" +
                         txn("2", R"({"t":"r","k":1,"v":9223372036854775807})"))) ==
        R"(-1 ok [:w "k\"1" "v"] [:r "01" 1]; 1 ok [:r 1 9223372036854775807])");
}

TEST_CASE("operations of the usual shape, and of nearly that shape, are read as with blanks") {
  const std::vector<std::string> numbers = {"0",
                                            "7",
                                            "12345678",
                                            "123456789012345",
                                            "1234567890123456",
                                            "123456789012345678",
                                            "-1",
                                            "01",
                                            "00",
                                            "null",
                                            "\"5\"",
                                            "[]",
                                            "[1]",
                                            "1.5",
                                            "1e3",
                                            ""};
  const auto read_op = [](const std::string& op) {
    const std::string more = R"({"t":"r","k":1,"v":2},{"t":"r","k":1,"v":2},{"t":"r","k":1,"v":2})";
    const std::string told = outcome(read_timekiller, in_array(txn("1", op + ',' + more)));
    return told.starts_with("input:") ? told.substr(told.find("expected")) : told;
  };
  std::size_t combination = 0;
  for (const char* const kind : {"r", "w", "a", "R", "rw", ""}) {
    for (const std::string& key : numbers) {
      for (const std::string& value : numbers) {
        if (combination++ % stride() != 0) {
          continue;
        }
        const std::string op =
            R"({"t":")" + std::string(kind) + R"(","k":)" + key + R"(,"v":)" + value;
        INFO(op);
        CHECK(read_op(op + "}") == read_op("{ " + op.substr(1) + "}"));
        CHECK(read_op(op + R"(,"t":"r"})") == read_op("{ " + op.substr(1) + R"(,"t":"r"})"));
      }
    }
  }
}

TEST_CASE("an absent value is the initial one") {
  const std::string text = in_array(txn("1", R"({"t":"r","k":1},{"t":"r","k":1,"v":null})"));
  CHECK(outcome(read_timekiller, text) == "1 ok [:r 1 nil] [:r 1 nil]");
  const auto parsed = read(text, {.initial = "0"});
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "1 ok [:r 1 0] [:r 1 0]");
  CHECK(parsed.value().info().initial == ValueId::integer(0));
  CHECK(read(text, {.initial = "("}).error().kind == ErrorKind::kUsage);
}

TEST_CASE("the workload is that of the first write, or of the first list read") {
  const auto workload = [](const std::string& ops) {
    return read(in_array(txn("1", R"({"t":"r","k":1})") + "," + txn("2", ops))).value().workload();
  };
  CHECK(workload(R"({"t":"r","k":1,"v":[]})") == Workload::kListAppend);
  CHECK(workload(R"({"t":"a","k":1,"v":2})") == Workload::kListAppend);
  CHECK(workload(R"({"t":"w","k":1,"v":2})") == Workload::kRwRegister);
  CHECK(workload(R"({"t":"r","k":1,"v":2})") == Workload::kRwRegister);
  CHECK(read("[]", {.workload = Workload::kListAppend}).value().workload() ==
        Workload::kListAppend);
}

TEST_CASE("timestamps have as many logical bits as they need") {
  const auto bits = [](const std::string& p, const std::string& l) {
    const std::string clock = R"({"p":)" + p + R"(,"l":)" + l + "}";
    const auto parsed = read(in_array(with_clock(R"({"p":1,"l":0})", clock)));
    if (!parsed) {
      return parsed.error().to_string();
    }
    return std::to_string(parsed.value().info().logical_bits) + " " +
           std::to_string(*parsed.value().commit_timestamp({0}));
  };
  CHECK(bits("9223372036854775807", "0") == "0 9223372036854775807");
  CHECK(bits("5", "1") == "18 1310721");
  CHECK(bits("5", "262144") == "19 2883584");
  CHECK(bits("1000000000000000000", "3") == "2 4000000000000000003");
  CHECK(bits("9223372036854775807", "1") ==
        "input:1:2: expected a p between -2^62 and 2^62, since l takes 1 of 63 bits, found "
        "9223372036854775807");
  CHECK(bits("-5", "1") == "18 -1310719");
  CHECK(bits("-9223372036854775807", "0") == "0 -9223372036854775807");
  CHECK(bits("-1000000000000000000", "3") == "2 -3999999999999999997");
  CHECK(bits("-9223372036854775808", "0").starts_with("input:1:2: expected a p between -2^63"));
}

TEST_CASE("what TimeKiller's readers refuse is an error") {
  const std::string clock = R"({"p":1,"l":0})";
  const auto error = [](const std::string& text) {
    return outcome(read_timekiller, in_array(text)).substr(std::string("input:1:").size());
  };
  CHECK(outcome(read_timekiller, sample("timekiller/bad-object.json")) ==
        R"(input:1:1: expected an object with "sid", found one without)");
  CHECK(outcome(read_timekiller, "") ==
        "input:1:1: expected an array of transactions or a transaction object, found the end of "
        "the input");
  CHECK(outcome(read_timekiller, "[] 1") ==
        "input:1:4: expected the end of the input behind the array, found `1`");
  CHECK(error("3") == "2: expected a transaction object, found `3`");
  CHECK(error("[1]") == "2: expected a transaction object, found an array");
  CHECK(error("{} {}") == R"(2: expected an object with "tid", found one without)");
  CHECK(error(txn("1", "") + " 5") == "71: expected a comma or `]`, found `5`");
  CHECK(error(R"({"tid":1.5})") ==
        R"(9: expected an integer of 64 bits or a string as "tid", found `1.5`)");
  CHECK(error(R"({"tid":1,"sid":1})") == R"(2: expected an object with "sts", found one without)");
  CHECK(error(R"({"tid":1,"sid":1,"sts":)" + clock + "}") ==
        R"(2: expected an object with "cts", found one without)");
  CHECK(error(R"({"tid":1,"sid":1,"sts":)" + clock + R"(,"cts":)" + clock + "}") ==
        R"(2: expected an object with "ops", found one without)");
  CHECK(error(with_clock(R"({"p":1})", clock)) ==
        R"(25: expected an object with "l", found one without)");
  CHECK(error(with_clock(R"({"l":1})", clock)) ==
        R"(25: expected an object with "p", found one without)");
  CHECK(error(with_clock("[7]", clock)) ==
        R"(25: expected a timestamp such as {"p": 1, "l": 0}, found an array)");
  CHECK(error(with_clock(R"({"p":9223372036854775808,"l":0})", clock)) ==
        R"(30: expected an integer of 64 bits as "p", found `9223372036854775808`)");
  CHECK(error(with_clock(R"({"p":1,"l":-1})", clock)) ==
        R"(36: expected a natural number below 2^32 as "l", found `-1`)");
  CHECK(error(with_clock(R"({"p":1,"l":4294967296})", clock)) ==
        R"(36: expected a natural number below 2^32 as "l", found `4294967296`)");
  CHECK(error(R"({"seq":"x",)" + with_clock(clock, clock).substr(1)) ==
        R"(9: expected an integer of 64 bits as "seq", found `"x"`)");
  CHECK(error(txn("1", "") + "," + txn(R"("1")", "")) ==
        "71: expected a new tid, found 1 a second time");
  CHECK(error(txn(R"("a b")", "") + "," + txn(R"("a b")", "")) ==
        "75: expected a new tid, found a b a second time");
  CHECK(error(txn(R"("initial")", "")) ==
        R"(2: expected another tid than "initial", which is reserved)");
  CHECK(error(txn("1", "7")) == "68: expected an operation object, found `7`");
  CHECK(error(txn("1", R"({"t":"x","k":1})")) ==
        R"(73: expected r, read, w, write, a or append as "t", found `"x"`)");
  CHECK(error(txn("1", R"({"t":"reads","k":1})")) ==
        R"(73: expected r, read, w, write, a or append as "t", found `"reads"`)");
  CHECK(error(txn("1", R"({"t":"w"})")) == R"(68: expected an object with "k", found one without)");
  CHECK(error(txn("1", R"({"t":"w","k":1,"v":1.5})")) ==
        R"(87: expected an integer of 64 bits or a string as "v", found `1.5`)");
  CHECK(error(txn("1", R"({"t":"w","k":01})")).starts_with("82: expected"));
}

TEST_CASE("operations and values of the other workload are errors") {
  const auto error = [](const std::string& ops) {
    return outcome(read_timekiller, in_array(txn("1", ops))).substr(std::string("input:1:").size());
  };
  CHECK(error(R"({"t":"w","k":1,"v":1},{"t":"a","k":1,"v":1})") ==
        "90: expected reads and writes in a history of registers, found an append");
  CHECK(error(R"({"t":"a","k":1,"v":1},{"t":"w","k":1,"v":1})") ==
        "90: expected reads and appends in a history of lists, found a write");
  CHECK(error(R"({"t":"w","k":1,"v":1},{"t":"r","k":1,"v":[1]})") ==
        "90: expected a single value or null as v in a history of registers, found an array");
  CHECK(error(R"({"t":"a","k":1,"v":1},{"t":"r","k":1,"v":1})") ==
        "90: expected an array or null as the v of a list read, found a single value");
  CHECK(error(R"({"t":"a","k":1})") ==
        "68: expected a single value as the v of an append, found none");
  CHECK(error(R"({"t":"a","k":1,"v":[1]})") ==
        "68: expected a single value as the v of an append, found an array");
}

TEST_CASE("TimeKiller's files cut anywhere are an error, and salvaged up to there") {
  check_cuts(read_timekiller, sample("timekiller/kv.json"));
  check_cuts(read_timekiller, sample("timekiller/list.json"));
  check_cuts(read_timekiller, sample("timekiller/bad-sts-after-cts.json"));
}

TEST_CASE("a plain integer is a timestamp without logical part") {
  for (const std::string more : {"", R"(,"note":1)"}) {
    const auto parsed = read(R"([{"tid":1,"sid":1,"sts":7,"cts":"-8","ops":[])" + more + "}]");
    REQUIRE(parsed);
    CHECK(parsed.value().info().logical_bits == 0);
    CHECK(parsed.value().start_timestamp({0}) == 7);
    CHECK(parsed.value().commit_timestamp({0}) == -8);
  }
}

TEST_CASE("TimeKiller's transactions as JSON lines") {
  const std::string first = txn("1", R"({"t":"w","k":1,"v":1})");
  const std::string second = txn("2", R"({"t":"r","k":1,"v":1})");
  const std::string expected = "1 ok [:w 1 1]; 1 ok [:r 1 1]";
  CHECK(outcome(read_timekiller, first + "\n" + second + "\n") == expected);
  CHECK(outcome(read_timekiller, "\xef\xbb\xbf\n " + first + "\r\n\n" + second) == expected);
  CHECK(outcome(read_timekiller, first + "\n5\n") ==
        "input:2:1: expected a transaction object, found `5`");
  CHECK(outcome(read_timekiller, first + "\n" + second.substr(0, 30)).starts_with("input:2:"));
  CHECK(read(first + "\n" + second.substr(0, 30), {.salvage = true}).value().txn_count() == 1);
}

/// A transaction that writes its tid to key 1.
std::string numbered(int tid, const std::string& sid, const std::string& seq) {
  const std::string id = std::to_string(tid);
  return R"({"tid":)" + id + R"(,"sid":)" + sid + (seq.empty() ? "" : R"(,"seq":)" + seq) +
         R"(,"sts":1,"cts":1,"ops":[{"t":"w","k":1,"v":)" + id + "}]}\n";
}

TEST_CASE("a seq says the order in the session") {
  const std::string text = numbered(1, "7", "30") + numbered(2, "\"a\"", "2") +
                           numbered(3, "7", "-10") + numbered(4, "8", "") +
                           numbered(5, "\"a\"", "1") + numbered(6, "7", "\"20\"") +
                           numbered(7, "8", "");
  const auto parsed = read(text);
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) ==
        "7 ok [:w 1 3]; 8 ok [:w 1 4]; -1 ok [:w 1 5]; -1 ok [:w 1 2]; 7 ok [:w 1 6]; "
        "7 ok [:w 1 1]; 8 ok [:w 1 7]");
  CHECK(parsed.value().info().assumptions.at(1) ==
        "Transactions of a session are in the order of their seq.");
  CHECK(parsed.value().event({0}, EventKind::kCompletion).position.offset ==
        text.find(R"({"tid":3)"));
}

TEST_CASE("a seq that is there twice, or missing, is an error") {
  CHECK(outcome(read_timekiller,
                numbered(1, "1", "5") + numbered(2, "2", "5") + numbered(3, "1", "5")) ==
        "input:3:1: expected a new seq in the session, found 5 a second time");
  CHECK(outcome(read_timekiller,
                numbered(1, "1", "6") + numbered(2, "1", "6") + numbered(3, "1", "5")) ==
        "input:2:1: expected a new seq in the session, found 6 a second time");
  CHECK(outcome(read_timekiller, numbered(1, "1", "") + numbered(2, "1", "5")) ==
        "input:1:1: expected a \"seq\", as other transactions of the session have, found none");
}

TEST_CASE("what waits for its turn at a break is salvaged") {
  const auto parsed = read(numbered(1, "1", "2") + numbered(2, "2", "9") + numbered(2, "1", "1"),
                           {.salvage = true});
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "2 ok [:w 1 2]; 1 ok [:w 1 1]");
}

TEST_CASE("what was salvaged is said") {
  const auto parsed = read("[" + txn("1", "") + ",\n" + txn("1", "") + "]", {.salvage = true});
  REQUIRE(parsed);
  CHECK(parsed.value().txn_count() == 1);
  CHECK(remarks(parsed.value()) ==
        std::vector<std::string>{"expected a new tid, found 1 a second time; kept what is whole "
                                 "before that, 1 transaction"});
}

/// A source that gives few bytes at a time, so that windows end everywhere.
class Trickle : public ByteSource {
 public:
  explicit Trickle(std::string text) : ByteSource("input"), text_(std::move(text)) {}

  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t count = std::string_view(text_).substr(at_, 7).copy(into.data(), into.size());
    at_ += count;
    return count;
  }

  Result<std::size_t> reread(std::uint64_t offset, std::span<char> into) override {
    return std::string_view(text_).substr(offset).copy(into.data(), into.size());
  }

  Status rewind() override {
    at_ = 0;
    return {};
  }

  [[nodiscard]] std::uint64_t total() const override { return text_.size(); }

  [[nodiscard]] std::uint64_t consumed() const override { return at_; }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

TEST_CASE("transactions longer than any window are read") {
  std::string ops;
  std::string expected;
  for (int i = 0; i < 20'000; ++i) {
    ops += std::string(i == 0 ? "" : ",") + R"({"t":"w","k":)" + std::to_string(i) + R"(,"v":1})";
    expected += " [:w " + std::to_string(i) + " 1]";
  }
  std::string text;
  for (int i = 1; i < 4; ++i) {
    text += (i == 1 ? "[" : ",\n") + txn(std::to_string(i), ops);
  }
  text += ",\n" + txn("\"\\u0034\"", ops) + "]";
  for (const bool is_slow : {false, true}) {
    Sources sources(is_slow ? std::unique_ptr<ByteSource>(std::make_unique<Trickle>(text))
                            : memory_source("input", text));
    const auto parsed = read_timekiller(sources, "", {});
    REQUIRE(parsed);
    CHECK(summary(parsed.value()) ==
          "1 ok" + expected + "; 1 ok" + expected + "; 1 ok" + expected + "; 1 ok" + expected);
  }
}

TEST_CASE("a byte order mark before TimeKiller's array is remarked on") {
  const auto parsed = read("\xef\xbb\xbf[]");
  REQUIRE(parsed);
  CHECK(has_remark(parsed.value(), Remark::Kind::kByteOrderMark));
}

TEST_CASE("the reading of TimeKiller's files can be stopped") {
  std::string text = "[" + txn("0", "");
  for (int i = 1; i < 40'000; ++i) {
    text += "," + txn(std::to_string(i), "");
  }
  ReadOptions options;
  options.progress = [](std::uint64_t, std::uint64_t) { return false; };
  const auto parsed = read(text + "]", options);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().kind == ErrorKind::kUnreadable);
}

TEST_CASE("TimeKiller's own examples have the documented counts") {
  const std::filesystem::path folder =
      std::filesystem::path(ELAPID_SHARED) / "corpus/timekiller/examples";
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: there is no " << folder);
    return;
  }
  for (const auto& [name, reads, writes] :
       {std::tuple("format-kv.json", 7427, 7573), std::tuple("format-list.json", 7464, 7536)}) {
    Sources sources(std::move(open_source((folder / name).string()).value()));
    const auto parsed = read_timekiller(sources, "", {});
    REQUIRE(parsed);
    const History& history = parsed.value();
    CHECK(history.txn_count() == 1000);
    CHECK(history.session_count() == 50);
    CHECK(std::ranges::count_if(history.all_ops(), &Op::is_read) == reads);
    CHECK(std::ranges::count_if(history.all_ops(), &Op::is_write) == writes);
    CHECK(history.info().remarks.empty());
  }
}

}  // namespace
}  // namespace elapid
