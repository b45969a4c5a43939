// Histories of whole transactions: what can be said of them without invocations, and without times.
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/check/check.h"
#include "engine/ir/history_builder.h"

namespace elapid {
namespace {

/// A transaction such as {0, "rx0 wx1"}: operations on keys x and y of registers.
struct Txn {
  std::int64_t session = 0;
  std::string ops = {};
  TxnStatus status = TxnStatus::kCommitted;
  std::pair<std::int64_t, std::int64_t> times = {-1, -1};
};

History trace(const std::vector<Txn>& txns, BuilderOptions options, HistoryInfo info) {
  HistoryBuilder builder(options);
  for (const Txn& txn : txns) {
    std::vector<MopInput> mops;
    for (std::size_t at = 0; at + 2 < txn.ops.size(); at += 4) {
      const ValueId value =
          txn.ops[at + 2] == '_' ? ValueId::nil() : ValueId::integer(txn.ops[at + 2] - '0');
      mops.push_back({.kind = txn.ops[at] == 'r' ? OpKind::kRead : OpKind::kWrite,
                      .key = builder.key(ValueId::integer(txn.ops[at + 1])),
                      .value = value});
    }
    TxnInput input = {.session = txn.session, .status = txn.status, .mops = mops};
    if (txn.times.first >= 0) {
      input.invocation_time = txn.times.first;
      input.completion_time = txn.times.second;
    }
    REQUIRE(builder.add_transaction(input).ok());
  }
  Result<History> built = std::move(builder).build(std::move(info));
  REQUIRE(built);
  return std::move(built).value();
}

History zero_trace(const std::vector<Txn>& txns) {
  return trace(txns, {}, {.initial = ValueId::integer(0)});
}

Verdict verdict(const History& history, Model model, Engine engine = Engine::kAuto) {
  CheckOptions options = {.engine = engine};
  options.models.set(model);
  Result<Verdict> result = check(history, options);
  REQUIRE(result);
  return std::move(result).value();
}

Validity at_session_ser(const History& history) {
  return verdict(history, Model::kStrongSessionSerializable).validity;
}

TEST_CASE("traces: a lost update from the initial value is found") {
  CHECK(at_session_ser(zero_trace({{0, "rx0 wx1"}, {1, "rx0 wx2"}})) == Validity::kInvalid);
}

TEST_CASE("traces: session order counts") {
  CHECK(at_session_ser(zero_trace({{0, "wx1"}, {0, "rx0"}})) == Validity::kInvalid);
  CHECK(at_session_ser(zero_trace({{0, "wx1"}, {1, "rx0"}})) == Validity::kValid);
}

TEST_CASE("traces: what inference alone does not refute on registers is unknown, with the reason") {
  const Verdict found = verdict(zero_trace({{0, "wx1"}, {1, "rx1"}}),
                                Model::kStrongSessionSerializable, Engine::kElle);
  CHECK(found.validity == Validity::kUnknown);
  REQUIRE(found.unknown_because);
  CHECK(found.unknown_because->find("not complete for registers") != std::string::npos);
}

TEST_CASE("traces: the order of recording is not real time") {
  const History history = zero_trace({{0, "wx1"}, {1, "rx0"}});
  CHECK_FALSE(history.info().has_real_time);
  const Verdict found = verdict(history, Model::kPlSs);
  CHECK(found.validity == Validity::kUnknown);
  REQUIRE(found.unknown_because);
  CHECK(found.unknown_because->find("needs real time") != std::string::npos);
  // What already session order forbids is forbidden without times too.
  CHECK(verdict(zero_trace({{0, "wx1"}, {0, "rx0"}}), Model::kPlSs).validity == Validity::kInvalid);
}

TEST_CASE("traces: times are real time, in whatever order transactions were recorded") {
  const HistoryInfo info = {.initial = ValueId::integer(0)};
  const History stale = trace(
      {{1, "rx0", TxnStatus::kCommitted, {30, 40}}, {0, "wx1", TxnStatus::kCommitted, {10, 20}}},
      {}, info);
  CHECK(stale.info().has_real_time);
  CHECK(verdict(stale, Model::kPlSs).validity == Validity::kInvalid);
  const History concurrent = trace(
      {{1, "rx0", TxnStatus::kCommitted, {20, 40}}, {0, "wx1", TxnStatus::kCommitted, {10, 20}}},
      {}, info);
  CHECK(verdict(concurrent, Model::kPlSs).validity == Validity::kValid);
  const History one_without =
      trace({{1, "rx0", TxnStatus::kCommitted, {30, 40}}, {0, "wx1"}}, {}, info);
  CHECK_FALSE(one_without.info().has_real_time);
}

TEST_CASE("traces: an assumption about real time is refused where there is none") {
  CheckOptions options = {.assumptions = {.linearizable_keys = true}};
  const Result<Verdict> refused = check(zero_trace({{0, "wx1"}}), options);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::kUsage);
}

TEST_CASE("traces: a recorded initial transaction comes before everything") {
  // Session 2 reads both initial values after session 1's transactions, which it saw half of.
  const std::vector<Txn> txns = {{0, "wx0 wy0"}, {1, "wx1"}, {1, "wy1"}, {2, "ry1 rx0"}};
  const History history = trace(txns, {.first_txn = FirstTxn::kZeros}, {});
  CHECK(history.info().initial_txn == TxnId{0});
  CHECK(history.info().initial.is_none());
  CHECK(at_session_ser(history) == Validity::kInvalid);
  CHECK(at_session_ser(trace(txns, {}, {})) == Validity::kValid);
}

TEST_CASE("traces: not every first transaction is the initial one") {
  const auto finds = [](const std::vector<Txn>& txns, FirstTxn rule = FirstTxn::kZerosOrOnes) {
    const History history = trace(txns, {.first_txn = rule}, {.initial = ValueId::integer(0)});
    return !history.info().initial_txn.is_none();
  };
  CHECK(finds({{0, "wx0 wy0"}, {1, "rx0 ry0"}}));
  CHECK(finds({{0, "wx1 wy1"}, {1, "rx1 ry1"}}));
  CHECK_FALSE(finds({{0, "wx1 wy1"}, {1, "rx0 ry1"}}));  // 0 is what was there before
  CHECK_FALSE(finds({{0, "wx1 wy1"}, {1, "rx1 ry1"}}, FirstTxn::kZeros));
  CHECK_FALSE(finds({{0, "wx5 wy5"}, {1, "rx5 ry5"}}));  // no tool writes 5 at first
  CHECK(finds({{0, "wx5 wy5"}, {1, "rx5 ry5"}}, FirstTxn::kMarked));
  CHECK_FALSE(finds({{0, "wx1 wy2"}, {1, "rx1 ry2"}}));                       // not one value
  CHECK_FALSE(finds({{0, "wx1"}, {1, "rx1"}}));                               // one key says little
  CHECK(finds({{0, "wx0"}, {1, "rx0"}}));                                     // but that it is 0
  CHECK_FALSE(finds({{0, "wx0 wy0"}}));                                       // nothing follows
  CHECK_FALSE(finds({{0, "wx0"}, {1, "rx0 ry0"}}));                           // not every key
  CHECK_FALSE(finds({{0, "wx0 wx0"}, {1, "rx0 ry0"}}));                       // one twice
  CHECK_FALSE(finds({{0, "wx0 wy0"}, {0, "rx0 ry0"}}));                       // not alone
  CHECK_FALSE(finds({{0, "rx0 wy0"}, {1, "rx0 ry0"}}));                       // it reads
  CHECK_FALSE(finds({{0, "wx0 wy0", TxnStatus::kAborted}, {1, "rx0 ry0"}}));  // it aborted
}

TEST_CASE("traces: a value means the initial state only where no transaction writes it") {
  const History history =
      trace({{0, "wx0"}, {1, "rx0 ry0"}}, {.read_as_initial = ValueId::integer(0)}, {});
  const auto ops = history.ops({1});
  CHECK(ops[0].value() == ValueId::integer(0));
  CHECK(ops[1].value().is_nil());
}

}  // namespace
}  // namespace elapid
