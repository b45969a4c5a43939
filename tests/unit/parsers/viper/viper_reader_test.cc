#include "parsers/viper/viper_format.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/rows/rows.h"
#include "tests/unit/parsers/rows_summary.h"
#include "tests/unit/parsers/traces/reading.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

Result<History> read_directory(const fs::path& path, const ReadOptions& options = {}) {
  Sources sources(path.string());
  return read_viper(sources, "", options);
}

Result<History> read_sample(const std::string& name) {
  return read_directory(fs::path(ELAPID_TEST_DATA) / "formats/viper" / name);
}

std::string in_short(const Result<History>& parsed) {
  if (!parsed) {
    return parsed.error().to_string();
  }
  const bool is_of_rows = parsed.value().workload() == Workload::kRows;
  return is_of_rows ? rows_summary(parsed.value()) : summary(parsed.value());
}

/// The same of a text.
std::string read_short(const std::string& text, const ReadOptions& options = {}) {
  return in_short(read_text(read_viper, text, "", options));
}

const ReadOptions kAsRegisters = {.workload = Workload::kRwRegister};

std::string line(const std::string& mops) {
  return R"({"value": [)" + mops + "]}\n";
}

TEST_CASE("sessions of Viper are files in the order of their numbers") {
  const auto parsed = read_sample("only-rw");
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(summary(history) == "24 ok [:w 1 101] [:r 2 nil]; 25 ok [:r 1 101]");
  CHECK(parsed.value().workload() == Workload::kRwRegister);
  CHECK(history.info().format == "viper");
  REQUIRE(history.info().files.size() == 2);
  CHECK(history.info().files[1].ends_with("J25.log"));
  CHECK(history.event({1}, EventKind::kCompletion).position == SourcePosition{.file = 1});
  CHECK(history.info().initial.is_nil());
  CHECK(history.info().initial_txn.is_none());
}

TEST_CASE("a transaction marked as initial writes what keys hold first") {
  const auto parsed =
      read_directory(fs::path(ELAPID_TEST_DATA) / "formats/viper/json", kAsRegisters);
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(summary(history) ==
        "-1 ok [:w 1 7] [:w 2 8]; 24 ok [:w 1 101] [:r 2 0]; 24 ok [:w 1 102]; "
        "25 ok [:r 1 101] [:r 1 101]");
  CHECK(history.info().initial_txn == TxnId{0});
  CHECK(history.info().initial.is_none());
  CHECK(history.info().assumptions ==
        std::vector<std::string>{
            "The logs are JSON: the first of them begins so.",
            "The transaction marked as initial is the initial state; keys that it does not mention "
            "hold the usual initial value in it.",
            "Range reads, 1 in all, count as reads of the rows that they returned: that other keys "
            "were absent is not used."});
  CHECK(in_short(read_sample("init")) == "-1 ok [:w 1 7]; 1 ok [:r 1 7]");
  const auto padded = read_text(read_viper, R"({"value":[["w",1,7,true]],"isInitial":true})"
                                            "\n" +
                                                line(R"(["r",1,9,false],["r",5,9,false])"));
  REQUIRE(padded);
  CHECK(summary(padded.value()) == "-1 ok [:w 1 7] [:w 5 nil]; 0 ok [:r 1 9] [:r 5 nil]");
  CHECK(padded.value().info().assumptions.back() ==
        "Reads of values that no recorded transaction wrote, 1 in all, are taken for reads of the "
        "initial state, as Viper takes them.");
}

TEST_CASE("one unwritten value of a register of Viper is the initial one, others are garbage") {
  CHECK(read_short(line(R"(["r",1,5,false],["r",1,77,false],["r",1,5,false],["r",2,6,false])") +
                   line(R"(["r",1,77,false],["w",3,7,true])")) ==
        "0 ok [:r 1 nil] [:r 1 77] [:r 1 nil] [:r 2 nil]; 0 ok [:r 1 77] [:w 3 7]");
  CHECK(read_short(line(R"(["r",1,5,false],["r",2,5,false])") + line(R"(["r",1,0,false])")) ==
        "0 ok [:r 1 5] [:r 2 nil]; 0 ok [:r 1 nil]");
}

