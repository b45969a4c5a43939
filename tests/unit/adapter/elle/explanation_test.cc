#include "adapter/elle/explanation.h"

#include <catch2/catch.hpp>
#include <utility>

#include "adapter/elle/cycle_text.h"
#include "engine/evidence/describe.h"
#include "engine/evidence/gloss.h"
#include "engine/evidence/shown_orders.h"
#include "tests/unit/adapter/elle/test_history.h"

namespace elapid {
namespace {

using namespace elle_test;

std::string text_of(const History& history, AnomalyType type, Evidence evidence,
                    const TextOptions& options = {}) {
  ShownOrders orders(history, {});
  return to_text(history, describe(history, {type, std::move(evidence)}, orders), options);
}

/// The claims alone, one a line.
std::string claims(const History& history, AnomalyType type, Evidence evidence) {
  std::string text = text_of(history, type, std::move(evidence)) + "\n";
  const std::size_t then = text.find("Then:\n");
  text.erase(0, then == std::string::npos ? 0 : then + 6);
  for (std::size_t at = 0; (at = text.find("  - ", at)) != std::string::npos;) {
    text.erase(at, 4);
  }
  return text;
}

/// A cycle of `length` appends to one key, each after the one before.
History ring_history(std::int64_t length) {
  TestHistory history;
  for (std::int64_t n = 0; n < length; ++n) {
    history.txn(0, "a :x " + std::to_string(n));
  }
  return history.build();
}

CycleEvidence ring(const History& history) {
  CycleEvidence cycle;
  const auto length = static_cast<std::uint32_t>(history.txn_count());
  for (std::uint32_t n = 0; n < length; ++n) {
    cycle.steps.push_back({.from = {n},
                           .to = {(n + 1) % length},
                           .key = {0},
                           .value = number(n),
                           .value_after = number((n + 1) % length),
                           .from_mop = 0,
                           .to_mop = 0});
  }
  return cycle;
}

TEST_CASE("Elle's text of cycles") {
  const History history = g1c_history();
  const std::string one =
      "Let:\n"
      "  T1 = {:index 3, :time 2000000, :type :ok, :process 1, :f :txn, "
      ":value [[:append :x 2] [:append :y 1]]}\n"
      "  T2 = {:index 2, :time 2000000, :type :ok, :process 0, :f :txn, "
      ":value [[:append :x 1] [:r :y [1]]]}\n"
      "\n"
      "Then:\n"
      "  - T1 < T2, because T2 observed T1's append of 1 to key :y.\n"
      "  - However, T2 < T1, because T1 appended 2 after T2 appended 1 to :x: a contradiction!";
  const Anomaly anomaly{AnomalyType::kG1c, g1c_cycle(history)};
  const std::vector<Anomaly> cycles = {anomaly, anomaly};
  CHECK(elle_cycles_text(history, cycles, {}) == "G1c #0\n" + one + "\n\n\nG1c #1\n" + one);
}

TEST_CASE("the text below a verdict") {
  const History history = g1c_history();
  Verdict verdict;
  verdict.validity = Validity::kInvalid;
  verdict.anomalies = {{AnomalyType::kG1c, g1c_cycle(history)},
                       {AnomalyType::kG1c, g1c_cycle(history)}};
  verdict.not_models.set(Model::kPl2);
  verdict.also_not_models.set(Model::kPl3);
  TextOptions options;
  options.place = [](TxnId txn, EventKind) { return "h.edn:" + std::to_string(txn.value + 3); };
  CHECK(explanation(history, verdict, options) ==
        "G1c: circular information flow\n"
        "Let:\n"
        "  T1 = h.edn:4 {:index 3, :time 2000000, :type :ok, :process 1, :f :txn, "
        ":value [[:append :x 2] [:append :y 1]]}\n"
        "  T2 = h.edn:3 {:index 2, :time 2000000, :type :ok, :process 0, :f :txn, "
        ":value [[:append :x 1] [:r :y [1]]]}\n"
        "  T3 = h.edn:5 {:index 5, :time 2000000, :type :ok, :process 2, :f :txn, "
        ":value [[:r :x [1 2]]]}\n"
        "\n"
        "Then:\n"
        "  - T1 < T2, because T2 observed T1's append of 1 to key :y.\n"
        "  - However, T2 < T1, because T1 appended 2 after T2 appended 1 to :x, as T3 (index 5) "
        "read [1 2]: a contradiction!\n"
        "and 1 more of G1c\n"
        "\n"
        "Not: read-committed; therefore also not: serializable\n");
  options.colour = true;
  CHECK(explanation(history, verdict, options).starts_with("\x1b[1mG1c\x1b[0m: circular"));
  CHECK(explanation(history, {}, options).empty());
}

TEST_CASE("why a verdict is unknown") {
  Verdict verdict;
  verdict.validity = Validity::kUnknown;
  verdict.elle_error = "it throws";
  verdict.unknown_because = "the budget";
  verdict.warnings = {"a quirk"};
  CHECK(explanation(TestHistory().build(), verdict, {}) ==
        "Elle stops here with an error: it throws\nUnknown: the budget\n"
        "Warning: a quirk\n");
}

TEST_CASE("glosses") {
  CHECK(gloss(AnomalyType::kG0) == "a cycle of writes");
  CHECK(gloss(AnomalyType::kGSingleItemRealtime) == "read skew, with real time");
  CHECK(gloss(AnomalyType::kG1cProcess) == "circular information flow, with session order");
  CHECK(gloss(AnomalyType::kLostUpdate).empty());
}

TEST_CASE("a long cycle shows its beginning and its end") {
  const History history = ring_history(100);
  const std::string text = text_of(history, AnomalyType::kG0, ring(history));
  CHECK(std::count(text.begin(), text.end(), '\n') == 3 + 13 + 11);
  CHECK(text.find("  - T7 < T8, because T8 appended 7 after T7 appended 6 to :x.\n"
                  "  - … 89 more steps …\n"
                  "  - T97 < T98, because") != std::string::npos);
  CHECK(text.find("[[:append :x 7]]}\n  … 88 more transactions …\n  T97 = ") != std::string::npos);
  const std::string whole = text_of(history, AnomalyType::kG0, ring(history), {.full = true});
  CHECK(std::count(whole.begin(), whole.end(), '\n') == 3 + 100 + 99);
}

TEST_CASE("reads of aborted, intermediate, unwritten and future values") {
  const History history = TestHistory()
                              .invoke(0, "a :x 1 ; a :x 2")
                              .fail(0, "a :x 1 ; a :x 2")
                              .txn(1, "r :x 1")
                              .txn(1, "r :x 5 ; a :y 1 ; a :x 5")
                              .build();
  const EventRef writer{{0}, EventKind::kCompletion};
  const ReadEvidence read{.reader = {1}, .mop = 0, .element = number(1), .writer = writer};
  CHECK(claims(history, AnomalyType::kG1a, read) ==
        "T2 appended 1 to key :x, and was aborted.\n"
        "However, T1 read 1 from key :x: a read of an aborted write!\n");
  CHECK(claims(history, AnomalyType::kG1b, read) ==
        "T2 appended 1 to key :x, and wrote key :x again later in the same transaction.\n"
        "However, T1 read key :x = [1]: a read of an intermediate state!\n");
  const ReadEvidence own{.reader = {2}, .mop = 0, .element = number(5)};
  CHECK(claims(history, AnomalyType::kGarbageRead, own) ==
        "No transaction ever wrote 5 to key :x, not even an aborted one.\n"
        "However, T1 read 5 from key :x: a read of a value from nowhere!\n");
  CHECK(claims(history, AnomalyType::kFutureRead, own) ==
        "T1 wrote 5 to key :x.\n"
        "However, T1 had read 5 from key :x before: a read from the future!\n");
  CHECK(text_of(history, AnomalyType::kFutureRead, own) ==
        "Let:\n"
        "  T1 = {:index 5, :time -1, :type :ok, :process 1, :f :txn, "
        ":value [[:r :x [5]] … [:append :x 5]]}\n"
        "\n"
        "Then:\n"
        "  - T1 wrote 5 to key :x.\n"
        "  - However, T1 had read 5 from key :x before: a read from the future!");
}

TEST_CASE("a transaction that contradicts itself") {
  const History history = TestHistory().txn(0, "a :x 6 ; a :y 1 ; r :x nil").build();
  InternalEvidence evidence{.txn = {0}, .mop = 2, .expected = {}};
  evidence.expected = {.kind = ExpectedRead::Kind::kSuffix, .elements = {number(6)}};
  CHECK(claims(history, AnomalyType::kInternal, evidence) ==
        "By its own earlier operations, T1 must read key :x as a list that ends in [6].\n"
        "However, T1 read nil: it contradicts itself!\n");
  evidence.expected = {.kind = ExpectedRead::Kind::kList, .elements = {number(5), number(6)}};
  CHECK(claims(history, AnomalyType::kInternal, evidence)
            .starts_with("By its own earlier operations, T1 must read key :x as [5 6].\n"));
  evidence.expected = {.kind = ExpectedRead::Kind::kScalar, .scalar = number(3)};
  CHECK(claims(history, AnomalyType::kInternal, evidence)
            .starts_with("By its own earlier operations, T1 must read key :x as 3.\n"));
}

TEST_CASE("reads of lists that cannot be") {
  const History history =
      TestHistory().txn(0, "r :x 1,2,2").txn(1, "r :x 1,3").invoke(2, "a :x 3").build();
  const KeyId key = key_named(history, ":x");
  CHECK(claims(history, AnomalyType::kDuplicateElements,
               DuplicateElementsEvidence{.txn = {0}, .mop = 0, .counts = {{number(2), 2U}}}) ==
        "Each element is appended once, so no list can hold it twice.\n"
        "However, T1 read key :x with 2 (2 times): duplicate elements!\n");
  CHECK(claims(history, AnomalyType::kIncompatibleOrder,
               IncompatibleOrderEvidence{.key = key,
                                         .first_reader = {{0}, EventKind::kCompletion},
                                         .first_mop = 0,
                                         .second_reader = {{1}, EventKind::kCompletion},
                                         .second_mop = 0}) ==
        "T1 read key :x = [1 2 2].\n"
        "However, T2 read key :x = [1 3]: neither is a prefix of the other, so no order of "
        "appends explains both!\n");
}

TEST_CASE("updates of aborted and of stale versions") {
  const History history = TestHistory()
                              .invoke(0, "a :x 1")
                              .fail(0, "a :x 1")
                              .txn(1, "r :x 1 ; a :x 2")
                              .txn(2, "a :y 1 ; r :x 1 ; a :x 3")
                              .build();
  const KeyId key = key_named(history, ":x");
  CHECK(
      claims(history, AnomalyType::kDirtyUpdate,
             DirtyUpdateEvidence{
                 .key = key, .values = {number(1), number(2)}, .aborted = {0}, .committed = {1}}) ==
      "T1 appended to key :x, and was aborted.\n"
      "However, T2 committed an append to key :x on top of it, as the elements [1 2] show: an "
      "update of an aborted state!\n");
  const std::string text = text_of(history, AnomalyType::kLostUpdate,
                                   LostUpdateEvidence{.key = key, .txns = {{1}, {2}}, .mop = 0});
  CHECK(text.find(":value [… [:r :x [1]] [:append :x 3]]}") != std::string::npos);
  CHECK(text.ends_with(
      "Then:\n"
      "  - T1 and T2 each read key :x = [1], and then wrote key :x.\n"
      "  - However, only one of these writes can directly follow that version: lost updates!"));
}

TEST_CASE("many transactions are summed up") {
  TestHistory script;
  LostUpdateEvidence evidence;
  for (std::uint32_t n = 0; n < 20; ++n) {
    script.txn(n, "R :x nil ; w :x " + std::to_string(n));
    evidence.txns.push_back({n});
  }
  const History history = script.build();
  evidence.key = key_named(history, ":x");
  const std::string text = text_of(history, AnomalyType::kLostUpdate, evidence);
  CHECK(text.find("\n  T8 = ") != std::string::npos);
  CHECK(text.find("\n  T9 = ") == std::string::npos);
  CHECK(text.find("  - T1, T2, T3, T4, T5, T6, T7, T8 and 12 more each read key :x = nil, and then "
                  "wrote key :x.\n") != std::string::npos);
  const std::string whole = text_of(history, AnomalyType::kLostUpdate, evidence, {.full = true});
  CHECK(whole.find("\n  T20 = ") != std::string::npos);
}

TEST_CASE("evidence without transactions is told without Let") {
  const History history = g1c_history();
  CHECK(claims(history, AnomalyType::kCyclicVersions,
               CyclicVersionsEvidence{
                   .key = key_named(history, ":x"),
                   .versions = {number(1), number(2)},
                   .sources = {VersionSource::kInitialState, VersionSource::kWfrKeys}}) ==
        "The versions of key :x are ordered by initial-state and wfr-keys.\n"
        "However, by these 1 and 2 each come before all the others: a contradiction!\n");
  const CycleExistsEvidence exists{.model = Model::kPl3, .component = {{0}, {1}}, .walk = {}};
  CHECK(text_of(history, AnomalyType::kPl3CycleExists, exists) ==
        "  - Under serializable, the dependencies among the transactions at index 2 and 3 must "
        "have an "
        "order.\n"
        "  - However, they run in a cycle: a contradiction!");
  CHECK(
      claims(history, AnomalyType::kPl3CycleExists,
             NoOrderEvidence{Model::kPl3, {{{0}, {1}}, 2, 17}}) ==
      "Under serializable, the 2 transactions of 2 sessions at index 2 and 3 must have an order.\n"
      "However, all were tried, through 17 states, and none lets each read return what it did: a "
      "contradiction! (Only another search could certify that.)\n");
  CHECK(
      claims(history, AnomalyType::kPl3CycleExists, NoOrderEvidence{Model::kPl3, {{{1}}, 1, 0}}) ==
      "Under serializable, the 1 transaction of 1 session at index 3 must have an order.\n"
      "However, what they read rules out any: a contradiction!\n");
  CHECK(claims(history, AnomalyType::kCycleSearchTimeout,
               SearchTimeoutEvidence{.searching = AnomalyType::kG0,
                                     .does_not_contain = {AnomalyType::kGSingleItem},
                                     .component_size = 45}) ==
        "A component of 45 transactions has cycles; the search for G0 in it ran out of budget.\n"
        "Before that, G-single-item had been excluded.\n");
  CHECK(claims(history, AnomalyType::kEmptyTransactionGraph, EmptyGraphEvidence{}) ==
        "No transaction depends on another: there was nothing to search for cycles.\n");
}

}  // namespace
}  // namespace elapid
