#include "adapter/elle/result_map.h"

#include <catch2/catch.hpp>

#include "tests/unit/adapter/elle/test_history.h"

namespace elapid {
namespace {

using namespace elle_test;

Verdict invalid_verdict(const History& history) {
  Verdict verdict;
  verdict.validity = Validity::kInvalid;
  verdict.checked.set(Model::kPlSs);
  const IncompatibleOrderEvidence order{.key = key_named(history, ":x"),
                                        .first_reader = {{0}, EventKind::kCompletion},
                                        .first_mop = 0,
                                        .second_reader = {{1}, EventKind::kCompletion},
                                        .second_mop = 0};
  verdict.anomalies = {{AnomalyType::kEmptyTransactionGraph, EmptyGraphEvidence{}},
                       {AnomalyType::kIncompatibleOrder, order},
                       {AnomalyType::kIncompatibleOrder, order}};
  verdict.not_models.set(Model::kPl2);
  verdict.also_not_models.set(Model::kPlSs);
  verdict.also_not_models.set(Model::kPl3);
  return verdict;
}

History two_orders() {
  return TestHistory().txn(0, "r :x 1").txn(1, "r :x 2").build();
}

TEST_CASE("a valid verdict under elle-compat is all that Elle says") {
  Verdict verdict;
  verdict.assumptions.elle_compat = true;
  CHECK(result_map(two_orders(), verdict, Syntax::kEdn) == "{:valid? true}");
  CHECK(result_map(two_orders(), verdict, Syntax::kJson) == "{\"valid?\": true}");
}

TEST_CASE("a valid verdict says what was checked") {
  Verdict verdict;
  verdict.complete = true;
  verdict.assumptions.wfr_keys = true;
  verdict.assumptions.transaction_order = {{1, 5}, {3, 4}};
  CHECK(result_map(two_orders(), verdict, Syntax::kEdn) ==
        "{:valid? true\n"
        " :elapid/engine :elle\n"
        " :elapid/models #{}\n"
        " :elapid/complete? true\n"
        " :elapid/assumptions {:wfr-keys? true, :sequential-keys? false, "
        ":linearizable-keys? false, :elle-compat? false, :initial nil, "
        ":transaction-order {1 5, 3 4}}\n"
        " :elapid/counts {:transactions 2, :committed 2, :aborted 0, :indeterminate 0, "
        ":operations 2, :keys 1, :sessions 2, :events 4}}");
}

TEST_CASE("Elle's keys come first, a type a line, an entry a line") {
  const History history = two_orders();
  const std::string text = result_map(history, invalid_verdict(history), Syntax::kEdn);
  CHECK(text.starts_with(
      "{:valid? false\n"
      " :anomaly-types (:empty-transaction-graph :incompatible-order)\n"
      " :anomalies {:empty-transaction-graph true\n"
      "             :incompatible-order [{:key :x, :values [[1] [2]]}\n"
      "               {:key :x, :values [[1] [2]]}]}\n"
      " :not #{:read-committed}\n"
      " :also-not #{:serializable :strong-serializable}\n"
      " :elapid/engine :elle\n"
      " :elapid/models #{:strong-serializable}\n"
      " :elapid/definitions {:strong-serializable \"Serializable in an order that "
      "agrees with real time: a transaction that ended before another began comes first. "
      "(Papadimitriou, JACM 1979; Herlihy and Wing, TOPLAS 1990; Adya (PL-SS); with session order "
      "and real time)\"}\n"
      " :elapid/complete? false\n"));
}

TEST_CASE("JSON says the same") {
  const History history = two_orders();
  const std::string text = result_map(history, invalid_verdict(history), Syntax::kJson);
  CHECK(text.starts_with(
      "{\"valid?\": false,\n"
      " \"anomaly-types\": [\"empty-transaction-graph\", \"incompatible-order\"],\n"
      " \"anomalies\": {\"empty-transaction-graph\": true,\n"
      "             \"incompatible-order\": [{\"key\": \"x\", \"values\": [[1], [2]]},\n"
      "               {\"key\": \"x\", \"values\": [[1], [2]]}]},\n"
      " \"not\": [\"read-committed\"],\n"
      " \"also-not\": [\"serializable\", \"strong-serializable\"],\n"
      " \"elapid/engine\": \"elle\",\n"));
}

TEST_CASE("unknown says why") {
  Verdict verdict;
  verdict.validity = Validity::kUnknown;
  verdict.elle_error = "No transaction wrote :x = 3";
  verdict.unknown_because = "Elle would have thrown";
  verdict.warnings = {"one \"two\""};
  const std::string text = result_map(two_orders(), verdict, Syntax::kEdn);
  CHECK(
      text.starts_with("{:valid? :unknown\n :anomaly-types ()\n :anomalies {}\n :not #{}\n"
                       " :also-not #{}\n"));
  CHECK(
      text.ends_with("\n :elapid/error \"No transaction wrote :x = 3\"\n"
                     " :elapid/unknown-because \"Elle would have thrown\"\n"
                     " :elapid/warnings [\"one \\\"two\\\"\"]}"));
}

TEST_CASE("anomalies that do not fit are counted, each type has its share") {
  const History history = two_orders();
  Verdict verdict = invalid_verdict(history);
  const std::size_t whole = result_map(history, verdict, Syntax::kEdn).size();
  const auto map = [&](std::size_t bytes) {
    return result_map(history, verdict, Syntax::kEdn, {}, bytes);
  };
  CHECK(map(whole).find("omitted") == std::string::npos);
  const std::string one = map(120);
  CHECK(one.find(":incompatible-order [{:key :x, :values [[1] [2]]}]") != std::string::npos);
  CHECK(one.find(":elapid/omitted {:incompatible-order 1}}") != std::string::npos);
  const std::string none = map(0);
  CHECK(none.find(":incompatible-order []") != std::string::npos);
  CHECK(none.find(":anomaly-types (:empty-transaction-graph :incompatible-order)") !=
        std::string::npos);
  CHECK(none.find(":elapid/omitted {:incompatible-order 2}}") != std::string::npos);
}

TEST_CASE("of a long text the beginning remains, in whole characters") {
  Verdict verdict;
  verdict.entries = {{.key = "lost", .value = std::string("#{1 2 \xc3\xa9\xc3\xa9 3}")}};
  const auto map = [&](std::size_t bytes) {
    return result_map(two_orders(), verdict, Syntax::kEdn, {}, bytes);
  };
  CHECK(map(100).find(":lost \"#{1 2 éé 3}\"") != std::string::npos);
  CHECK(map(7).find(":lost \"#{1 2 …\"") != std::string::npos);
  CHECK(map(8).find(":lost \"#{1 2 é…\"") != std::string::npos);
}

}  // namespace
}  // namespace elapid
