// What the files of each format look like.
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "harness/sketch/tiny_history.h"
#include "tests/unit/parsers/convert/written.h"

namespace elapid {
namespace {

std::string registers(const std::string& format) {
  return written(register_history("0+ wx1 ry_; 1+ rx1 wy2; 0- wx3"), Workload::kRwRegister, format);
}

std::string lists(const std::string& format) {
  return written(list_history("0+ ax1 ry; 1+ rx1 ax2; 0+ rx12"), Workload::kListAppend, format);
}

/// Bytes in hexadecimal.
std::string hex(const std::string& bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
  return out;
}

TEST_CASE("every format in the table has a writer of the right kind, and a name of its own") {
  std::set<std::string> names;
  for (const Target& target : targets()) {
    INFO(text(target));
    CHECK((target.write_file != nullptr) == !target.is_directory());
    CHECK(names.insert(text(target)).second);
    CHECK(find_format(text(target)) == FormatName{target.format, std::string(target.dialect)});
  }
}

TEST_CASE("a name tells a format where its extension belongs to one alone") {
  const auto format_of = [](std::string_view path) {
    const Target* target = target_of_extension(path);
    return target == nullptr ? std::string("?") : text(*target);
  };
  CHECK(format_of("a/b.edn") == "edn");
  CHECK(format_of("b.jsonl") == "jsonl");
  CHECK(format_of("history.bincode") == "dbcop:bincode");
  CHECK(format_of("x.hist") == "dbcop:hist");
  CHECK(format_of("logs.cobra") == "cobra:plain");
  CHECK(format_of("x.json") == "?");
  CHECK(format_of("x.txt") == "?");
  CHECK(format_of("x") == "?");
  CHECK(format_of("-") == "?");
}

TEST_CASE("a history as EDN") {
  CHECK(written(list_history("0+ ax1 ry; 1> rx_; 1? rx_"), Workload::kListAppend, "edn") ==
        "{:index 0, :type :invoke, :process 0, :f :txn, :value [[:append :x 1] [:r :y nil]]}\n"
        "{:index 1, :type :ok, :process 0, :f :txn, :value [[:append :x 1] [:r :y []]]}\n"
        "{:index 2, :type :invoke, :process 1, :f :txn, :value [[:r :x nil]]}\n"
        "{:index 3, :type :info, :process 1, :f :txn, :value [[:r :x nil]]}\n");
}

TEST_CASE("JSON and JSON lines") {
  const std::string lines =
      R"({"index": 0, "type": "invoke", "process": 0, "f": "txn", "value": [["w", "x", 1], ["r", "y", null]]}
{"index": 1, "type": "ok", "process": 0, "f": "txn", "value": [["w", "x", 1], ["r", "y", null]]}
)";
  const History history = register_history("0+ wx1 ry_");
  CHECK(written(history, Workload::kRwRegister, "jsonl") == lines);
  CHECK(written(history, Workload::kRwRegister, "json") ==
        '[' + lines.substr(0, lines.find('\n')) + ",\n " +
            lines.substr(lines.find('\n') + 1, lines.size() - lines.find('\n') - 2) + "]\n");
}

TEST_CASE("operation lines of PolySI, Plume and IsoVista") {
  CHECK(registers("polysi:text") == "w(1,1,0,0)\nr(2,0,0,0)\nr(1,1,1,1)\nw(2,2,1,1)\n");
  CHECK(registers("plume") == "w(1,1,0,0)\nr(2,0,0,0)\nr(1,1,1,1)\nw(2,2,1,1)\nw(1,3,0,-1)\n");
  CHECK(registers("rw-text") == registers("plume"));
  CHECK(registers("isovista") ==
        "w(1,0,0,0)\nw(2,0,0,0)\nw(1,1,1,1)\nr(2,0,1,1)\nr(1,1,2,2)\nw(2,2,2,2)\n");
}

TEST_CASE("AWDIT's test files") {
  CHECK(registers("awdit") == "w 1 0\nw 2 0\n=\nw 1 1\nr 2 0\n=\nr 1 1\nw 2 2\n");
}

TEST_CASE("dbcop's three forms") {
  CHECK(registers("dbcop:hist") == "[1:=1 2==?]\n[1:=3]!\n---\n[1==1 2:=2]\n");
  CHECK(
      registers("dbcop:json") ==
      R"({"params":{"id":0,"n_node":2,"n_variable":2,"n_transaction":3,"n_event":5},"info":"written by elapid","start":"2000-01-01T00:00:00.000000000+00:00","end":"2000-01-01T00:00:00.000000000+00:00","data":[
[{"events":[["w",1,1],["r",2,null]],"committed":true},
{"events":[["w",1,3]],"committed":false}],
[{"events":[["r",1,1],["w",2,2]],"committed":true}]]}
)");
  const std::string bincode = hex(registers("dbcop:bincode"));
  CHECK(
      bincode.starts_with("0000000000000000"
                          "0200000000000000"
                          "0200000000000000"
                          "0300000000000000"
                          "0500000000000000"
                          "1100000000000000"));
  CHECK(
      bincode.ends_with("0200000000000000"  // two sessions, the first of two transactions
                        "0200000000000000"
                        "0200000000000000"  // of two events
                        "01"
                        "0100000000000000"
                        "0100000000000000"
                        "01"
                        "00"
                        "0200000000000000"
                        "0000000000000000"
                        "01"
                        "01"
                        "0100000000000000"  // and one, aborted
                        "01"
                        "0100000000000000"
                        "0300000000000000"
                        "01"
                        "00"
                        "0100000000000000"
                        "0200000000000000"
                        "00"
                        "0100000000000000"
                        "0100000000000000"
                        "01"
                        "01"
                        "0200000000000000"
                        "0200000000000000"
                        "01"
                        "01"));
}

