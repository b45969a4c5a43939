#include "adapter/http/checks/check_documents.h"

#include <catch2/catch.hpp>

#include "adapter/http/checks/answer_of.h"

using namespace elapid;
using namespace elapid::http;

TEST_CASE("a check's id is made of bytes and options") {
  const Question question = {.digest = "ab", .options = {"--levels=causal"}};
  Question other = question;
  CHECK(question.id() == other.id());
  CHECK(is_job_id(question.id()));
  other.name = "other";
  CHECK(question.id() == other.id());
  other.options.emplace_back("--salvage");
  CHECK(question.id() != other.id());
  CHECK_FALSE(is_job_id("../../../../../../../etc/passwd0"));
}

TEST_CASE("times as RFC 3339 has them") {
  CHECK(time_text(1764188144123) == "2025-11-26T20:15:44.123Z");
  CHECK(parse_time("2025-11-26T20:15:44Z") == 1764188144000);
  CHECK(parse_time("2025-11-26T20:15:44.5Z") == 1764188144000);
  CHECK(parse_time("1970-01-02") == 86400000);
  for (const char* const text : {"", "today", "2025-11-26T20:15:44", "2025-11-26T20:15:44+01:00",
                                 "2025-11-26 ", "2025-13-01", "2025-11-26T20:15:44.Zx"}) {
    INFO(text);
    CHECK_FALSE(parse_time(text));
  }
}

TEST_CASE("the form of an answer is the first that is known") {
  CHECK(syntax_accepted("") == Syntax::kJson);
  CHECK(syntax_accepted("*/*") == Syntax::kJson);
  CHECK(syntax_accepted("text/html, application/edn;q=0.9, */*") == Syntax::kEdn);
  CHECK_FALSE(syntax_accepted("text/html"));
}

TEST_CASE("what a check answered, in the words of a job") {
  const Outcome invalid = outcome_of(
      {.exit_code = 1,
       .out = "{:valid? false :anomaly-types (:G0 :lost-update) :not #{:read-committed} :also-not "
              "#{:serializable} :elapid/models #{:serializable :causal} :elapid/counts "
              "{:transactions 6}}"});
  CHECK(invalid.verdict == "invalid");
  CHECK(invalid.levels == ",causal:unknown,serializable:invalid,");
  CHECK(invalid.anomalies == "G0,lost-update");
  CHECK(invalid.transactions == 6);
  const Outcome mix =
      outcome_of({.exit_code = 0,
                  .out = "{:valid? true :elapid/models #{:serializable :read-committed} "
                         ":elapid/by-transaction {:read-committed 1 :serializable 2}}"});
  CHECK(mix.verdict == "valid");
  CHECK(mix.levels.empty());
  const Outcome parts = outcome_of(
      {.exit_code = 0,
       .out =
           "[{:file \"h\", :key 1, :result {:valid? true :elapid/ladder [{:level :causal, "
           ":valid? true}]}} {:file \"h\", :key 2, :result {:valid? true :elapid/ladder [{:level "
           ":causal, :valid? :unknown}]}}]"});
  CHECK(parts.levels == ",causal:unknown,");
  const Outcome malformed =
      outcome_of({.exit_code = 65, .err = "elapid: h:1:1: expected a map\nmore\n"});
  CHECK(malformed.verdict == "malformed");
  CHECK(malformed.error == "h:1:1: expected a map");
  CHECK(outcome_of({.err = "the check was ended by SIGKILL"}).verdict.empty());
}

TEST_CASE("a job's document has no text of others but in strings") {
  const Job job = {
      .id = "0",
      .question = {.name = "\"</script>\\", .options = {"--initial=\"x\"", "--salvage"}},
      .state = JobState::kDone,
      .outcome = {.verdict = "valid", .levels = ",causal:valid,"}};
  const std::string json = job_document(job, {.now = 5}, Syntax::kJson);
  CHECK(json.find(R"("name": "\"</script>\\")") != std::string::npos);
  CHECK(json.find(R"("options": {"initial": "\"x\"", "salvage": "true"})") != std::string::npos);
  CHECK(json.find(R"("levels": {"causal": "valid"})") != std::string::npos);
  CHECK(percent_encoded("a b/\xc3\xa9") == "a%20b%2F%C3%A9");
}

TEST_CASE("a level is valid if it was asked of each history, and invalid if one violates it") {
  Outcome outcome;
  read_result(
      "[{:key 1, :result {:valid? true, :elapid/models #{:serializable :causal}}}"
      " {:key 2, :result {:valid? false, :elapid/models #{:serializable :read-committed},"
      " :elapid/by-transaction {:serializable 1, :read-committed 1}, :not #{}}}"
      " {:key 3, :result {:valid? false, :elapid/models #{:read-committed},"
      " :anomaly-types [:G1a], :not #{:read-committed}}}]",
      outcome);
  CHECK(outcome.levels == ",read-committed:invalid,");
  CHECK(outcome.anomalies == "G1a");
}

TEST_CASE("findings of workloads without levels are among the anomalies") {
  Outcome outcome;
  read_result("{:valid? false, :elapid/findings (:unexpected :lost), :elapid/models #{}}", outcome);
  CHECK(outcome.levels.empty());
  CHECK(outcome.anomalies == "lost,unexpected");
}