TEST_CASE("inserts, deletes and ranges of Viper as registers") {
  const std::string text = line(R"(["i",1,-5,0,true,true,1,2],["d",1,6,-5,false,true,true])") +
                           line(R"(["range",1,"nil",[{"id":1,"val":-5}],[{"val":6,"id":2}],true])");
  CHECK(read_short(text, kAsRegisters) == "0 ok [:w 1 -5] [:w 1 6]; 0 ok [:r 1 -5] [:r 2 nil]");
  const auto parsed = read_text(read_viper, text, "", kAsRegisters);
  REQUIRE(parsed);
  CHECK(parsed.value().info().predicates == 1);
  CHECK(parsed.value().info().tombstones == 1);
}

TEST_CASE("ranges, inserts and deletes make a log of Viper one of rows") {
  CHECK(in_short(read_sample("ext")) == "1 ok [:insert 3 9]; 1 ok [:rp :true {3 9}]");
  CHECK(in_short(read_sample("json")) ==
        "-1 ok [:insert 1 7] [:insert 2 8]; 24 ok [:w 1 101] [:r 2 nil]; "
        "24 ok [:r 1 101] [:w 1 [\"dead\" 102]]; 25 ok [:r 1 101] [:rp [:key 1 5] {1 101}]");
  CHECK(read_short(line(R"(["w",1,5,true],["d",1,6,5,false,true])") +
                   line(R"(["i",1,7,6,true,true],["i",2,8,0,false,true])")) ==
        R"(0 ok [:w 1 5] [:r 1 5] [:w 1 ["dead" 6]]; )"
        R"(0 ok [:r 1 ["dead" 6]] [:w 1 7] [:insert 2 8])");
  CHECK(read_short(line(R"(["r",1,5,true],["w",1,6,true])")) == "0 ok [:r 1 nil] [:w 1 6]");
  CHECK(read_short(line(R"(["w",1,6,true],["r",1,6,false])"), {.workload = Workload::kRows}) ==
        "0 ok [:w 1 6] [:r 1 6]");
  const auto parsed = read_text(read_viper, line(R"(["range",1,2,[],[]])"));
  REQUIRE(parsed);
  CHECK(parsed.value().info().predicates == 0);
  CHECK(parsed.value().info().rows->is_closed());
  CHECK(parsed.value().info().initial_txn.is_none());
}

TEST_CASE("the ends of Viper's ranges are open where they are nil") {
  CHECK(read_short(line(R"(["range",1,2,[],[]],["range","nil",2,[],[]],["range",1,null,[],[]])") +
                   line(R"(["range","nil","nil",[],[],true])")) ==
        "0 ok [:rp [:key 1 2] {}] [:rp [:key -9223372036854775808 2] {}] "
        "[:rp [:key 1 9223372036854775807] {}]; 0 ok [:rp :true {}]");
  CHECK(read_short(line(R"(["range","a",2,[],[]])")) ==
        R"(input:1:21: expected an integer or "nil" as a bound, found `"a"`)");
  CHECK(read_short(line(R"(["range","nil","nil",[{"id":"a","val":4}],[]])")) ==
        R"(-1 ok [:insert "a" 4]; 0 ok [:rp :true {"a" 4}])");
}

