#include "parsers/convert/plan.h"

#include <catch2/catch.hpp>
#include <string>

#include "harness/sketch/tiny_history.h"
#include "tests/unit/parsers/convert/written.h"

namespace elapid {
namespace {

std::string losses(const History& history, Workload workload, const std::string& format) {
  const Result<Plan> plan = Plan::make(history, workload, target(format));
  return plan ? counts(plan.value().losses()) : "error: " + plan.error().message;
}

std::string register_losses(const std::string& text, const std::string& format) {
  return losses(register_history(text), Workload::kRwRegister, format);
}

std::string list_losses(const std::string& text, const std::string& format) {
  return losses(list_history(text), Workload::kListAppend, format);
}

std::string register_text(const std::string& text, const std::string& format) {
  return written(register_history(text), Workload::kRwRegister, format);
}

TEST_CASE("each letter is counted") {
  // Two committed transactions, an aborted one, an indeterminate one that was seen and one that
  // was not.
  const std::string text = "0+ wx1 ry_; 1- wx2; 2? wy3; 3? wy4; 4+ ry3";
  CHECK(register_losses(text, "polysi:text") == "A 1, I 1, I 1, T 5, P 5, K 2, N 1, x 3");
  CHECK(register_losses(text, "cobra:plain") == "A 1, I 1, I 1, T 5, P 5, K 2, x 3");
  CHECK(register_losses(text, "cobra:timestamps") == "A 1, I 1, I 1, T 5, K 2, x 3");
  CHECK(register_losses("0+ wx1; 1- rx_ wx2", "knossos") == "K 1, E 1");
  CHECK(register_losses(text, "plume") == "A 1, I 1, I 1, T 5, P 5, K 2, N 1, x 4");
  CHECK(register_losses(text, "dbcop:json") == "I 1, I 1, T 5, P 5, K 2");
  CHECK(register_losses(text, "timekiller") == "A 1, I 1, I 1, T 5, P 5, K 2, t 3, x 3");
  CHECK(register_losses(text, "awdit") == "A 1, I 1, I 1, T 5, P 5, K 2, N 1, i 1");
  CHECK(register_losses(text, "json") == "K 2");
  CHECK(list_losses("0+ ax1; 1+ rx1; 2+ ry", "dbcop:bincode") == "T 3, P 3, K 2, L 2, N 1");
}

/// The same for a file in some format.
std::string file_losses(const std::string& content, const std::string& from, const std::string& to,
                        std::optional<Workload> workload = {}) {
  const auto loaded = read_history(memory_source("h", content),
                                   {.format = find_format(from).value(), .workload = workload});
  REQUIRE(loaded);
  return losses(loaded.value().history(), loaded.value().history().workload(), to);
}

TEST_CASE("what the source says and a history does not hold is counted") {
  const std::string viper = R"({"value": [["w", 1, 5, true], ["d", 2, 6, 0, false, true]]}
{"value": [["range", 1, 3, [{"id": 1, "val": 5}], [{"id": 2, "val": 6}]]]}
)";
  CHECK(file_losses(viper, "viper:json", "dbcop:json", Workload::kRwRegister) == "D 1, X 1");
  const std::string asks =
      R"({:type :ok, :process 0, :f :txn, :isolation "serializable", :value [[:w 1 1]]})";
  CHECK(file_losses(asks, "edn", "dbcop:json") == "B 1, E 1");
  CHECK(file_losses(asks, "edn", "json").find('B') == std::string::npos);
  CHECK(file_losses("R0a S0 W0a C0\n", "coo", "polysi:text", Workload::kRwRegister).find("X 1") !=
        std::string::npos);
}

TEST_CASE("the order of sessions among one another is lost where files hold one each") {
  const std::string turns = "w(1,1,0,0)\nw(1,2,1,1)\nr(1,1,0,2)\n";
  CHECK(file_losses(turns, "plume", "dbcop:bincode") == "O 3");
  CHECK(file_losses("w(1,1,0,0)\nr(1,1,0,2)\nw(1,2,1,1)\n", "plume", "dbcop:bincode").empty());
  CHECK(file_losses(turns, "plume", "polysi:text") == "x 3");
}

TEST_CASE("invocations and completions are made up from times too") {
  CHECK(file_losses("W0a C0 R1a C1\n", "coo", "edn") == "p 2");
  CHECK(file_losses("w(1,1,0,0)\n", "plume", "cobra:timestamps") == "x 1, p 1");
  CHECK(file_losses("W0a C0 R1a C1\n", "coo", "cobra:timestamps").find('p') == std::string::npos);
}

TEST_CASE("an indeterminate transaction is kept if a transaction saw one of its writes") {
  CHECK(register_text("0? wx1 wy1; 1? wx2; 2+ rx1", "polysi:text") ==
        "r(1,1,2,0)\nw(1,1,0,1)\nw(2,1,0,1)\n");
  CHECK(written(list_history("0? ax1; 1? ax3; 2+ rx12; 3+ ax2"), Workload::kListAppend,
                "veristrong-elle") == "3\n0 1 A 1 1\n2 2 R 1 2 1 2\n3 3 A 1 2\n");
}

TEST_CASE("zero is moved out of the way of the initial value, whether written or only read") {
  CHECK(register_text("0+ wx0 ry_; 1+ rx0", "polysi:text") ==
        "w(1,1,0,0)\nr(2,0,0,0)\nr(1,1,1,1)\n");
  CHECK(register_losses("0+ wx3 ry0", "polysi:text") == "T 1, P 1, K 2, V 1, x 1");
  CHECK(register_text("0+ wx0 ry_; 1+ rx0", "dbcop:hist") == "[1:=1 2==?]\n---\n[1==1]\n");
  CHECK(register_text("0+ wx0 ry_", "timekiller").find(R"({"t": "w", "k": 1, "v": 0})") !=
        std::string::npos);
}

/// The losses of a trace in Plume's format, where 0 is initial.
std::string trace_losses(const std::string& text, const std::string& format) {
  return file_losses(text, "plume", format);
}

TEST_CASE("a read of the initial value that is written as well may have seen either") {
  const std::string zero = "r(1,0,0,0)\nw(1,0,0,1)\n";
  CHECK(trace_losses(zero, "rw-text") == "x 2");
  CHECK(trace_losses(zero, "isovista") == "i 1, x 3");
  CHECK(trace_losses(zero, "dbcop:bincode").empty());
  CHECK(trace_losses(zero, "jsonl").empty());
  for (const char* narrow : {"edn", "jepsen", "polysi:text", "awdit", "dbcop:json", "viper:json",
                             "cobra:universal", "timekiller", "isopredict", "knossos"}) {
    CHECK_THAT(trace_losses(zero, narrow), Catch::Contains("N 1"));
  }
  // No transaction reads the value, or none is certain to write it.
  CHECK(trace_losses("w(1,0,0,1)\nr(1,5,0,2)\n", "edn") == "p 2");
  CHECK(trace_losses("r(1,0,0,0)\nw(1,0,1,-1)\n", "edn") == "p 2");
}

TEST_CASE("nil that is written and read is zero where zero is initial") {
  const auto text = [](const std::string& first, const std::string& second) {
    const auto loaded = read_history(
        memory_source("h", "{:process 0, :type :ok, :f :txn, :value [" + first +
                               "]}\n{:process 1, :type :ok, :f :txn, :value [" + second + "]}\n"),
        {});
    REQUIRE(loaded);
    return written(loaded.value().history(), Workload::kRwRegister, "plume");
  };
  CHECK(text("[:w 1 nil]", "[:r 1 nil] [:r 2 nil]") == "w(1,0,0,0)\nr(1,0,1,1)\nr(2,0,1,1)\n");
  CHECK(text("[:w 1 nil] [:r 1 nil]", "[:r 2 nil]") == "w(1,1,0,0)\nr(1,1,0,0)\nr(2,0,1,1)\n");
  CHECK(text("[:w 1 0] [:w 1 nil]", "[:r 1 nil]") == "w(1,1,0,0)\nw(1,0,0,0)\nr(1,0,1,1)\n");
}

TEST_CASE("a transaction that brings the initial state back is not taken for it") {
  const auto loaded = read_history(memory_source("h", "w(1,0,0,0)\nr(1,0,1,1)\nw(1,2,1,2)\n"),
                                   {.format = find_format("plume").value()});
  REQUIRE(loaded);
  const TemporaryFolder folder;
  REQUIRE(write_history(loaded.value().history(), Workload::kRwRegister, folder / "out",
                        {.target = &target("dbcop:bincode")}));
  const auto again = read_history(folder / "out", {});
  REQUIRE(again);
  CHECK(again.value().history().info().initial_txn.is_none());
}

TEST_CASE("what Porcupine takes for something else has to be accepted") {
  CHECK(register_losses("0- rx_ wx2", "porcupine") == "A 1, K 1, E 1");
  CHECK(register_losses("0- rx_", "porcupine") == "K 1");
}

TEST_CASE("a transaction that looks like the initial state does not come first") {
  CHECK(register_text("0+ wx1 wy1; 1+ rx1; 1+ wy2", "plume") ==
        "r(1,1,1,0)\nw(1,1,0,1)\nw(2,1,0,1)\nw(2,2,1,2)\n");
  CHECK(register_text("0+ wx1 wy1; 0+ rx1", "plume") == "w(1,1,0,0)\nw(2,1,0,0)\nr(1,1,0,1)\n");
  CHECK(register_text("0+ wx1; 1+ wx2", "plume") == "w(1,1,0,0)\nw(1,2,1,1)\n");
}

TEST_CASE("a value that repeats and was read is refused where values must be unique") {
  const std::string read = "0+ wx1; 1+ wx1; 2+ rx1";
  CHECK(register_losses(read, "polysi:text") ==
        "error: value 1 of key :x written 2 times, reads ambiguous: polysi:text wants each write "
        "of a key to have a value of its own");
  CHECK(register_losses(read, "isopredict").starts_with("error: value 1 of key :x written 2"));
  CHECK(register_losses(read, "dbcop:bincode") == "T 3, P 3, K 1");
  CHECK(register_losses(read, "plume") == "T 3, P 3, K 1, x 3");
}

TEST_CASE("a value that repeats and was never read becomes several") {
  CHECK(register_text("0+ wx1; 1+ wx1; 2+ rx2 wx2", "polysi:text") ==
        "r(1,2,2,0)\nw(1,2,2,0)\nw(1,3,0,1)\nw(1,4,1,2)\n");
  CHECK(register_losses("0+ wx1; 1+ wx1", "polysi:text") == "T 2, P 2, K 1, u 2, x 2");
}

TEST_CASE("lists are kept, or reduced to their last elements") {
  const std::string text = "0+ ax1 ax2 rx12; 1+ ry";
  CHECK(written(list_history(text), Workload::kListAppend, "polysi:elle") ==
        "{:type :ok, :f :txn, :value [[:append 1 1] [:append 1 2] [:r 1 [1 2]]], :process 0, "
        ":index 0}\n"
        "{:type :ok, :f :txn, :value [[:r 2 []]], :process 1, :index 1}\n");
  CHECK(written(list_history(text), Workload::kListAppend, "plume") ==
        "w(1,1,0,0)\nw(1,2,0,0)\nr(1,2,0,0)\nr(2,0,1,1)\n");
  CHECK(register_losses("0+ wx1", "veristrong-elle") ==
        "error: veristrong-elle holds lists only, and this is a history of registers");
}

TEST_CASE("operations that are neither reads nor writes are refused") {
  CHECK(losses(register_history("0+ wx1"), Workload::kOther, "edn").starts_with("error: "));
}

TEST_CASE("a history that loses what counts needs to be told so") {
  const History history = register_history("0+ wx1; 1- wx2");
  const std::string refused =
      written(history, Workload::kRwRegister, "awdit", LossPolicy::kHarmless);
  CHECK(refused ==
        "error: as awdit it would lose: 1 aborted transactions left out (A); LossPolicy::kAny "
        "accepts that");
  CHECK(written(history, Workload::kRwRegister, "dbcop:hist", LossPolicy::kHarmless) ==
        "[1:=1]\n---\n[1:=2]!\n");
  CHECK(written(history, Workload::kRwRegister, "dbcop:hist", LossPolicy::kNone)
            .starts_with("error: as dbcop:hist it would lose: 2 transactions whose order"));
}

TEST_CASE("what has another name is listed beside the output") {
  const TemporaryFolder folder;
  const WriteOptions options = {.target = &target("polysi:text")};
  const auto report = write_history(register_history("0+ wx0 ry_; 1+ rx0"), Workload::kRwRegister,
                                    folder / "out.txt", options);
  REQUIRE(report);
  CHECK(report.value().map == folder / "out.txt.map.json");
  CHECK(content_of(report.value().map) ==
        "{\"from\": \"tiny\",\n \"to\": \"polysi:text\",\n \"keys\": {\"1\": \":x\", \"2\": "
        "\":y\"},\n"
        " \"values\": {},\n \"values_greater_by\": 1,\n \"writes\": {},\n \"sessions\": {}}\n");
  CHECK(listing(folder.path()) == "out.txt out.txt.map.json");
}

TEST_CASE("nothing is written for a history that is refused") {
  const TemporaryFolder folder;
  for (const char* format : {"isopredict", "coo", "cobra"}) {
    const auto report =
        write_history(register_history("0+ wx1; 1+ wx1; 2+ rx1; 3+ ry7"), Workload::kRwRegister,
                      folder / "out", {.target = &target(format), .policy = LossPolicy::kAny});
    REQUIRE_FALSE(report);
    CHECK(report.error().kind == ErrorKind::kUsage);
  }
  CHECK(listing(folder.path()).empty());
}

}  // namespace
}  // namespace elapid
