#include "engine/solve/minimal_refutation.h"

#include <catch2/catch.hpp>
#include <set>
#include <string_view>

#include "engine/ir/history_builder.h"
#include "engine/solve/proof_strength.h"
#include "harness/sketch/tiny_history.h"
#include "tests/unit/engine/solve/certified_solve.h"

namespace elapid {
namespace {

constexpr OrderLevel kSerializable = {Visibility::kSerial, false, false};
constexpr OrderLevel kSessionSerializable = {Visibility::kSerial, true, false};
constexpr OrderLevel kStrictSerializable = {Visibility::kSerial, true, true};
constexpr OrderLevel kStrongSnapshot = {Visibility::kSnapshot, true, true};

/// Numbers of the transactions in the refutation's cycles.
std::set<std::uint32_t> named(const SolveResult& result) {
  REQUIRE(result.refutation);
  std::set<std::uint32_t> txns;
  for (const ProofStep& step : result.refutation->steps) {
    for (const OrderEdge& edge : step.cycle) {
      txns.insert({edge.from.value, edge.to.value});
    }
  }
  return txns;
}

SolveResult of_registers(std::string_view text, OrderLevel level) {
  return certified_solve(register_history(text), level);
}

TEST_CASE("minimal refutation: transactions on the way are not named") {
  CHECK(named(of_registers("0 wx2; 0+; 0+; 0 rx2; 0+; 0 wx1; 0 rx2", kStrongSnapshot)) ==
        std::set<std::uint32_t>{0, 5, 6});
  const SolveResult lists =
      certified_solve(list_history("0 ax1; 0 ax2; 0 ax3 rx123; 0 rx"), kSessionSerializable);
  CHECK(named(lists).size() == 2);
}

TEST_CASE("minimal refutation: sessions and real time only where they are needed") {
  constexpr std::string_view kSkew = "0> rx_ wy1; 1> ry_ wx1; 0+ rx_ wy1; 1+ ry_ wx1; 0 rx1; 1 ry1";
  for (const OrderLevel level : {kSerializable, kSessionSerializable, kStrictSerializable}) {
    const SolveResult result = of_registers(kSkew, level);
    CHECK(named(result) == std::set<std::uint32_t>{0, 1});
    CHECK(strength_of(result).order == ProofStrength::Order::kNone);
  }
  const SolveResult in_session = of_registers("0 wx1; 1 wy1; 0 rx_; 1 ry1", kStrictSerializable);
  CHECK(strength_of(in_session).order == ProofStrength::Order::kSessions);
}

TEST_CASE("minimal refutation: the stronger of two violations stays") {
  // A lost update of x, and a write skew of y and z.
  const SolveResult result = of_registers(
      "0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2; 2> ry_ wz1; 3> rz_ wy1; 2+ ry_ wz1; 3+ rz_ "
      "wy1",
      kSerializable);
  CHECK(named(result).size() == 2);
  CHECK(result.ends_with_cycle);
}

TEST_CASE(
    "minimal refutation: whoever shows that an indeterminate transaction took effect counts") {
  // Unless 3 had read from it, 4 need not have happened, and so not have read anything.
  const SolveResult result =
      of_registers("0 wz2; 1 rz2 wz3; 1 wy1; 2 rx1; 3?ry1 rz2 wx1", kSessionSerializable);
  CHECK(named(result) == std::set<std::uint32_t>{0, 1, 2, 4});
}

TEST_CASE("minimal refutation: a case split keeps what each branch rests on") {
  const SolveResult result =
      of_registers("0 wx1 wy1; 1 wx1 wy2; 2 rx1 ry1; 2 rx1 ry2; 2 rx1 ry1", kSessionSerializable);
  CHECK(result.validity == Validity::kInvalid);
  CHECK(named(result) == std::set<std::uint32_t>{0, 1, 2, 3, 4});
}

TEST_CASE("minimal refutation: assumptions about keys are kept with whom they bind") {
  const Assumptions sequential = {.sequential_keys = true};
  const SolveResult result =
      certified_solve(register_history("0 wy1; 0 wx1; 0 ry1; 0 wx2; 1 ry1; 1 rx2; 1 ry1; 1 rx1"),
                      kSerializable, sequential);
  CHECK(named(result) == std::set<std::uint32_t>{1, 3, 7});
}

TEST_CASE("minimal refutation: of a proof that is too long to minimize, as much as can be tried") {
  HistoryBuilder builder;
  constexpr std::uint32_t kLength = 30'000;
  const auto mop = [&](OpKind kind, std::uint32_t key, std::int64_t value) {
    return MopInput{
        .kind = kind, .key = builder.key(ValueId::integer(key)), .value = ValueId::integer(value)};
  };
  for (std::uint32_t i = 0; i <= kLength; ++i) {  // each reads what the one before wrote
    const MopInput mops[] = {mop(OpKind::kRead, i, 1),
                             mop(OpKind::kWrite, (i + 1) % (kLength + 1), 1)};
    REQUIRE(builder.add_transaction({.session = i, .mops = mops}).ok());
  }
  Result<History> ring = std::move(builder).build({.initial = ValueId::integer(0)});
  REQUIRE(ring);
  const SolveResult result = certified_solve(ring.value(), kSessionSerializable);
  CHECK(named(result).size() == kLength + 1);
}

TEST_CASE("minimal refutation: it is left out where only the answer is asked for") {
  const History history = register_history("0 wx2; 0+; 0+; 0 rx2; 0+; 0 wx1; 0 rx2");
  const SolveResult result = solve(history, {.level = kStrongSnapshot, .minimal = false});
  CHECK(named(result).size() > 3);
}

}  // namespace
}  // namespace elapid
