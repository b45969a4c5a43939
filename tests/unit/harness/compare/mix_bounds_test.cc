#include "harness/compare/mix_bounds.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"

namespace elapid {
namespace {

/// Transactions that ask for these levels.
History asking(const std::vector<std::string>& levels) {
  HistoryBuilder builder;
  for (std::uint32_t t = 0; t < levels.size(); ++t) {
    const MopInput write = {.kind = OpKind::kWrite,
                            .key = builder.key(ValueId::integer(t)),
                            .value = ValueId::integer(1)};
    const Status added = builder.add_transaction(
        {.session = t, .level = builder.levels().number(levels[t]), .mops = {&write, 1}});
    REQUIRE(added.ok());
  }
  Result<History> built = std::move(builder).build({.workload = Workload::kRwRegister});
  REQUIRE(built);
  return std::move(built).value();
}

CheckerAnswer follows(const MixBounds& bounds, Model level, Outcome outcome) {
  const std::vector<Statement> said = {
      {.checker = 0, .question = level, .answer = {.outcome = outcome}}};
  return bounds.answer_of(said, 0);
}

TEST_CASE("what checkers say of one level decides a mix where it lies below or above all of it") {
  const Result<MixBounds> bounds =
      MixBounds::create(asking({"serializable", "snapshot-isolation"}));
  REQUIRE(bounds);
  const MixBounds& mix = bounds.value();
  CHECK(mix.is_above(Model::kPl3));
  CHECK(mix.is_above(Model::kStrongSessionSerializable));
  CHECK_FALSE(mix.is_above(Model::kPlSi));
  CHECK(mix.is_below(Model::kPlSi));
  CHECK(mix.is_below(Model::kPl2));
  CHECK_FALSE(mix.is_below(Model::kPl3));
  CHECK(follows(mix, Model::kPl3, Outcome::kValid).outcome == Outcome::kValid);
  CHECK(follows(mix, Model::kPl3, Outcome::kInvalid).outcome == Outcome::kUnknown);
  CHECK(follows(mix, Model::kPlSi, Outcome::kInvalid).outcome == Outcome::kInvalid);
  CHECK(follows(mix, Model::kPlSi, Outcome::kValid).outcome == Outcome::kUnknown);
  CHECK(follows(mix, Model::kPlSi, Outcome::kNotAsked).outcome == Outcome::kNotAsked);
}

TEST_CASE("nothing refutes a mix in which reads of read uncommitted count for nothing") {
  const Result<MixBounds> bounds = MixBounds::create(asking({"serializable", "read-uncommitted"}));
  REQUIRE(bounds);
  CHECK_FALSE(bounds.value().is_below(Model::kPl1));
  CHECK(follows(bounds.value(), Model::kPl1, Outcome::kInvalid).outcome == Outcome::kUnknown);
  CHECK(bounds.value().is_above(Model::kPl3));
  const Result<MixBounds> alone =
      MixBounds::create(asking({"read-uncommitted", "read-uncommitted"}));
  REQUIRE(alone);
  CHECK(alone.value().is_below(Model::kPl1));
}

}  // namespace
}  // namespace elapid
