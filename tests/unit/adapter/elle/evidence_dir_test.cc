#include "adapter/elle/evidence_dir.h"

#include <catch2/catch.hpp>

#include "adapter/elle/explanation.h"
#include "adapter/elle/file_output.h"
#include "tests/unit/adapter/elle/temporary_directory.h"
#include "tests/unit/adapter/elle/test_history.h"

namespace elapid {
namespace {

using namespace elle_test;

Verdict g1c_verdict(const History& history) {
  Verdict verdict;
  verdict.validity = Validity::kInvalid;
  verdict.anomalies = {{AnomalyType::kG1c, g1c_cycle(history)}};
  Step other = g1c_cycle(history).steps[0];
  other.relation = Relation::kProcess;
  verdict.components = {{.txns = {{0}, {1}}, .edges = {g1c_cycle(history).steps[0], other}}};
  return verdict;
}

/// Beside the evidence: the list of it.
constexpr std::size_t kList = 1;

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

Verdict elles_verdict(const History& history) {
  Verdict verdict = g1c_verdict(history);
  verdict.assumptions.elle_compat = true;
  return verdict;
}

/// Whether plots can be drawn here; if not, the test's output says so.
bool warned_can_draw() {
  if (!can_draw()) {
    WARN("dot is not installed: drawing was not tried");
  }
  return can_draw();
}

TEST_CASE("a valid verdict leaves no trace") {
  const TemporaryDirectory directory;
  const auto target = directory.path() / "evidence";
  CHECK(write_evidence(target, g1c_history(), {}, {}).ok());
  CHECK_FALSE(std::filesystem::exists(target));
}

TEST_CASE("cycles, their plots and the components") {
  const TemporaryDirectory directory;
  const History history = g1c_history();
  const Verdict verdict = g1c_verdict(history);
  const auto notes = write_evidence(directory.path(), history, verdict, {});
  REQUIRE(notes.ok());
  CHECK(directory.read("G1c.txt") ==
        anomalies_text(history, verdict.anomalies, {}, {.full = true}));
  CHECK(notes.value().empty());
  CHECK(directory.file_count() == 3 + kList);
  CHECK(occurrences(directory.read("G1c/0.dot"), " -> ") == 2);
  CHECK(occurrences(directory.read("sccs/0.dot"), " -> ") == 2);
}

TEST_CASE("pictures that were drawn of a graph go with it") {
  const TemporaryDirectory directory;
  const History history = g1c_history();
  REQUIRE(write_evidence(directory.path(), history, g1c_verdict(history), {}).ok());
  REQUIRE(write_file(directory.path() / "G1c/0.svg", "drawn later").ok());
  REQUIRE(write_evidence(directory.path(), history, {}, {}).ok());
  CHECK(directory.file_count() == 0);
}

TEST_CASE("no graphs, where none are wanted") {
  const TemporaryDirectory directory;
  const History history = g1c_history();
  const EvidenceOptions options = {.plots = {.are_wanted = false}};
  REQUIRE(write_evidence(directory.path(), history, g1c_verdict(history), options).ok());
  CHECK(directory.file_count() == 1 + kList);
}

TEST_CASE("Elle's folder has pictures") {
  const TemporaryDirectory directory;
  const History history = g1c_history();
  const auto notes = write_evidence(directory.path(), history, elles_verdict(history), {});
  REQUIRE(notes.ok());
  if (!warned_can_draw()) {
    CHECK(notes.value().size() == 1);
    return;
  }
  CHECK(directory.file_count() == 3);
  CHECK(occurrences(directory.read("G1c/0.svg"), "class=\"edge\"") == 2);
  CHECK(occurrences(directory.read("sccs/0.svg"), "class=\"edge\"") == 2);
}

TEST_CASE("violations of timestamps, a file a type") {
  const TemporaryDirectory directory;
  const History history = g1c_history();
  Verdict verdict;
  verdict.validity = Validity::kInvalid;
  const TimestampEvidence session = {.axiom = TimestampAxiom::kSession, .txn = {1}, .other = {0}};
  verdict.anomalies = {{AnomalyType::kGSIa, session}, {AnomalyType::kGSIa, session}};
  REQUIRE(write_evidence(directory.path(), history, verdict, {}).ok());
  CHECK(directory.file_count() == 1 + kList);
  CHECK(directory.read("GSIa.txt") ==
        anomalies_text(history, verdict.anomalies, {}, {.full = true}));
  CHECK(occurrences(directory.read("GSIa.txt"), "GSIa #") == 2);
}

TEST_CASE("violations that are no cycles, a file a type, of which Elle writes none") {
  const History history = TestHistory().txn(0, "r :x 1").txn(1, "w :x 2 ; r :x 3").build();
  Verdict verdict;
  verdict.validity = Validity::kInvalid;
  const ValueId one = history.ops({0})[0].value();
  verdict.anomalies = {
      {AnomalyType::kGarbageRead, ReadEvidence{.reader = {0}, .mop = 0, .element = one}},
      {AnomalyType::kInternal,
       InternalEvidence{.txn = {1}, .mop = 1, .expected = {.scalar = history.ops({1})[0].value()}}},
      {AnomalyType::kEmptyTransactionGraph, EmptyGraphEvidence{}}};
  const TemporaryDirectory directory;
  REQUIRE(write_evidence(directory.path(), history, verdict, {}).ok());
  CHECK(occurrences(directory.read("garbage-read.txt"), "from nowhere") == 1);
  CHECK(occurrences(directory.read("internal.txt"), "contradicts itself") == 1);
  CHECK(directory.file_count() == 2 + kList);
  verdict.assumptions.elle_compat = true;
  const TemporaryDirectory elles;
  REQUIRE(write_evidence(elles.path(), history, verdict, {}).ok());
  CHECK(elles.file_count() == 0);
}

TEST_CASE("a cycle that exists whatever is chosen has its text") {
  const TemporaryDirectory directory;
  const History history = g1c_history();
  Verdict verdict;
  verdict.validity = Validity::kInvalid;
  verdict.anomalies = {
      {AnomalyType::kPlSiCycleExists,
       CycleExistsEvidence{.model = Model::kPlSi, .component = {{0}, {1}}, .walk = {}}}};
  REQUIRE(write_evidence(directory.path(), history, verdict, {}).ok());
  CHECK(directory.read(std::string(name(AnomalyType::kPlSiCycleExists)) + ".txt") ==
        anomalies_text(history, verdict.anomalies, {}, {.full = true}));
}

TEST_CASE("what an earlier check left goes, what others put there stays") {
  const TemporaryDirectory directory;
  const History history = g1c_history();
  const Verdict verdict = g1c_verdict(history);
  REQUIRE(write_evidence(directory.path(), history, verdict, {}).ok());
  REQUIRE(write_file(directory.path() / "G0.txt", "mine").ok());
  CHECK_FALSE(directory.read("G1c.txt").empty());
  REQUIRE(write_evidence(directory.path(), history, {}, {}).ok());
  CHECK(directory.file_count() == 1);
  CHECK(directory.read("G0.txt") == "mine");
}

TEST_CASE("Elle removes nothing, and leaves no list") {
  const TemporaryDirectory directory;
  const History history = g1c_history();
  Verdict verdict = g1c_verdict(history);
  verdict.assumptions.elle_compat = true;
  REQUIRE(write_evidence(directory.path(), history, verdict, {}).ok());
  CHECK(directory.read(".elapid-evidence").empty());
  Verdict valid;
  valid.assumptions.elle_compat = true;
  REQUIRE(write_evidence(directory.path(), history, valid, {}).ok());
  CHECK_FALSE(directory.read("G1c.txt").empty());
}

TEST_CASE("graphs left out are noted") {
  const TemporaryDirectory directory;
  const History history = g1c_history();
  EvidenceOptions options;
  options.plots.max_dot_bytes = 100;
  const auto notes = write_evidence(directory.path(), history, g1c_verdict(history), options);
  REQUIRE(notes.ok());
  CHECK(notes.value() == std::vector<std::string>{
                             "2 graphs were left out: they are too large, or there are too many."});
}

TEST_CASE("plots left out are noted") {
  if (!warned_can_draw()) {
    return;
  }
  const TemporaryDirectory directory;
  const History history = g1c_history();
  EvidenceOptions options;
  options.plots.max_dot_bytes = 100;
  options.max_plots = 1;
  const auto notes = write_evidence(directory.path(), history, elles_verdict(history), options);
  REQUIRE(notes.ok());
  CHECK(notes.value() ==
        std::vector<std::string>{"G1c/0.svg was not drawn: its DOT text is longer than 100 bytes.",
                                 "1 more plots were not drawn."});
  CHECK(directory.file_count() == 1);
}

TEST_CASE("the writing can be stopped between plots") {
  if (!warned_can_draw()) {
    return;
  }
  const TemporaryDirectory directory;
  const History history = g1c_history();
  EvidenceOptions options;
  int calls = 0;
  options.progress = [&calls] { return ++calls < 2; };
  const auto notes = write_evidence(directory.path(), history, elles_verdict(history), options);
  REQUIRE_FALSE(notes.ok());
  CHECK(notes.error().message == "the writing of evidence was interrupted");
  CHECK(calls == 2);
  CHECK(directory.file_count() == 2);
}

TEST_CASE("a table for each incompatible order") {
  const TemporaryDirectory directory;
  const History history = TestHistory()
                              .txn(0, "r :a/b 1 ; r :y 1")
                              .txn(1, "r :a/b 2")
                              .invoke(2, "r :a/b nil")
                              .info(2, "r :a/b nil")
                              .build();
  Verdict verdict;
  verdict.validity = Validity::kInvalid;
  verdict.anomalies = {{AnomalyType::kIncompatibleOrder,
                        IncompatibleOrderEvidence{.key = key_named(history, ":a/b"),
                                                  .first_reader = {{0}, EventKind::kCompletion},
                                                  .first_mop = 0,
                                                  .second_reader = {{1}, EventKind::kCompletion},
                                                  .second_mop = 0}}};
  REQUIRE(write_evidence(directory.path(), history, verdict, {}).ok());
  const std::string page = directory.read("incompatible-order/:a%2Fb.html");
  CHECK(occurrences(page, "<tr><td>") == 2);
  CHECK(directory.read("incompatible-order.txt") ==
        anomalies_text(history, verdict.anomalies, {}, {.full = true}));
  CHECK(directory.file_count() == 2 + kList);
}

TEST_CASE("a directory that cannot be made is an error") {
  const TemporaryDirectory directory;
  REQUIRE(write_file(directory.path() / "file", "").ok());
  const History history = g1c_history();
  const auto result = write_evidence(directory.path() / "file", history, g1c_verdict(history), {});
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind == ErrorKind::kUnreadable);
}

}  // namespace
}  // namespace elapid
