#include "parsers/jepsen/edn_format.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/parsers/summary.h"

namespace elapid {
namespace {

Result<History> read(const std::string& text, const ReadOptions& options = {}) {
  const auto source = memory_source("h.edn", text);
  return read_edn_history(*source, options);
}

/// The transactions, or the error.
std::string summary(const Result<History>& result) {
  return result ? summary(result.value()) : result.error().to_string();
}

std::string summary(const std::string& text, const ReadOptions& options = {}) {
  return summary(read(text, options));
}

const std::string kSample =
    "{:index 0, :time 10, :type :invoke, :process 0, :f :txn, :value [[:append 1 4] [:r 1 nil]]}\n"
    "{:index 1, :time 20, :type :info, :process :nemesis, :f :start, :value {:n [#{1} \"}\"]}}\n"
    "{:index 2, :time 30, :type :ok, :process 0, :f :txn, :value [[:append 1 4] [:r 1 [4]]]}\n";

TEST_CASE("a history of one map a line is read") {
  const auto result = read(kSample);
  CHECK(summary(result) == "0 ok [:append 1 4] [:r 1 (4)]");
  const History& history = result.value();
  CHECK(result.value().workload() == Workload::kListAppend);
  CHECK(history.info().format == "edn");
  CHECK(history.info().files == std::vector<std::string>{"h.edn"});
  CHECK(history.info().event_count == 3);
  CHECK(history.info().source_bytes == kSample.size());
  CHECK(history.info().remarks.empty());
  CHECK(history.info().assumptions ==
        std::vector<std::string>{"The workload is list-append: something is appended."});
  CHECK(history.event(TxnId{0}, EventKind::kCompletion).position.offset ==
        kSample.rfind("{:index 2"));
}

TEST_CASE("one vector or list of maps is read") {
  CHECK(summary('[' + kSample + ']') == summary(kSample));
  CHECK(summary("; a comment\n(" + kSample + ") ; the end") == summary(kSample));
  CHECK(summary('[' + kSample + "] 1") ==
        "h.edn:4:3: expected the end of the input behind the vector of operations, found `1`");
}

TEST_CASE("the order of keys does not matter") {
  std::vector<std::string> entries = {":index 0",   ":time 5", ":type :ok",
                                      ":process 3", ":f :txn", ":value [[:w :x 1] [:r :x 1]]"};
  std::sort(entries.begin(), entries.end());
  do {
    std::string map = "{";
    for (const std::string& entry : entries) {
      map += entry + ", ";
    }
    REQUIRE(summary(map + '}') == "3 ok [:w :x 1] [:r :x 1]");
  } while (std::next_permutation(entries.begin(), entries.end()));
}

TEST_CASE("records and discarded maps are understood") {
  CHECK(summary("(#jepsen.history.Op{:type :invoke :process 0 :value [[:w 1 2]]} #_{:x}\n"
                "#jepsen.history.Op {:type :ok :process 0 :value ^:m ([:w 1 2])})") ==
        "0 ok [:w 1 2]");
}

TEST_CASE("the workload is that of the first write or else of the reads") {
  const auto workload = [](const std::string& text) { return read(text).value().workload(); };
  const std::string ok = "{:type :ok :process 0 :value ";
  CHECK(workload(ok + "[[:r 1 [2]] [:w 1 2]]}") == Workload::kRwRegister);
  CHECK(workload(ok + "[[:r 1]]}" + ok + "[[:append 1 2]]}") == Workload::kListAppend);
  CHECK(workload(ok + "[[:r 1 [2]]]}") == Workload::kListAppend);
  CHECK(workload(ok + "[[:r 1 2]]}") == Workload::kRwRegister);
  CHECK(workload(ok + "[[:cas 1 2]]}") == Workload::kOther);
  CHECK(workload("{:type :info :process :nemesis :value [[:append 1 2]]}" + ok + "[[:w 1 2]]}") ==
        Workload::kRwRegister);
}

TEST_CASE("a given workload decides what a read value is") {
  const std::string text = "{:type :ok :process 0 :value [[:r 1 [2 3]] [:r 2]]}";
  CHECK(summary(text, {.workload = Workload::kRwRegister}) == "0 ok [:r 1 [2 3]] [:r 2 nil]");
  CHECK(summary(text, {.workload = Workload::kListAppend}) == "0 ok [:r 1 (2 3)] [:r 2 nil]");
}

TEST_CASE("keys and values may be anything") {
  CHECK(summary("{:type :ok :process 0 :value [[:w \"k\" {:b 1 :a 2}] [:w (1) 1N] [:w 2/4 \\a]\n"
                " [:w 99999999999 -99999999999999999999] [:w nil 1.50M]]}") ==
        "0 ok [:w \"k\" {:a 2 :b 1}] [:w [1] 1] [:w 1/2 \\a] "
        "[:w 99999999999 -99999999999999999999N] [:w nil 1.5M]");
}

TEST_CASE("micro-operations of other workloads keep their names for Elle") {
  CHECK(summary("{:type :ok :process 0 :value [[:append 1 2] [:send :k [3 {}]] [:poll]]}",
                {.elle_compat = true}) == "0 ok [:append 1 2] [:send :k] [:poll nil]");
}

TEST_CASE("operations that the workload does not know are refused with their place") {
  const std::string ok = "{:type :ok :process 0 :value ";
  const std::string lists = "expected operations of list-append, `append` and `r`, found ";
  const std::string registers = "expected operations of rw-register, `w` and `r`, found ";
  CHECK(summary(ok + "[[:append 1 2]]}\n" + ok + "[[:append 1 3] [:put 1 2]]}") ==
        "h.edn:2:46: " + lists + "`put`");
  CHECK(summary(ok + "[[:append 1 2]]}\n" + ok + "[[:r 1] [:w 1 2] [:put 1 2]]}") ==
        "h.edn:2:39: " + lists + "`w`");
  CHECK(summary(ok + "[[:w 1 2] [:append 1 2]]}") == "h.edn:1:32: " + lists + "`w`");
  CHECK(summary(ok + "[[:w 1 2]]}\n" + "{:type :invoke :process 1 :value [[:inc 1]]}") ==
        "h.edn:2:36: " + registers + "`inc`");
  CHECK(summary(ok + "[[:w 1 2]]}\n" + "{:type :ok :process 1 :f :check :value 5}") ==
        "h.edn:2:1: " + registers + "`check`");
  const auto linted = read(ok + "[[:w 1 2]]}\n" + ok + "[[:put 1 2]]}\n" + ok + "[[:put 1 3]]}",
                           {.for_lint = true});
  REQUIRE(linted);
  CHECK(std::ranges::count(linted.value().info().remarks, Remark::Kind::kUnknownOperation,
                           &Remark::kind) == 2);
}

TEST_CASE("a client's operation whose process is no integer is refused") {
  const std::string ok = "{:type :ok :process 0 :f :txn :value [[:w 1 2]]}\n";
  const std::string message =
      ": expected an integer as the process of a client's operation, found ";
  CHECK(summary(ok + "{:type :ok :process :c1 :value [[:w 1 3]]}") ==
        "h.edn:2:1" + message + "`c1`");
  CHECK(summary("{:type :ok :process \"c1\" :f :txn :value nil}" + ok) ==
        "h.edn:1:1" + message + "`c1`");
  CHECK(summary(ok + "{:type :ok :process 1.5 :f :txn}") ==
        "h.edn:2:1" + message + "something else");
  CHECK(summary(ok + "{:type :info :process :chaos :f :kill :value [[\"n1\"]]}") ==
        "0 ok [:w 1 2]");
  CHECK(summary(ok + "{:type :info :process :nemesis :f :txn :value [[:w 1 3]]}") ==
        "0 ok [:w 1 2]");
}

TEST_CASE("initial contents of rows by a process that is no integer are refused in each form") {
  const std::string read = "{:type :ok :process 0 :f :txn :value [[:rp :true {7 1}]]}\n";
  for (const std::string value : {"{7 1}", "[[:insert 7 1]]"}) {
    CHECK(summary("{:type :ok :process :setup :f :init :value " + value + "}\n" + read) ==
          "h.edn:1:1: expected an integer as the process of a client's operation, found `setup`");
  }
}

TEST_CASE("independent keys have no operations of processes with names either") {
  const auto source = memory_source("h.edn",
                                    "{:type :ok :process 0 :value [1 [[:w 1 2]]]}\n{:type :ok "
                                    ":process :c1 :value [1 [[:w 1 3]]]}\n");
  const auto parts = read_independent_edn(*source, {.independent = true});
  REQUIRE_FALSE(parts);
  CHECK(parts.error().to_string() ==
        "h.edn:2:1: expected an integer as the process of a client's operation, found `c1`");
}

TEST_CASE("what is not a client's is counted and skipped whatever its value") {
  const std::string deep = std::string(5000, '[') + std::string(5000, ']');
  for (const std::string& value :
       {std::string("5"), std::string("[1 2]"), std::string("[[:r]]"), std::string("[[:w 1]]"),
        std::string("[[:r {:a 1 :a 2} nil]]"), std::string("{:odd}"), deep, "[[:r " + deep + "]]",
        std::string("[[\"n1\" \"n2\"] [\"n3\"]]"), std::string("#object[x 0x1 \"y\"]"),
        std::string("[[:r 1 2 3]]"), std::string("[#a [:r 1]]"), std::string("#inst \"x\""),
        std::string("#\"[{\\\"\"")}) {
    INFO(value.substr(0, 40));
    const auto result =
        read("{:value " + value + " :type :info :process :nemesis}\n" + kSample.substr(0, 0) +
             "{:type :ok :process 0 :value [[:append 1 2]]}");
    CHECK(summary(result) == "0 ok [:append 1 2]");
  }
}

/// `time process f value` of each event of a nemesis, a line each.
std::string nemesis_summary(const History& history) {
  std::string lines;
  for (const NemesisEvent& event : history.info().nemesis->events) {
    lines += (event.time ? std::to_string(*event.time) : "-") + ' ' + event.process + ' ' +
             event.f + ' ' + event.value + '\n';
  }
  return lines;
}

TEST_CASE("what a nemesis does is kept, whatever the order of its keys") {
  const std::string ok = "{:type :ok :process 0 :value [[:append 1 2]]}";
  const auto result =
      read("{:type :info, :f :kill, :value #{\"n2\" \"n1\"}, :process :nemesis, :time 7}\n" + ok +
           "{:process :nemesis, :type :info, :f :start-partition,\n"
           " :value [:isolated {\"n1\" #{\"n2\"}}]}\n"
           "{:process \"chaos\", :type :info, :f nil, :value nil, :time 9}\n"
           "{:process :nemesis, :type :info, :f :odd, :value [[:r {:a 1 :a 2}]]}\n");
  REQUIRE(result);
  CHECK(nemesis_summary(result.value()) ==
        "7 nemesis kill #{\"n1\" \"n2\"}\n"
        "- nemesis start-partition [:isolated {\"n1\" #{\"n2\"}}]\n"
        "9 chaos  \n"
        "- nemesis odd …\n");
  CHECK(result.value().info().nemesis->events[1].offset == 73 + ok.size());
  CHECK(read(ok).value().info().nemesis == nullptr);
}

TEST_CASE("of a nemesis without end the beginning is kept, and of its long values") {
  std::string text;
  for (std::size_t i = 0; i < NemesisLog::kMaxEvents + 3; ++i) {
    text += "{:type :info :process :nemesis :f :kill :value " + std::to_string(i) + "}\n";
  }
  const auto result = read("{:type :info :process :nemesis :value \"" + std::string(300, 'x') +
                           "\"}\n" + text + "{:type :ok :process 0 :value [[:append 1 2]]}");
  REQUIRE(result);
  const NemesisLog& nemesis = *result.value().info().nemesis;
  CHECK(nemesis.count == NemesisLog::kMaxEvents + 4);
  CHECK(nemesis.events.size() == NemesisLog::kMaxEvents);
  CHECK(nemesis.events.front().value.size() == NemesisLog::kMaxText);
  CHECK(nemesis.events.front().value.ends_with("x…"));
}

TEST_CASE("a nemesis hurts all independent keys") {
  const std::string text =
      "{:type :info :process :nemesis :f :kill :value [\"n1\" 2]}\n"
      "{:type :ok :process 0 :value [1 [[:append 1 2]]]}\n"
      "{:type :ok :process 0 :value [2 [[:append 1 2]]]}\n"
      "{:type :info :process :nemesis :f :heal :value :all}\n";
  const auto source = memory_source("h.edn", text);
  const auto parts = read_independent_edn(*source, {.independent = true});
  REQUIRE(parts);
  REQUIRE(parts.value().size() == 2);
  for (const IndependentHistory& part : parts.value()) {
    CHECK(part.history.info().event_count == 1);
    CHECK(nemesis_summary(part.history) == "- nemesis kill [\"n1\" 2]\n- nemesis heal :all\n");
  }
}

TEST_CASE("a client's value must be made of micro-operations") {
  const auto error = [](const std::string& value) {
    return summary("{:value " + value + "\n :type :ok :process 0}");
  };
  CHECK(error("5") == "h.edn:1:9: expected a vector of micro-operations, found `5`");
  CHECK(error("[1]") ==
        "h.edn:1:10: expected a micro-operation such as [:r x nil], found `1` "
        "(for [key value] tuples see the option independent)");
  CHECK(error("[[\"r\" 1]]") ==
        "h.edn:1:11: expected a keyword as the function of a micro-operation, found `\"r\"`");
  CHECK(error("[[:r]]") == "h.edn:1:13: expected a key, found `]`");
  CHECK(error("[[:append 1]]") == "h.edn:1:20: expected a value, found `]`");
  CHECK(error("[[:w 1 2 3]]") == "h.edn:1:18: expected the end of this micro-operation, found `3`");
  CHECK(error("[[:append 1 2] [:r 1 2]]") ==
        "h.edn:1:30: expected a list of elements or nil, found `2`");
  CHECK(error("nil") == "0 ok");
}

TEST_CASE("operations without :process are sessions or dropped as Elle drops them") {
  const std::string text =
      "{:type :invoke :value [[:w 1 2]]}{:type :ok :value [[:w 1 2]]}{:type :info :value 3}";
  const auto result = read(text);
  CHECK(summary(result) == "-1 ok [:w 1 2]");
  CHECK_FALSE(result.value().info().has_process);
  CHECK(result.value().info().remarks.size() == 2);
  CHECK(summary(text, {.elle_compat = true}) == "");
}

TEST_CASE("odd processes and times are remarked on") {
  const auto result = read(
      "{:type :info :process [1]}{:type :info :process 1.5}{:type :ok :process 1 :time 1.5e9}");
  CHECK(summary(result) == "1 ok");
  const auto& remarks = result.value().info().remarks;
  REQUIRE(remarks.size() >= 3);
  CHECK(remarks[0].kind == Remark::Kind::kOddProcess);
  CHECK(remarks[1].position.offset == 26);
}

TEST_CASE("a byte order mark is remarked on") {
  const auto result = read("\xef\xbb\xbf" + kSample);
  CHECK(summary(result) == summary(kSample));
  CHECK(result.value().info().remarks.front().kind == Remark::Kind::kByteOrderMark);
}

TEST_CASE("what is not a history is refused with its place") {
  for (const auto& [text, error] : std::vector<std::pair<std::string, std::string>>{
           {"", "h.edn:1:1: expected operations, found none"},
           {" []", "h.edn:1:1: expected operations, found none"},
           {"{:type :ok}\nnil", "h.edn:2:1: form 2 is nil, not an op map"},
           {"{:type :ok} [1]", "h.edn:1:13: form 2 is a vector, not an op map"},
           {"[{:type :ok} 5]", "h.edn:1:14: form 2 is `5`, not an op map"},
           {"{:valid? true}", "h.edn:1:1: this is a results file, not a history"},
           {"{:f :txn}", "h.edn:1:1: expected an operation, found one without :type"},
           {"#:op{:type :ok}", "h.edn:1:1: expected an operation, found one without :type"},
           {"{:type :done}",
            "h.edn:1:8: expected :invoke, :ok, :fail or :info as :type, found `:done`"},
           {"{:type :ok :type :fail}", "h.edn:1:12: expected distinct keys, found `:type` twice"},
           {"{:type :ok :a 1 :b 2 :a 3}",
            "h.edn:1:26: expected distinct keys in this map, found `:a` twice"},
           {"{:type :ok :f}", "h.edn:1:14: expected a value for the map's last key, found `}`"},
           {"{:type :ok :index 1.5}",
            "h.edn:1:19: expected an integer of 64 bits as :index, found `1.5`"},
           {"{:type :ok :index 99999999999999999999}",
            "h.edn:1:19: expected an integer of 64 bits as :index, found `99999999999999999999`"},
           {"[{:type :ok}}",
            "h.edn:1:13: expected `]` to close the vector opened at byte 0, found `}`"},
           {"{:type :ok :error \"a\xff\"}",
            "h.edn:1:21: expected UTF-8, found an invalid byte sequence"}}) {
    INFO(text);
    CHECK(summary(text) == error);
  }
}

TEST_CASE("the builder's errors have a place as well") {
  CHECK(summary("{:type :ok :process 0 :index 3}\n{:type :ok :process 0 :index 3}") ==
        "h.edn:2:1: found :index 3 a second time");
}

TEST_CASE("overlapping operations of a process are refused, or paired as older Elle does") {
  const std::string text =
      "{:type :invoke :process 0 :value [[:w 1 2]]}\n{:type :invoke :process 0 :value [[:w 1 3]]}\n"
      "{:type :ok :process 0 :value [[:w 1 3]]}";
  CHECK(summary(text) ==
        "h.edn:2:1: process 0 invokes an operation before an earlier one has completed, invoked at "
        "byte 0");
  CHECK(summary(text, {.elle_compat = true}) == "0 info [:w 1 2]; 0 ok [:w 1 3]");
  const auto tolerated = read(text, {.for_lint = true});
  REQUIRE(tolerated.ok());
  const auto& remarks = tolerated.value().info().remarks;
  REQUIRE(remarks.size() == 1);
  CHECK(remarks[0].kind == Remark::Kind::kOverlappingProcess);
  CHECK(remarks[0].position.offset == 45);
  CHECK(remarks[0].other == SourcePosition{.offset = 0});
}

TEST_CASE("indices that do not ascend are remarked on, and repeated ones refused") {
  const auto with_indices = [](const std::vector<int>& indices) {
    std::string text;
    for (const int index : indices) {
      text += "{:type :ok :process 0 :index " + std::to_string(index) + "}\n";
    }
    return read(text);
  };
  const auto unordered = with_indices({0, 5, 3, 4});
  REQUIRE(unordered.ok());
  const History& history = unordered.value();
  CHECK(history.event_index({2}) == 3);
  CHECK(std::count_if(history.info().remarks.begin(), history.info().remarks.end(),
                      [](const Remark& remark) { return remark.kind == Remark::Kind::kOther; }) ==
        1);
  CHECK(summary(with_indices({5, 0, 3, 5})) == "h.edn:4:1: found :index 5 a second time");
  CHECK(summary(with_indices({0, 1, 2, 1})) == "h.edn:4:1: found :index 1 a second time");
}

TEST_CASE("a history cut anywhere is an error or its complete operations") {
  const std::string text = "[" + kSample + "]";
  for (const std::string& whole : {kSample, text}) {
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const auto result = read(whole.substr(0, length));
      if (result) {
        const std::string& rest = whole.substr(length);
        CHECK((rest.starts_with("\n") || rest.starts_with("{")));
      } else {
        CHECK(result.error().line.has_value());
      }
    }
  }
}

TEST_CASE("very long lines and deep nesting are no trouble") {
  std::string list;
  for (int i = 0; list.size() < 5'000'000; ++i) {
    list += std::to_string(i) + ' ';
  }
  const auto result = read("{:type :ok :process 0 :value [[:r 1 [" + list + "]]]}");
  REQUIRE(result.ok());
  CHECK(result.value().op_count() == 1);
  const std::string deep(1'000'000, '[');
  CHECK(summary(deep) == "h.edn:1:2: form 1 is a vector, not an op map");
  CHECK(summary("{:value " + deep).starts_with("h.edn:1:1000008: expected `]`"));
  const std::string closed = deep + std::string(1'000'000, ']');
  CHECK(summary("{:type :ok :process 0 :error " + closed + "}") == "0 ok");
}

TEST_CASE("progress is reported and can stop the reading") {
  std::string text;
  for (int i = 0; i < 50'000; ++i) {
    text += "{:type :ok :process 0 :value [[:append 1 " + std::to_string(i) + "]]}\n";
  }
  int calls = 0;
  ReadOptions options;
  options.progress = [&calls](std::uint64_t consumed, std::uint64_t total) {
    ++calls;
    return consumed <= total;
  };
  CHECK(read(text, options).ok());
  CHECK(calls >= 2);
  options.progress = [](std::uint64_t, std::uint64_t) { return false; };
  const auto stopped = read(text, options);
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().message == "the reading was interrupted");
}