TEST_CASE("rows of Viper that hold unwritten values were there at the beginning") {
  const std::string loaded = line(R"(["range",1,9,[{"id":2,"val":77}],[{"id":3,"val":78}]])") +
                             line(R"(["r",4,79,false],["r",5,80,true],["r",6,0,false])") +
                             line(R"(["r",2,77,false],["d",3,5,78,true,true],["w",9,1,true])");
  CHECK(read_short(loaded) ==
        R"(-1 ok [:insert 2 77] [:insert 3 ["dead" 78]] [:insert 4 79] [:insert 5 ["dead" 80]]; )"
        R"(0 ok [:rp [:key 1 9] {2 77 3 ["dead" 78]}]; )"
        R"(0 ok [:r 4 79] [:r 5 ["dead" 80]] [:r 6 nil]; )"
        R"(0 ok [:r 2 77] [:r 3 ["dead" 78]] [:w 3 ["dead" 5]] [:w 9 1])");
  const auto parsed = read_text(read_viper, loaded);
  REQUIRE(parsed);
  CHECK(parsed.value().info().initial_txn == TxnId{0});
  CHECK(
      parsed.value().info().assumptions ==
      std::vector<std::string>{
          "The logs are JSON: the first of them begins so.",
          "Rows with values that were read and that no recorded transaction wrote, 4 in all, were "
          "there at the beginning with these values, as Viper takes them, and a transaction that "
          "is made up tells of them.",
          "Rows that the history does not name did not exist at the beginning; 0 and nil mean that "
          "a row does not exist.",
          "Deletes, 1 in all, leave tombstones in their rows, which ranges return: values such "
          "as [\"dead\" 5]."});
}

TEST_CASE("one unwritten value of a row of Viper is the initial one, others are garbage") {
  CHECK(read_short(line(R"(["r",1,76,false],["r",2,5,false],["r",2,6,false])") +
                   line(R"(["range",1,1,[{"id":1,"val":77}],[]])")) ==
        "-1 ok [:insert 1 77] [:insert 2 5]; 0 ok [:r 1 76] [:r 2 5] [:r 2 6]; "
        "0 ok [:rp [:key 1 1] {1 77}]");
  CHECK(read_short(R"({"value":[["w",1,7,true]],"isInitial":true})"
                   "\n" +
                   line(R"(["r",1,999,false],["range",1,1,[{"id":1,"val":7}],[]])")) ==
        "-1 ok [:insert 1 7]; 0 ok [:r 1 999] [:rp [:key 1 1] {1 7}]");
}

TEST_CASE("a zero that a range of Viper shows is a value") {
  CHECK(
      read_short(line(R"(["r",1,0,false],["r",2,0,false],["range",1,2,[{"id":1,"val":0}],[]])")) ==
      "-1 ok [:insert 1 0]; 0 ok [:r 1 0] [:r 2 nil] [:rp [:key 1 2] {1 0}]");
  CHECK(read_short(line(R"(["w",1,0,true])") + line(R"(["r",1,0,false],["range",3,4,[],[]])")) ==
        "0 ok [:w 1 0]; 0 ok [:r 1 0] [:rp [:key 3 4] {}]");
  CHECK(read_short(line(R"(["r",1,9,false],["range",3,4,[],[]])"), {.initial = "9"}) ==
        "0 ok [:r 1 nil] [:rp [:key 3 4] {}]");
}

TEST_CASE("the initial transaction of Viper tells which rows were there, dead ones too") {
  CHECK(read_short(R"({"value":[["range","nil","nil",[{"id":1,"val":7}],[{"id":2,"val":8}]]],)"
                   R"("isInitial":true})"
                   "\n" +
                   line(R"(["range",1,3,[{"id":1,"val":7}],[{"id":2,"val":8}]],["r",2,8,true])")) ==
        R"(-1 ok [:insert 1 7] [:insert 2 ["dead" 8]]; )"
        R"(0 ok [:rp [:key 1 3] {1 7 2 ["dead" 8]}] [:r 2 ["dead" 8]])");
}

