// Logs of messages: each type of error by its smallest history.

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/check/check.h"
#include "engine/workloads/known_workloads.h"
#include "parsers/read.h"

namespace elapid {
namespace {

/// An operation alone while it runs; its invocation says what it sends.
std::string log_call(int process, const std::string& type, const std::string& f,
                     const std::string& invoked, const std::string& completed,
                     const std::string& more = "") {
  const auto event = [&](const std::string& kind, const std::string& value) {
    return "{:type :" + kind + ", :process " + std::to_string(process) + ", :f :" + f +
           ", :value " + value + (kind == "invoke" ? "" : more) + "}\n";
  };
  return event("invoke", invoked) + event(type, completed);
}

/// `sent_log(0, "ok", "[:send 1 [0 7]]")`: offsets are not known when it is invoked.
std::string sent_log(int process, const std::string& type, const std::string& sent) {
  return log_call(process, type, "send", "[]", "[" + sent + "]");
}

std::string polled_log(int process, const std::string& messages, const std::string& more = "") {
  return log_call(process, "ok", "poll", "[[:poll]]", "[[:poll {1 [" + messages + "]}]]", more);
}

Verdict judged_log(const std::string& text, bool elle_compat = false,
                   const std::string& file = "log.edn") {
  ReadOptions options;
  const Result<LoadedHistory> loaded = read_history(memory_source(file, text), options);
  REQUIRE(loaded);
  CHECK(loaded.value().history().workload().name() == "kafka");
  CheckOptions how;
  how.assumptions.elle_compat = elle_compat;
  const Result<Verdict> verdict = check(loaded.value().history(), how);
  REQUIRE(verdict);
  return verdict.value();
}

/// The types of errors in the result, as `G1a unseen`.
std::string error_types(const Verdict& verdict) {
  std::string types;
  for (const ResultEntry& entry : verdict.entries) {
    if (entry.key == "error-types") {
      for (const ResultValue& type : std::get<ResultValue>(entry.value).items) {
        types += (types.empty() ? "" : " ") + type.text;
      }
    }
  }
  return types;
}

TEST_CASE("kafka: what was sent is polled in order") {
  const Verdict verdict = judged_log(sent_log(0, "ok", "[:send 1 [0 7]] [:send 1 [4 8]]") +
                                     polled_log(1, "[0 7]") + polled_log(1, "[4 8]"));
  CHECK(verdict.validity == Validity::kValid);
  CHECK(error_types(verdict).empty());
  CHECK(verdict.findings.empty());
}

TEST_CASE("kafka: each type of error") {
  const std::string two = sent_log(0, "ok", "[:send 1 [0 7]] [:send 1 [1 8]]");
  const std::string three = sent_log(0, "ok", "[:send 1 [0 7]] [:send 1 [1 8]] [:send 1 [2 9]]");
  const std::vector<std::pair<std::string, std::string>> histories = {
      {"duplicate", two + polled_log(1, "[0 7] [1 8]") + polled_log(2, "[0 7] [2 8]")},
      {"inconsistent-offsets", two + polled_log(1, "[0 7] [1 8]") + polled_log(2, "[1 7]")},
      {"G1a", sent_log(0, "fail", "[:send 1 7]") + polled_log(1, "[0 7]")},
      {"precommitted-read",
       log_call(0, "ok", "txn", "[[:send 1 7] [:poll]]", "[[:send 1 [0 7]] [:poll {1 [[0 7]]}]]")},
      {"lost-write", three + polled_log(1, "[0 7]") + polled_log(2, "[2 9]")},
      {"never-sent", polled_log(1, "[0 7]")},
      {"unseen", sent_log(0, "ok", "[:send 1 [0 7]]")},
      {"poll-skip",
       three + polled_log(1, "[0 7]") + polled_log(1, "[2 9]") + polled_log(2, "[1 8]")},
      {"nonmonotonic-poll", two + polled_log(1, "[0 7] [1 8]") + polled_log(1, "[1 8]")},
      {"int-poll-skip", three + polled_log(1, "[0 7] [2 9]") + polled_log(2, "[1 8]")},
      {"int-nonmonotonic-poll", two + polled_log(1, "[1 8] [0 7]")},
      {"nonmonotonic-send", sent_log(0, "ok", "[:send 1 [5 7]]") +
                                sent_log(0, "ok", "[:send 1 [3 8]]") +
                                polled_log(1, "[3 8] [5 7]")},
      {"int-send-skip", sent_log(0, "ok", "[:send 1 [0 7]] [:send 1 [2 9]]") +
                            sent_log(2, "ok", "[:send 1 [1 8]]") +
                            polled_log(1, "[0 7] [1 8] [2 9]")},
      {"int-nonmonotonic-send",
       sent_log(0, "ok", "[:send 1 [1 7]] [:send 1 [0 8]]") + polled_log(1, "[0 8] [1 7]")},
  };
  for (const auto& [type, text] : histories) {
    INFO(type);
    const Verdict verdict = judged_log(text);
    CHECK((" " + error_types(verdict) + " ").find(" " + type + " ") != std::string::npos);
    CHECK((verdict.validity == Validity::kInvalid) == (type != "int-send-skip"));
    CHECK(verdict.findings.empty() == (type == "int-send-skip"));
  }
}

TEST_CASE("kafka: rebalanced keys, and those no longer assigned, may be polled in any order") {
  const std::string two = sent_log(0, "ok", "[:send 1 [0 7]] [:send 1 [1 8]]");
  CHECK(error_types(judged_log(
            two + polled_log(1, "[1 8] [0 7]", ", :rebalance-log [{:keys [1]}]"))) == "");
  const std::string assigned = log_call(1, "ok", "assign", "[2]", "[2]");
  CHECK(error_types(judged_log(two + polled_log(1, "[0 7] [1 8]") + assigned +
                               polled_log(1, "[0 7]"))) == "");
}

TEST_CASE("kafka: an operation of unknown outcome counts where something of it was polled") {
  const std::string unknown =
      log_call(0, "info", "send", "[[:send 1 7] [:send 1 8]]", "[[:send 1 [0 7]] [:send 1 [1 8]]]");
  CHECK(error_types(judged_log(unknown + polled_log(1, "[1 8]"))) == "lost-write");
  CHECK(error_types(judged_log(unknown + polled_log(1, ""))) == "");
  const Verdict verdict = judged_log(
      log_call(0, "info", "send", "[[:send 1 7]]", "[[:send 1 7]]", ", :error :timeout") +
      polled_log(1, "[0 7]"));
  CHECK(verdict.validity == Validity::kValid);
}

/// An operation of JSON, alone while it runs.
std::string json_call(int process, const std::string& f, const std::string& invoked,
                      const std::string& completed, const std::string& more = "") {
  const auto event = [&](const std::string& type, const std::string& value) {
    return R"({"process":)" + std::to_string(process) + R"(,"type":")" + type + R"(","f":")" + f +
           R"(","value":)" + value + (type == "ok" ? more : "") + "}\n";
  };
  return event("invoke", invoked) + event("ok", completed);
}

