#include "parsers/porcupine/porcupine_format.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/parsers/traces/reading.h"

#include "engine/ir/kv_workload.h"

namespace elapid {
namespace {

std::string etcd(const std::string& fields) {
  return "INFO  jepsen.util - " + fields + "\n";
}

TEST_CASE("lines of Jepsen's log are operations on one register") {
  const std::string text = sample("porcupine/etcd.log");
  const auto parsed = read_text(read_porcupine, text);
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(summary(history) == "0 ok [:w nil 4]; 1 info [:r nil 4] [:w nil 2]; 2 fail [:r nil nil]");
  CHECK(parsed.value().workload() == Workload::kCasRegister);
  CHECK(history.info().format == "porcupine");
  CHECK(history.info().event_count == 6);
  CHECK(history.info().source_bytes == text.size());
  CHECK(history.info().remarks.empty());
  CHECK(history.event({0}, EventKind::kCompletion).position.offset == text.find('\n') + 1);
}

TEST_CASE("a log may have other lines, a nemesis, and values of several kinds") {
  const std::string text = "INFO  jepsen.core - Worker 1 starting\n\n" +
                           etcd(":nemesis\t:info\t:start\t\"cut off {1 2}\"") +
                           etcd("3\t:invoke\t:cas\t[4 -2]") + etcd("3\t:ok\t:cas\t[4 -2]") +
                           etcd("4\t:invoke\t:read\tnil") + etcd("4\t:ok\t:read\tnil");
  const auto parsed = read_text(read_porcupine, text);
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "3 ok [:r nil 4] [:w nil -2]; 4 ok [:r nil nil]");
  CHECK(parsed.value().info().event_count == 5);
  CHECK(parsed.value().info().assumptions ==
        std::vector<std::string>{
            "The lines are those of Jepsen's log; all operations are on one register.",
            "1 lines that are no operations are passed over."});
}

TEST_CASE("what is wrong with a line of the log is said") {
  const auto error = [](const std::string& fields) {
    return outcome(read_porcupine, etcd("0\t:invoke\t:write\t4") + etcd(fields))
        .substr(std::string("input:2:").size());
  };
  CHECK(error("0 ok") ==
        "1: expected `INFO jepsen.util - PROCESS :TYPE :F VALUE`, found another "
        "line");
  CHECK(error("0\t:done\t:write\t4") == "1: expected :invoke, :ok, :fail or :info, found `:done`");
  CHECK(error("99999999999999999999\t:ok\t:write\t4") ==
        "1: expected a process number of 64 bits, found `99999999999999999999`");
  CHECK(error("0\t:ok\t:cas\t[1]") ==
        "1: expected an old and a new value as the :value of this :cas, found [1]");
  CHECK(error("0\t:ok\t:write\t[1").starts_with("34: expected"));
  CHECK(error("0\t:invoke\t:write\t5") ==
        "1: process 0 invokes an operation before an earlier one has completed, invoked at byte 0");
  CHECK(outcome(read_porcupine, "some text\n") == "input:1:1: expected operations, found none");
}

TEST_CASE("key-value operations are on strings") {
  const std::string text = sample("porcupine/kv.txt");
  const auto parsed = read_text(read_porcupine, text);
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(summary(history) == R"(0 ok [:append "0" "x 0 0 y"]; 1 ok [:r "0" "x 0 0 y"])");
  CHECK(parsed.value().workload() == kKvWorkload);
  CHECK(history.text(history.info().initial) == R"("")");
  CHECK(history.info().event_count == 4);
  CHECK(history.info().remarks.empty());
}

TEST_CASE("key-value operations end in any way, and their keys come in any order") {
  CHECK(outcome(read_porcupine,
                R"([{:key "a" :value "1" :f :put :process 0 :type :invoke :x #{1}}
                    {:process 0 :type :info :f :put :key "a" :value nil}
                    {:process 1 :type :invoke :f :get :key "a" :value nil}
                    {:process 1 :type :fail :f :get :key "a" :value nil}
                    {:process 2 :type :invoke :f :append :key "a" :value "2"}])") ==
        R"(0 info [:w "a" "1"]; 1 fail [:r "a" nil]; 2 info [:append "a" "2"])");
}

TEST_CASE("what is wrong with a key-value operation is said") {
  const auto error = [](const std::string& text) {
    return outcome(read_porcupine, text, "kv").substr(std::string("input:1:").size());
  };
  CHECK(error("") == "1: expected operations, found none");
  CHECK(error("{:process 0 :type :ok :f :get}") ==
        "30: expected :type, :process, :f and :key in this map, found `}`");
  CHECK(error("{:type :done}") ==
        "8: expected :invoke, :ok, :fail or :info as :type, found `:done`");
  CHECK(error("{:type ok}") == "8: expected :invoke, :ok, :fail or :info as :type, found `ok`");
  CHECK(error("{:f :cas}") == "5: expected :get, :put or :append as :f, found `:cas`");
  CHECK(error("{:process nil}") == "11: expected an integer as :process, found nil");
  CHECK(error("{:key {1}}").starts_with("7: expected a map"));
  CHECK(error("{:key}") == "6: expected a value for the map's last key, found `}`");
  CHECK(error("5") == "1: expected an operation map, found `5`");
  CHECK(error("[] 5") == "4: expected the end of the input behind the operations, found `5`");
}

TEST_CASE("the dialect of Porcupine's files can be asked for") {
  CHECK(outcome(read_porcupine, sample("porcupine/kv.txt"), "kv") ==
        outcome(read_porcupine, sample("porcupine/kv.txt")));
  CHECK(outcome(read_porcupine, sample("porcupine/etcd.log"), "etcd") ==
        outcome(read_porcupine, sample("porcupine/etcd.log")));
  CHECK_FALSE(read_text(read_porcupine, sample("porcupine/kv.txt"), "etcd"));
  CHECK_FALSE(read_text(read_porcupine, sample("porcupine/etcd.log"), "kv"));
}

/// Cuts anywhere give an error, or the events of the whole lines before; with salvage always those.
void check_event_cuts(const std::string& text) {
  for (std::size_t length = 1; length < text.size(); ++length) {
    INFO(length);
    const std::string cut = text.substr(0, length);
    const auto whole_lines = static_cast<std::uint64_t>(std::ranges::count(cut, '\n'));
    const auto parsed = read_text(read_porcupine, cut);
    if (parsed) {
      const std::uint64_t events = parsed.value().info().event_count;
      const bool is_last_open = cut.back() != '\n' && events == whole_lines + 1;
      CHECK((events == whole_lines || is_last_open));
    } else {
      CHECK(parsed.error().line.has_value());
    }
    const auto salvaged = read_text(read_porcupine, cut, "", {.salvage = true});
    if (whole_lines > 0) {
      REQUIRE(salvaged);
      CHECK(salvaged.value().info().event_count >= whole_lines);
      CHECK((parsed.ok() || has_remark(salvaged.value(), Remark::Kind::kSalvaged)));
    }
  }
}

TEST_CASE("Porcupine's files cut anywhere are an error or the operations before the cut") {
  check_event_cuts(sample("porcupine/etcd.log"));
  check_event_cuts(sample("porcupine/kv.txt"));
}

TEST_CASE("a last line of the log without a newline is remarked on") {
  const auto parsed = read_text(read_porcupine, "INFO  jepsen.util - 0\t:invoke\t:write\t4");
  REQUIRE(parsed);
  CHECK(remarks(parsed.value()) ==
        std::vector<std::string>{
            "the last line has no newline: its last word may have been cut short"});
}

}  // namespace
}  // namespace elapid