TEST_CASE("what contradicts itself in a range of Viper is told with its place") {
  CHECK(read_short(line("") + line(R"(["range",1,2,[{"id":1,"val":5}],[{"id":1,"val":6}]])")) ==
        "input:2:12: row 1 appears twice in the result");
  CHECK(read_short(line(R"(["w","a",5,true])") + line(R"(["range",1,2,[],[]])")) ==
        "input:2:12: ranges, remainders and limits need integers, but the key also holds other "
        "values");
  CHECK(read_short(R"({"value":[],"isInitial":true})"
                   "\n"
                   R"({"value":[],"isInitial":true})"
                   "\n" +
                       line(R"(["range",1,2,[],[]])"),
                   {.workload = Workload::kRows}) ==
        "input:2:1: expected one initial transaction, found a second one");
}

TEST_CASE("writes that did not succeed are left out") {
  const auto parsed =
      read_text(read_viper, line(R"(["w",1,5,false],["i",1,6,0,true,false],["w",1,7,true])"));
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "0 ok [:w 1 7]");
  CHECK(parsed.value().info().assumptions.back() ==
        "Writes that say they did not succeed, 2 in all, are left out.");
  const auto rows = read_text(read_viper, line(R"(["w",1,5,false],["range",1,2,[],[]])"));
  CHECK(in_short(rows) == "0 ok [:rp [:key 1 2] {}]");
  CHECK(rows.value().info().assumptions.back() ==
        "Writes that say they did not succeed, 1 in all, are left out.");
}

TEST_CASE("an inconsistency within a transaction of Viper is data") {
  CHECK(in_short(read_sample("bad-int")) == "1 ok [:w 1 101] [:r 1 nil]");
}

TEST_CASE("a missing last newline is remarked on") {
  const auto parsed = read_sample("bad-no-newline");
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "24 ok [:w 1 101]");
  CHECK(remarks(parsed.value()) ==
        std::vector<std::string>{"the last line has no newline, and Viper refuses such a file"});
}

TEST_CASE("the initial value of Viper's keys can be given") {
  const auto parsed =
      read_text(read_viper, line(R"(["r",1,0,false],["r",2,9,false])"), "", {.initial = "0"});
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "0 ok [:r 1 0] [:r 2 0]");
  CHECK(parsed.value().info().initial == ValueId::integer(0));
}

TEST_CASE("what is wrong with a line of Viper is said") {
  const auto error = [](const std::string& mop) {
    return outcome(read_viper, line(mop)).substr(std::string("input:1:").size());
  };
  CHECK(outcome(read_viper, "3\n", "json") ==
        "input:1:1: expected an object with an array as \"value\", found `3`");
  CHECK(outcome(read_viper, "{\"value\": 3}\n") ==
        "input:1:11: expected an object with an array as \"value\", found `3`");
  CHECK(outcome(read_viper, "{\"values\": []}\n") ==
        "input:1:1: expected an object with an array as \"value\", found an object");
  CHECK(outcome(read_viper, "{\"value\": []} {}\n") ==
        "input:1:14: expected the end of the line behind the object");
  CHECK(error("3") == R"(12: expected an operation such as ["r", 1, 101, false], found `3`)");
  CHECK(error("[]") == R"(12: expected an operation such as ["r", 1, 101, false], found an array)");
  CHECK(error(R"(["x",1,2,true])") ==
        R"(13: expected r, w, i, d or range as the name of an operation, found `"x"`)");
  CHECK(error(R"(["r",1,2])") == "12: expected 4 elements in an operation `r`, found 3");
  CHECK(error(R"(["w",1,2,true,1])") == "12: expected 4 elements in an operation `w`, found 5");
  CHECK(error(R"(["i",1,2,true])") == "12: expected 6 to 8 elements in an operation `i`, found 4");
  CHECK(error(R"(["range",1,2,[]])") ==
        "12: expected 5 to 6 elements in an operation `range`, found 4");
  CHECK(error(R"(["w",1,2,0])") == "21: expected true or false, found `0`");
  CHECK(error(R"(["d",1,2,3,false,false])") == "29: expected a delete that succeeded, found false");
  CHECK(error(R"(["w",1,[2],true])") ==
        "19: expected a number or a string as key and value, found an array");
  CHECK(error(R"(["range",1,2,3,[]])") == "25: expected an array of rows, found `3`");
  CHECK(error(R"(["range",1,2,[{"id":3}],[]])") ==
        R"(26: expected a row with "id" and "val", found an object)");
  CHECK(error(R"(["range",1,2,[{"id":3,"val":1}],[]])") ==
        "32: expected a row between `1` and `2`, found `3`");
}