TEST_CASE("TimeKiller's registers and lists") {
  CHECK(
      registers("timekiller") ==
      R"([{"tid": 1, "sid": 0, "sts": {"p": 1, "l": 0}, "cts": {"p": 2, "l": 0}, "ops": [{"t": "w", "k": 1, "v": 1}, {"t": "r", "k": 2, "v": null}]},
 {"tid": 2, "sid": 1, "sts": {"p": 3, "l": 0}, "cts": {"p": 4, "l": 0}, "ops": [{"t": "r", "k": 1, "v": 1}, {"t": "w", "k": 2, "v": 2}]}]
)");
  CHECK(lists("timekiller").find(R"({"t": "a", "k": 1, "v": 2}]})") != std::string::npos);
  CHECK(lists("timekiller").find(R"([{"t": "r", "k": 1, "v": [1, 2]}])") != std::string::npos);
}

TEST_CASE("lists of VeriStrong and PolySI") {
  CHECK(lists("veristrong-elle") ==
        "5\n0 1 A 1 1\n0 1 R 2 0\n1 2 R 1 1 1\n1 2 A 1 2\n0 3 R 1 2 1 2\n");
  CHECK(lists("polysi:elle") ==
        "{:type :ok, :f :txn, :value [[:append 1 1] [:r 2 []]], :process 0, :index 0}\n"
        "{:type :ok, :f :txn, :value [[:r 1 [1]] [:append 1 2]], :process 1, :index 1}\n"
        "{:type :ok, :f :txn, :value [[:r 1 [1 2]]], :process 0, :index 2}\n");
}

TEST_CASE("a schedule says what an order alone can say") {
  CHECK(registers("coo") == "W0a R0b C0 R1a W1b C1 W2a A2\n");
  CHECK(written(register_history("0+ wx1; 1+ rx_"), Workload::kRwRegister, "coo")
            .starts_with("error: a read of nil from key :x does not see the latest write"));
}

TEST_CASE("transactions that have nothing to do with one another go into several schedules") {
  std::string text;
  std::string lines;
  for (int pair = 0; pair < 6; ++pair) {
    const std::string key(1, static_cast<char>('k' + pair));
    text += (pair == 0 ? "" : "; ") + std::to_string(2 * pair) + "+ w" + key + "1; " +
            std::to_string(2 * pair + 1) + "+ r" + key + "1";
    lines += "W0a C0 R1a C1\n";
  }
  CHECK(written(register_history(text), Workload::kRwRegister, "coo") == lines);
  std::string related;
  for (int txn = 0; txn < 11; ++txn) {
    related += (txn == 0 ? "" : "; ") + std::to_string(txn) + "+ rx_";
  }
  CHECK(written(register_history(related), Workload::kRwRegister, "coo") ==
        "error: a schedule has no more than 10 transactions and 26 keys, and more of these belong "
        "together");
}