TEST_CASE("kafka: a key of JSON is the same in sends, polls, assignments and rebalances") {
  const auto types = [](const std::string& text) {
    return error_types(judged_log(text, false, "log.json"));
  };
  for (const std::string key : {"12", "x"}) {
    INFO(key);
    const std::string sent =
        json_call(1, "txn", R"([["send",")" + key + R"(",7],["send",")" + key + R"(",8]])",
                  R"([["send",")" + key + R"(",[0,7]],["send",")" + key + R"(",[1,8]]])");
    const std::string assigned =
        json_call(0, "assign", R"([")" + key + R"("])", R"([")" + key + R"("])");
    const std::string polled =
        json_call(0, "txn", R"([["poll"]])", R"([["poll",{")" + key + R"(":[[0,7],[1,8]]}]])");
    CHECK(types(sent + assigned + polled + assigned + polled) == "nonmonotonic-poll");
    const std::string back =
        R"([["poll",{")" + key + R"(":[[0,7],[1,8]]}],["poll",{")" + key + R"(":[[0,7]]}]])";
    CHECK(types(sent + json_call(0, "txn", R"([["poll"],["poll"]])", back)) ==
          "int-nonmonotonic-poll");
    CHECK(types(sent + json_call(0, "txn", R"([["poll"],["poll"]])", back,
                                 R"(,"rebalance-log":[{"keys":[")" + key + R"("]}])")) == "");
  }
}

TEST_CASE("kafka: any scalar of JSON may be a key, whose text a poll shows") {
  for (const auto& [sent, polled] : std::vector<std::pair<std::string, std::string>>{
           {"5", R"("5")"},
           {"-5", R"("-5")"},
           {R"("5")", R"("5")"},
           {R"("")", R"("")"},
           {R"("a b")", R"("a b")"},
           {R"("a\"b")", R"("a\"b")"},
           {R"("a\\b")", R"("a\\b")"},
           {R"("{")", R"("{")"},
           {R"("a,b")", R"("a,b")"},
           {R"("nil")", R"("nil")"},
           {R"(":x")", R"(":x")"},
           {"1.5", R"("1.5")"},
           {"true", R"("true")"},
           {"12345678901234567890", R"("12345678901234567890")"}}) {
    INFO(sent);
    const Verdict verdict = judged_log(
        json_call(0, "txn", R"([["send",)" + sent + ",7]]", R"([["send",)" + sent + ",[0,7]]]") +
            json_call(1, "txn", R"([["poll"]])", R"([["poll",{)" + polled + ":[[0,7]]}]]"),
        false, "log.json");
    CHECK(verdict.validity == Validity::kValid);
  }
}

TEST_CASE("kafka: a value may be sent again after a failure") {
  const std::string failed = sent_log(0, "fail", "[:send 1 7]");
  const std::string sent = sent_log(0, "ok", "[:send 1 [0 7]]");
  const std::string polled = polled_log(1, "[0 7]");
  for (const std::string& text : {failed + sent + polled, sent + polled + failed,
                                  failed + sent_log(0, "info", "[:send 1 7]") + polled}) {
    INFO(text);
    CHECK(judged_log(text).validity == Validity::kValid);
    CHECK(error_types(judged_log(text, true)).starts_with("G1a"));
  }
  CHECK(error_types(judged_log(failed + polled)) == "G1a");
}

TEST_CASE("kafka: the cause of an unknown outcome is no offset of a key of that name") {
  const Verdict verdict = judged_log(
      sent_log(0, "ok", "[:send :error [0 7]]") +
      log_call(0, "info", "send", "[[:send :error 8]]", "[[:send :error 8]]", ", :error 0") +
      log_call(1, "ok", "poll", "[[:poll]]", "[[:poll {:error [[0 7] [1 8]]}]]"));
  CHECK(verdict.validity == Validity::kValid);
  const auto causes = std::ranges::find(verdict.entries, "info-txn-causes", &ResultEntry::key);
  CHECK(causes != verdict.entries.end());
}

TEST_CASE("kafka: a message that was never sent makes Jepsen's checker throw") {
  const Verdict verdict = judged_log(polled_log(1, "[0 7]"), true);
  CHECK(verdict.validity == Validity::kUnknown);
  CHECK(verdict.findings.empty());
}

}  // namespace
}  // namespace elapid