TEST_CASE("an initial transaction of Viper only writes, and is one alone") {
  const auto initial = [](const std::string& mops) {
    return R"({"isInitial": true, "value": [)" + mops + "]}\n";
  };
  CHECK(outcome(read_viper, initial(R"(["r",1,2,false])")) ==
        R"(input:1:32: expected only writes in an initial transaction, found `"r"`)");
  CHECK(outcome(read_viper, initial(R"(["range",1,2,[],[]])")) ==
        R"(input:1:32: expected only writes in an initial transaction, found `"range"`)");
  CHECK(
      outcome(read_viper, initial(R"(["w",1,2,false])")) ==
      R"(input:1:32: expected only writes that succeeded in an initial transaction, found `"w"`)");
  CHECK(outcome(read_viper, initial("") + initial("")) ==
        "input:2:1: expected one initial transaction, found a second one");
}

TEST_CASE("Viper's EDN has registers and lists") {
  CHECK(in_short(read_sample("edn")) == "1 ok [:w 1 101] [:r 2 nil]");
  const std::string registers =
      "{:process 4 :type :ok :f :txn :value [[:w 1 101 nil] [:i \"k\" 5 0 true] [:r 1 [] true]]}\n"
      "{:value ([:r 1 77]) :type :ok}";
  CHECK(read_short(registers, kAsRegisters) ==
        R"(4 ok [:w 1 101] [:w "k" 5] [:r 1 nil]; 0 ok [:r 1 77])");
  CHECK(read_short(registers) ==
        R"(-1 ok [:insert 1 77]; 4 ok [:w 1 101] [:insert "k" 5] [:r 1 nil]; 0 ok [:r 1 77])");
  const std::string lists =
      "{:type :ok :f :txn :value [[:append 1 5] [:r 1 [4 5]] [:r 2 nil] [:r 2 []]] :process 1}";
  CHECK(outcome(read_viper, lists) == "1 ok [:append 1 5] [:r 1 (4 5)] [:r 2 ()] [:r 2 ()]");
  CHECK(read_text(read_viper, lists).value().workload() == Workload::kListAppend);
}

TEST_CASE("Viper's EDN has ranges, inserts and deletes") {
  const std::string text =
      "{:type :ok :f :txn :value [[:w 1 5 nil] [:d 1 6 5 false true] [:i 1 7 6 true true]]}\n"
      "{:type :ok :f :txn :value [[:range 1 9 [{:id 1, :sk 1, :val 7}] [{:id 2 :val 8}]]\n"
      "  [:range nil nil [] [] true] [:r 3 nil false]]}\n";
  CHECK(read_short(text) ==
        R"(-1 ok [:insert 2 ["dead" 8]]; )"
        R"(0 ok [:w 1 5] [:r 1 5] [:w 1 ["dead" 6]] [:r 1 ["dead" 6]] [:w 1 7]; )"
        R"(0 ok [:rp [:key 1 9] {1 7 2 ["dead" 8]}] [:rp :true {}] [:r 3 nil])");
  CHECK(read_short(text, kAsRegisters) ==
        "0 ok [:w 1 5] [:w 1 6] [:w 1 7]; 0 ok [:r 1 7] [:r 2 nil] [:r 3 nil]");
  const auto error = [](const std::string& mop) {
    return read_short("{:type :ok :value [" + mop + "]}").substr(std::string("input:1:").size());
  };
  const std::string range =
      "20: expected a range such as [:range 1 9 [{:id 1, :val 5}] []], whose bounds are integers "
      "or nil";
  CHECK(error("[:range 1 9 []]") == range);
  CHECK(error("[:range :a 9 [] []]") == range);
  CHECK(error("[:range 1 9 5 []]") == range);
  CHECK(error("[:range 1 9 [{:id 3}] []]") ==
        "20: expected a row with :id and :val, found {:id 3}");
  CHECK(error("[:range 1 9 [5] []]") == "20: expected a row with :id and :val, found 5");
  CHECK(error("[:range 1 9 [{:id 10 :val 4}] []]") ==
        "20: expected a row between 1 and 9, found 10");
  CHECK(error("[:range 1 9 [] []] [:append 1 2]").find("found :append with 2 arguments") !=
        std::string::npos);
  CHECK(error("[:d 1 2]").find("found :d with 2 arguments") != std::string::npos);
  CHECK(error("[:range 1 9 [] [] [}]").starts_with("39: "));
}