TEST_CASE("Knossos's and Porcupine's single operations") {
  const auto edn = [](const char* text) {
    return written(register_history(text), Workload::kRwRegister, "knossos");
  };
  const auto etcd = [](const char* text) {
    return written(register_history(text), Workload::kRwRegister, "porcupine:etcd");
  };
  CHECK(edn("0+ wx1; 1+ rx1 wx2; 1? rx_ wx3; 2- rx_") ==
        "{:process 0, :type :invoke, :f :write, :value 1, :index 0}\n"
        "{:process 0, :type :ok, :f :write, :value 1, :index 1}\n"
        "{:process 1, :type :invoke, :f :cas, :value [1 2], :index 2}\n"
        "{:process 1, :type :ok, :f :cas, :value [1 2], :index 3}\n"
        "{:process 1, :type :invoke, :f :write, :value 3, :index 4}\n"
        "{:process 1, :type :info, :f :write, :value 3, :index 5}\n"
        "{:process 2, :type :invoke, :f :read, :value nil, :index 6}\n"
        "{:process 2, :type :fail, :f :read, :value nil, :index 7}\n");
  CHECK(etcd("0+ rx_; 0+ wx1; 1+ rx1 wx2; 2? wx3; 3- rx_") ==
        "INFO  jepsen.util - 0\t:invoke\t:read\tnil\n"
        "INFO  jepsen.util - 0\t:ok\t:read\tnil\n"
        "INFO  jepsen.util - 0\t:invoke\t:write\t1\n"
        "INFO  jepsen.util - 0\t:ok\t:write\t1\n"
        "INFO  jepsen.util - 1\t:invoke\t:cas\t[1 2]\n"
        "INFO  jepsen.util - 1\t:ok\t:cas\t[1 2]\n"
        "INFO  jepsen.util - 2\t:invoke\t:write\t3\n"
        "INFO  jepsen.util - 2\t:info\t:write\t:timed-out\n"
        "INFO  jepsen.util - 3\t:invoke\t:read\tnil\n"
        "INFO  jepsen.util - 3\t:fail\t:read\t:timed-out\n");
  CHECK(edn("0+ wx1 wx2") ==
        "error: a transaction of 2 operations: knossos holds single reads, writes and "
        "compare-and-sets");
  CHECK(edn("0+ wx1; 1+ wy1") ==
        "error: knossos holds one register, and this is a history of several: :x and :y");
  CHECK(edn("0+ rx_ wx1").find(":cas, :value [nil 1]") != std::string::npos);
  CHECK(etcd("0+ rx_ wx1") ==
        "error: a compare-and-set of nil: porcupine:etcd has those of numbers only");
}

TEST_CASE("Viper's EDN") {
  const TemporaryFolder folder;
  const auto write = [&](const History& history, Workload workload, const char* name) {
    REQUIRE(write_history(history, workload, folder / name,
                          {.target = &target("viper:edn"), .policy = LossPolicy::kAny}));
  };
  write(register_history("0+ wx1 ry_; 1+ rx1"), Workload::kRwRegister, "registers");
  CHECK(listing(folder / "registers") == "Jep0.log Jep1.log");
  CHECK(content_of(folder / "registers/Jep0.log") ==
        "{:type :ok, :f :txn, :value [[:w 1 1 nil] [:r 2 nil false]], :process 0}\n");
  write(list_history("0+ ax1 ry; 0+ rx1"), Workload::kListAppend, "lists");
  CHECK(content_of(folder / "lists/Jep0.log") ==
        "{:type :ok, :f :txn, :value [[:append 1 1] [:r 2 []]], :process 0}\n"
        "{:type :ok, :f :txn, :value [[:r 1 [1]]], :process 0}\n");
}

