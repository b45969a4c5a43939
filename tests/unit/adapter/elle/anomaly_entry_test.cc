#include "adapter/elle/anomaly_entry.h"

#include <catch2/catch.hpp>
#include <utility>

#include "tests/unit/adapter/elle/test_history.h"

namespace elapid {
namespace {

using namespace elle_test;

std::string printed(const History& history, AnomalyType type, Evidence evidence) {
  DocumentWriter out(Syntax::kEdn);
  write_anomaly_entry(out, history, {type, std::move(evidence)}, {});
  return std::move(out).take();
}

TEST_CASE("a cycle returns to its first operation") {
  const History history = g1c_history();
  CHECK(printed(history, AnomalyType::kG1c, g1c_cycle(history)) ==
        "{:cycle ["
        "{:index 3, :time 2000000, :type :ok, :process 1, :f :txn, "
        ":value [[:append :x 2] [:append :y 1]]} "
        "{:index 2, :time 2000000, :type :ok, :process 0, :f :txn, "
        ":value [[:append :x 1] [:r :y [1]]]} "
        "{:index 3, :time 2000000, :type :ok, :process 1, :f :txn, "
        ":value [[:append :x 2] [:append :y 1]]}], "
        ":steps ({:type :wr, :key :y, :value 1, :a-mop-index 1, :b-mop-index 1} "
        "{:type :ww, :key :x, :value 1, :value' 2, :a-mop-index 0, :b-mop-index 0}), "
        ":type :G1c}");
}

TEST_CASE("reads of lists name the element, reads of registers do not") {
  const History list = TestHistory().invoke(0, "a :x 1").fail(0, "a :x 1").txn(0, "r :x 1").build();
  const ReadEvidence evidence{.reader = {1},
                              .mop = 0,
                              .element = number(1),
                              .writer = EventRef{{0}, EventKind::kCompletion}};
  CHECK(printed(list, AnomalyType::kG1a, evidence) ==
        "{:op {:index 3, :time -1, :type :ok, :process 0, :f :txn, :value [[:r :x [1]]]}, "
        ":mop [:r :x [1]], "
        ":writer {:index 1, :time -1, :type :fail, :process 0, :f :txn, "
        ":value [[:append :x 1]]}, :element 1}");
  const History registers =
      TestHistory().invoke(0, "w :x 1").fail(0, "w :x 1").txn(0, "R :x 1").build();
  CHECK(printed(registers, AnomalyType::kG1a, evidence)
            .ends_with(":mop [:r :x 1], :writer {:index 1, :time -1, :type :fail, :process 0, "
                       ":f :txn, :value [[:w :x 1]]}}"));
}

TEST_CASE("reads without a writer") {
  const History history = TestHistory().txn(0, "r :x 1 ; a :x 1").build();
  const ReadEvidence evidence{.reader = {0}, .mop = 0, .element = number(1)};
  const std::string entry =
      "{:op {:index 1, :time -1, :type :ok, :process 0, :f :txn, "
      ":value [[:r :x [1]] [:append :x 1]]}, :mop [:r :x [1]], :element 1}";
  CHECK(printed(history, AnomalyType::kFutureRead, evidence) == entry);
  CHECK(printed(history, AnomalyType::kGarbageRead, evidence) == entry);
}

TEST_CASE("internal: values, lists and suffixes are expected") {
  const History history = TestHistory().txn(0, "a 0 6 ; r 0 nil").build();
  const std::string start =
      "{:op {:index 1, :time -1, :type :ok, :process 0, :f :txn, "
      ":value [[:append 0 6] [:r 0 nil]]}, :mop [:r 0 nil], :expected ";
  const auto expecting = [&](ExpectedRead expected) {
    return printed(history, AnomalyType::kInternal,
                   InternalEvidence{.txn = {0}, .mop = 1, .expected = std::move(expected)});
  };
  CHECK(expecting({.kind = ExpectedRead::Kind::kSuffix, .elements = {number(6)}}) ==
        start + "[... 6]}");
  CHECK(expecting({.kind = ExpectedRead::Kind::kList, .elements = {number(5), number(6)}}) ==
        start + "[5 6]}");
  CHECK(expecting({.kind = ExpectedRead::Kind::kScalar, .scalar = number(2)}) == start + "2}");
}

TEST_CASE("duplicate elements") {
  const History history = TestHistory().txn(1, "r 2 1,6,9,9").build();
  CHECK(printed(history, AnomalyType::kDuplicateElements,
                DuplicateElementsEvidence{.txn = {0}, .mop = 0, .counts = {{number(9), 2U}}}) ==
        "{:op {:index 1, :time -1, :type :ok, :process 1, :f :txn, :value [[:r 2 [1 6 9 9]]]}, "
        ":mop [:r 2 [1 6 9 9]], :duplicates {9 2}}");
}

TEST_CASE("incompatible orders") {
  const History history = TestHistory().txn(0, "r 1 4").txn(0, "a 1 5 ; r 1 1").build();
  CHECK(printed(history, AnomalyType::kIncompatibleOrder,
                IncompatibleOrderEvidence{.key = history.find_key(number(1)),
                                          .first_reader = {{0}, EventKind::kCompletion},
                                          .first_mop = 0,
                                          .second_reader = {{1}, EventKind::kCompletion},
                                          .second_mop = 1}) == "{:key 1, :values [[4] [1]]}");
}

TEST_CASE("dirty updates") {
  const History history =
      TestHistory().invoke(0, "a :x 1").fail(0, "a :x 1").txn(1, "a :x 2").build();
  CHECK(printed(history, AnomalyType::kDirtyUpdate,
                DirtyUpdateEvidence{.key = key_named(history, ":x"),
                                    .values = {number(1), number(2)},
                                    .aborted = {0},
                                    .committed = {1}}) ==
        "{:key :x, :values [1 2], :txns ["
        "{:index 1, :time -1, :type :fail, :process 0, :f :txn, :value [[:append :x 1]]} ... "
        "{:index 3, :time -1, :type :ok, :process 1, :f :txn, :value [[:append :x 2]]}]}");
}

TEST_CASE("lost updates") {
  const History history = TestHistory().txn(0, "r :x 0 ; a :x 1").txn(0, "r :x 0 ; a :x 2").build();
  CHECK(
      printed(history, AnomalyType::kLostUpdate,
              LostUpdateEvidence{.key = key_named(history, ":x"), .txns = {{0}, {1}}, .mop = 0}) ==
      "{:key :x, :value [0], :txns ["
      "{:index 1, :time -1, :type :ok, :process 0, :f :txn, :value [[:r :x [0]] [:append :x 1]]} "
      "{:index 3, :time -1, :type :ok, :process 0, :f :txn, "
      ":value [[:r :x [0]] [:append :x 2]]}]}");
}

TEST_CASE("cyclic versions") {
  const History history = TestHistory().txn(0, "w :x 1").build();
  CHECK(printed(history, AnomalyType::kCyclicVersions,
                CyclicVersionsEvidence{
                    .key = key_named(history, ":x"),
                    .versions = {number(1), number(2)},
                    .sources = {VersionSource::kInitialState, VersionSource::kSequentialKeys}}) ==
        "{:key :x, :scc #{1 2}, :sources [:initial-state :sequential-keys]}");
}

TEST_CASE("the existence of a cycle") {
  const History history = g1c_history();
  CycleExistsEvidence evidence{.model = Model::kPlSi, .component = {{0}, {1}}, .walk = {}};
  const std::string start =
      "{:type :PL-SI-cycle-exists, :not :snapshot-isolation, "
      ":subgraph [:extension [:union :ww :wwp :wr :wrp] [:union :rw :rwp]], :scc-size 2, "
      ":scc #{2 3}";
  CHECK(printed(history, AnomalyType::kPlSiCycleExists, evidence) == start + "}");
  evidence.walk = g1c_cycle(history).steps;
  CHECK(printed(history, AnomalyType::kPlSiCycleExists, evidence)
            .starts_with(start + ", :elapid/cycle [{:index 3, "));
}

TEST_CASE("an order that was looked for in vain") {
  const NoOrderEvidence evidence{Model::kPlSi, {{{0}, {1}}, 2, 17}};
  CHECK(printed(g1c_history(), AnomalyType::kPlSiCycleExists, evidence) ==
        "{:type :PL-SI-cycle-exists, :not :snapshot-isolation, "
        ":subgraph [:extension [:union :ww :wwp :wr :wrp] [:union :rw :rwp]], :scc-size 2, "
        ":scc #{2 3}, :elapid/sessions 2, :elapid/states 17, :elapid/certified? false}");
}

TEST_CASE("a search out of budget, and nothing to search") {
  const History history = TestHistory().build();
  CHECK(printed(
            history, AnomalyType::kCycleSearchTimeout,
            SearchTimeoutEvidence{.searching = AnomalyType::kGNonadjacentItemProcess,
                                  .does_not_contain = {AnomalyType::kGSingleItem, AnomalyType::kG0},
                                  .component_size = 45}) ==
        "{:type :cycle-search-timeout, :anomaly-spec-type :G-nonadjacent-item-process, "
        ":does-not-contain (:G-single-item :G0), :scc-size 45}");
  CHECK(printed(history, AnomalyType::kEmptyTransactionGraph, EmptyGraphEvidence{}) == "true");
}

}  // namespace
}  // namespace elapid