TEST_CASE("what is wrong with Viper's EDN is said") {
  const auto error = [](const std::string& text) {
    return outcome(read_viper, text, "edn").substr(std::string("input:1:").size());
  };
  CHECK(error("5") == "1: expected an operation map, found `5`");
  CHECK(error("{:type :ok}") == "11: expected a :value in this map, found `}`");
  CHECK(error("{:type :info}") ==
        "8: expected :ok as :type, since Viper records only committed transactions, found `:info`");
  CHECK(error("{:type}") == "7: expected a value for the map's last key, found `}`");
  CHECK(error("{:value 5}") == "9: expected a vector of micro-operations, found `5`");
  CHECK(error("{:value [5]}") ==
        "10: expected a micro-operation such as [:r 1 nil false], found `5`");
  CHECK(error("{:value [[:x 1 2]]}") ==
        "11: expected :r, :w, :i, :d, :range or :append, found `:x`");
  CHECK(error("{:value [[:r]]}") == "13: expected a key, found `]`");
  CHECK(error("{:value [[:w 1]]}") == "15: expected a value, found `]`");
  CHECK(error("{:value [[:w {1} 1]]}").starts_with("14: "));
}

TEST_CASE("the dialect of Viper's logs can be asked for") {
  CHECK(outcome(read_viper, line(""), "json") == "0 ok");
  CHECK_FALSE(read_text(read_viper, line(""), "edn"));
  CHECK(read_text(read_viper, "{:value []}", "edn").value().info().assumptions.front() ==
        "The logs are EDN, as asked for.");
}

TEST_CASE("a directory without logs of Viper is an error that says so") {
  const auto parsed = read_directory(fs::path(ELAPID_TEST_DATA) / "models");
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().kind == ErrorKind::kUnreadable);
}

TEST_CASE("Viper's logs cut anywhere are an error or the whole lines before the cut") {
  check_cuts(read_viper, line(R"(["w",1,101,true],["r",2,0,false])") + line(R"(["w",1,102,true])") +
                             line(R"(["r",1,102,false])"));
  check_cuts(read_viper, line(R"(["range",1,5,[],[]],["w",1,101,true],["r",2,0,false])") +
                             line(R"(["d",1,102,101,false,true])") +
                             line(R"(["range",1,5,[{"id":1,"val":101}],[]])"));
}

TEST_CASE("a log of Viper's own runs has the documented counts") {
  const fs::path run =
      fs::path(ELAPID_SHARED) / "corpus/veristrong/history/fig11/si/viper/1000/json";
  if (!fs::exists(run)) {
    WARN("skipped: there is no " << run);
    return;
  }
  const auto parsed = read_directory(run);
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(history.session_count() == 24);
  CHECK(history.txn_count() == 962);
  CHECK(std::ranges::count_if(history.all_ops(), &Op::is_read) == 3976);
  CHECK(std::ranges::count_if(history.all_ops(), &Op::is_write) == 3720);
  CHECK(history.info().remarks.empty());
}

}  // namespace
}  // namespace elapid