TEST_CASE("Cobra's debug files tell of aborted transactions, and its times of their order") {
  const TemporaryFolder folder;
  const History history = register_history("0+ wx1; 0- wx2; 1+ rx2; 2- wx3");
  const auto write = [&](const char* format) {
    return write_history(history, Workload::kRwRegister, folder / format,
                         {.target = &target(format), .policy = LossPolicy::kHarmless});
  };
  REQUIRE(write("cobra:plain"));
  CHECK(listing(folder / "cobra:plain") == "T0.debug T0.log T1.log T2.debug T2.log");
  CHECK(content_of(folder / "cobra:plain/T0.debug") ==
        "[DEBUG] Txn[1] start\n[DEBUG] Txn[1] try to commit\n[DEBUG] Txn[1] successfully "
        "commit\n[DEBUG] Txn[3] start\n[DEBUG] Txn[3] abort\n");
  CHECK(hex(content_of(folder / "cobra:plain/T1.log")).substr(18, 18) == "520000000000000003");
  CHECK(content_of(folder / "cobra:plain/T2.log").empty());
  CHECK(!write("cobra:universal"));
  REQUIRE(write("cobra:timestamps"));
  CHECK(hex(content_of(folder / "cobra:timestamps/T1.log"))
            .starts_with("53"
                         "0000000000000002"
                         "0000000000000003"
                         "52"));
  CHECK(hex(content_of(folder / "cobra:timestamps/T1.log"))
            .ends_with("43"
                       "0000000000000002"
                       "0000000000000004"));
}

TEST_CASE("MonkeyDB's reads name their writers") {
  CHECK(registers("isopredict") ==
        "WRITE KEY[:x] Txn(1, 0)\nREAD KEY[:y] Txn(1, 0) From(0, 0)\n"
        "READ KEY[:x] Txn(2, 0) From(1, 0)\nWRITE KEY[:y] Txn(2, 0)\n");
  const auto refused = [](const char* text) {
    return written(register_history(text), Workload::kRwRegister, "isopredict");
  };
  CHECK(refused("0+ wx1 wx2; 1+ rx1") ==
        "error: a read of 1 from key :x that its writer overwrote: reads name transactions");
  CHECK(refused("0- wx1; 1+ rx1") == "error: a read of 1 from key :x, whose writer is not written");
  CHECK(refused("0+ wx1; 1+ wx2 rx1") ==
        "error: a read of 1 from key :x, behind a write of something else by the same transaction");
  CHECK(refused("0+ wx1 rx1") == "WRITE KEY[:x] Txn(1, 0)\n");
}

TEST_CASE("Cobra's logs and Viper's") {
  const TemporaryFolder folder;
  const History history = register_history("0+ wx1 ry_; 1+ rx1 rx9");
  const auto write = [&](const char* format) {
    return write_history(history, Workload::kRwRegister, folder / format,
                         {.target = &target(format), .policy = LossPolicy::kAny});
  };
  REQUIRE(write("cobra:plain"));
  REQUIRE(write("cobra:universal"));
  REQUIRE(write("viper:json"));
  CHECK(listing(folder / "cobra:plain") == "T0.log T1.log");
  CHECK(hex(content_of(folder / "cobra:plain/T0.log")) ==
        "53"
        "0000000000000001"
        "57"
        "0000000000000001"
        "0000000000000001"
        "0000000000000001"
        "52"
        "00000000bebeebee"
        "00000000bebeebee"
        "0000000000000002"
        "0000000000000000"
        "43"
        "0000000000000001");
  CHECK(hex(content_of(folder / "cobra:plain/T1.log")) ==
        "53"
        "0000000000000002"
        "52"
        "0000000000000001"
        "0000000000000001"
        "0000000000000001"
        "0000000000000001"
        "52"
        "0000000000000003"
        "0000000000000009"
        "0000000000000001"
        "0000000000000009"
        "43"
        "0000000000000002");
  CHECK(hex(content_of(folder / "cobra:universal/T0.log")).substr(18, 50) ==
        "57"
        "00000000abddefee"
        "0000000000000001"
        "0000000000000001");
  CHECK(listing(folder / "viper:json") == "J0.log J1.log");
  CHECK(content_of(folder / "viper:json/J0.log") ==
        "{\"value\": [[\"w\", 1, 1, true], [\"r\", 2, 0, false]]}\n");
}

}  // namespace
}  // namespace elapid