TEST_CASE("the look for a workload can be stopped as well") {
  std::string text;
  while (text.size() < (std::size_t{3} << 20)) {
    text += "{:type :ok :process 0 :value [[:r 1 nil]]}\n";
  }
  int calls = 0;
  ReadOptions options;
  options.progress = [&calls](std::uint64_t, std::uint64_t) { return ++calls < 2; };
  const auto stopped = read(text, options);
  REQUIRE_FALSE(stopped.ok());
  CHECK(stopped.error().kind == ErrorKind::kUnreadable);
  CHECK(stopped.error().byte_offset < text.size() / 2);
}

TEST_CASE("details of an event are read again from its place") {
  const std::string text =
      "{:type :ok :process 0 :value []}\n#op{:node \"n1\" :type :info :f :txn, :value [[:w 1 2]]\n"
      " :error [:timeout {:b 1 :a (2)}] \"s\" 5N :index 9}";
  const auto source = memory_source("h.edn", text);
  const auto details = read_edn_event_details(*source, text.find("#op"));
  REQUIRE(details.ok());
  CHECK(details.value().f == ":txn");
  CHECK(details.value().extras ==
        std::vector<std::pair<std::string, std::string>>{
            {":node", "\"n1\""}, {":error", "[:timeout {:b 1, :a (2)}]"}, {"\"s\"", "5N"}});
  const auto plain = read_edn_event_details(*source, 0);
  REQUIRE(plain.ok());
  CHECK(plain.value().f == "nil");
  CHECK(plain.value().extras.empty());
  const std::string deep = std::string(600, '[') + std::string(600, ']');
  const auto odd_source = memory_source("h.edn", "{:type :ok :a " + deep + " :b {:odd} :f :x}");
  const auto odd = read_edn_event_details(*odd_source, 0);
  REQUIRE(odd.ok());
  CHECK(odd.value().f == ":x");
  CHECK(odd.value().extras ==
        std::vector<std::pair<std::string, std::string>>{{":a", "..."}, {":b", "..."}});
  CHECK_FALSE(read_edn_event_details(*source, 5).ok());
  CHECK_FALSE(read_edn_event_details(*source, text.size()).ok());
}

}  // namespace
}  // namespace elapid
