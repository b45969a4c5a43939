#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "adapter/report/level_states.h"
#include "adapter/report/report.h"
#include "adapter/report/verdict_sentence.h"
#include "tests/unit/adapter/report/report_subject.h"

namespace elapid {
namespace {

using namespace report_test;

LevelState state_of(const ReportModel& report, Model model) {
  return report.levels.at(static_cast<std::size_t>(model)).state;
}

TEST_CASE("report: an invalid history in one sentence") {
  const ReportModel report = report_on(kLostUpdate, Model::kPlSi);
  CHECK(verdict_sentence(report) ==
        "Not snapshot isolation: G-single-item (read skew) on key :x; 2 transactions; strongest "
        "level still possible: prefix consistency with sessions (pc); complete check.");
}

TEST_CASE("report: a valid history in one sentence") {
  CHECK(verdict_sentence(report_on(kLostUpdate, Model::kPl2)) ==
        "Valid: read committed: complete check.");
}

/// Two clients that look by the same predicate and do this.
std::string two_clients(const std::string& found, const std::string& first,
                        const std::string& second) {
  const auto event = [&](const std::string& process, const std::string& type,
                         const std::string& result, const std::string& writes) {
    return "{:type :" + type + ", :process " + process + ", :f :txn, :value [[:rp [:= :v 1] " +
           result + "] " + writes + "]}\n";
  };
  return event("0", "invoke", "nil", first) + event("1", "invoke", "nil", second) +
         event("0", "ok", found, first) + event("1", "ok", found, second);
}

TEST_CASE("report: of rows it speaks of rows") {
  std::string history = two_clients("{}", "[:insert 1 {:v 1}]", "[:insert 2 {:v 1}]");
  for (int txn = 2; txn < 42; ++txn) {  // of fewer there is no overview
    history += "{:type :ok, :process 2, :f :txn, :value [[:rp [:= :v 7] {}]]}\n";
  }
  const ReportModel report = report_on(history, Model::kPl3);
  CHECK(verdict_sentence(report).find(" on rows 1 and 2; 2 transactions") != std::string::npos);
  CHECK(std::ranges::count(report.facts, ReportFact{"rows", "2 with 1 column"}) == 1);
  REQUIRE(report.overview);
  CHECK(report.overview->keys.noun == "row");
  CHECK(report.overview->keys.keys == 2);
}

TEST_CASE("report: rows that only predicates found or wrote take part") {
  const std::string start =
      "{:type :invoke, :process 9, :f :init, :value {1 {:v 1} 2 {:v 1}}}\n"
      "{:type :ok, :process 9, :f :init, :value {1 {:v 1} 2 {:v 1}}}\n";
  const ReportModel report = report_on(
      start + two_clients("#{1 2}", "[:up [:key 1 1] {:v 0} #{1}]", "[:up [:key 2 2] {:v 0} #{2}]"),
      Model::kPl3);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].key_noun == "row");
  std::vector<std::string> rows = report.findings[0].keys;
  std::ranges::sort(rows);
  CHECK(rows == std::vector<std::string>{"1", "2"});
}

TEST_CASE("report: an unknown one says why") {
  Verdict verdict;
  verdict.validity = Validity::kUnknown;
  verdict.unknown_because = "work ended (--work 3).";
  ReportModel report;
  report.validity = Validity::kUnknown;
  report.levels.resize(kModelCount);
  report.asked = {"serializable"};
  add_sentence(verdict, report);
  CHECK(verdict_sentence(report) == "Unknown whether serializable: work ended (--work 3).");
}

TEST_CASE("report: levels stand where the verdict and what follows from it puts them") {
  const ReportModel report = report_on(kLostUpdate, Model::kPlSi);
  CHECK(state_of(report, Model::kPlSi) == LevelState::kViolated);
  CHECK(state_of(report, Model::kStrongSessionSnapshotIsolation) == LevelState::kViolated);
  CHECK(state_of(report, Model::kPlSs) == LevelState::kViolated);
  CHECK(state_of(report, Model::kPl2) == LevelState::kOpen);
  CHECK(report.levels.at(static_cast<std::size_t>(Model::kPlSi)).is_asked);

  const ReportModel valid = report_on(kLostUpdate, Model::kPl2);
  CHECK(state_of(valid, Model::kPl2) == LevelState::kHolds);
  CHECK(state_of(valid, Model::kPl1) == LevelState::kHolds);
  CHECK(state_of(valid, Model::kPl3) == LevelState::kOpen);
}

/// Transactions of three processes at their levels: a write skew of the first two.
std::string write_skew_at(const std::string& first, const std::string& second,
                          const std::string& third) {
  const auto event = [](const std::string& type, const std::string& process,
                        const std::string& value, const std::string& level) {
    return "{:type :" + type + ", :process " + process + ", :f :txn, :value " + value +
           ", :isolation :" + level + "}\n";
  };
  return event("invoke", "0", "[[:r :x nil] [:w :y 1]]", first) +
         event("invoke", "1", "[[:r :y nil] [:w :x 1]]", second) +
         event("ok", "0", "[[:r :x nil] [:w :y 1]]", first) +
         event("ok", "1", "[[:r :y nil] [:w :x 1]]", second) +
         event("ok", "2", "[[:r :x 1] [:r :y 1]]", third);
}

TEST_CASE("report: where each transaction has its own level, only what all imply is told to hold") {
  const CheckOptions by_transaction{.models = {}, .by_transaction = true};
  const ReportModel valid = report_on(
      write_skew_at("snapshot-isolation", "serializable", "read-committed"), by_transaction);
  CHECK(verdict_sentence(valid) ==
        "Valid: every transaction at its own level (read committed, serializable and snapshot "
        "isolation): complete check.");
  CHECK(levels_in(LevelState::kHolds, valid.levels).test(Model::kPl2));
  CHECK_FALSE(levels_in(LevelState::kHolds, valid.levels).test(Model::kPlSi));
  CHECK_FALSE(levels_in(LevelState::kHolds, valid.levels).test(Model::kPl3));
  CHECK_FALSE(valid.levels.at(static_cast<std::size_t>(Model::kPl3)).is_asked);

  const ReportModel invalid =
      report_on(write_skew_at("serializable", "serializable", "read-committed"), by_transaction);
  CHECK(invalid.headline ==
        "Not every transaction at its own level (read committed and serializable)");
  CHECK(state_of(invalid, Model::kPl3) == LevelState::kViolated);
  CHECK(state_of(invalid, Model::kPlSs) == LevelState::kViolated);
  CHECK(state_of(invalid, Model::kPl2) == LevelState::kOpen);
  REQUIRE(invalid.findings.size() == 1);
  CHECK(invalid.findings[0].survivors.none());
}

TEST_CASE("report: of several levels asked about, the headline denies those that are violated") {
  const ReportModel report =
      report_on(kLostUpdate, CheckOptions{.models = {Model::kPl2, Model::kPlSi}});
  CHECK(report.headline == "Not snapshot isolation");
}

TEST_CASE("report: of every level asked about none is left without a word") {
  const ReportModel report =
      report_on(kLostUpdate, CheckOptions{.models = ModelSet::all(), .each_model = true});
  CHECK(report.asked_all);
  CHECK(levels_in(LevelState::kOpen, report.levels).none());
  CHECK(levels_in(LevelState::kHolds, report.levels).test(Model::kPl2));
}

TEST_CASE("report: anomalies of the same transactions are one, with its keys and lines") {
  const ReportModel report = report_on(kLostUpdate, Model::kPlSi);
  REQUIRE(report.findings.size() == 1);
  const ReportFinding& finding = report.findings.front();
  CHECK(finding.anchor == "a1");
  CHECK(finding.name == "G-single-item");
  CHECK(finding.keys == std::vector<std::string>{":x"});
  CHECK(finding.sessions == std::vector<std::string>{"process 1", "process 0", "process 2"});
  REQUIRE(finding.followers.size() == 1);
  CHECK(finding.followers.front().name == "lost-update");
  REQUIRE(finding.actors.size() == 3);
  CHECK(finding.actors[0].label == "T1");
  CHECK(finding.actors[0].line == 2);
  CHECK(finding.actors[0].file == "run.edn");
  CHECK(finding.actors[2].is_reader_only);
  CHECK(finding.txn_count == 2);
}

TEST_CASE("report: the anchors of sentences are theirs alone") {
  const ReportModel report = report_on(kCaseSplit, Model::kStrongSessionSerializable);
  REQUIRE(report.findings.size() == 1);
  std::vector<std::string> anchors;
  const auto gather = [&](const auto& self, const std::vector<ReportSentence>& proof) -> void {
    for (const ReportSentence& sentence : proof) {
      anchors.push_back(sentence.anchor);
      self(self, sentence.steps);
    }
  };
  gather(gather, report.findings.front().proof);
  CHECK(anchors.size() == 10);
  std::ranges::sort(anchors);
  CHECK(std::ranges::adjacent_find(anchors) == anchors.end());
}

TEST_CASE("report: a proof goes through its cases") {
  const ReportModel report = report_on(kCaseSplit, Model::kStrongSessionSerializable);
  const std::vector<ReportSentence>& proof = report.findings.at(0).proof;
  REQUIRE(proof.size() == 4);
  CHECK(proof[0].steps.empty());
  CHECK(proof[1].steps.size() == 3);
  CHECK(proof[2].steps.size() == 3);
  REQUIRE(proof[1].steps[0].edge);
  CHECK(proof[1].steps[0].edge->relation == Relation::kWr);
}

TEST_CASE("report: of a long proof beginning and end are shown, under the anchors of all") {
  ReportOptions options;
  options.limits.sentences = 3;
  const ReportModel whole = report_on(kCaseSplit, Model::kStrongSessionSerializable);
  const ReportModel cut = report_on(kCaseSplit, Model::kStrongSessionSerializable, options);
  const std::vector<ReportSentence>& proof = cut.findings.at(0).proof;
  REQUIRE(proof.size() == 3);
  CHECK(proof[1].left_out == 1);
  CHECK(proof[2].anchor == whole.findings.at(0).proof[3].anchor);
}

TEST_CASE("report: a level is ruled out by what the anomaly is, and others are not") {
  const ReportFinding finding = report_on(kLostUpdate, Model::kPl3).findings.at(0);
  CHECK(finding.rules_out.any());
  CHECK_FALSE(finding.survivors.test(Model::kPl3));
  CHECK(finding.survivors.any());
}

TEST_CASE("report: names and values that are too long are cut") {
  const std::string key(100'000, 'k');
  const std::string history = "{:type :ok, :process 0, :f :txn, :value [[:r \"" + key +
                              "\" []] [:append \"" + key + "\" 1] [:r \"" + key + "\" []]]}\n";
  const ReportModel report = report_on(history, Model::kPl3);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].keys.at(0).size() < 400);
  CHECK(report.findings[0].actors.at(0).text.size() < 4'000);
  CHECK(report.findings[0].actors.at(0).whole.empty());
  CHECK(report_page(report).size() < 100'000);
}

}  // namespace
}  // namespace elapid
