// Registers to which no value is written twice.
#include "engine/linearize/register_zones.h"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/engine/linearize/register_operations.h"

namespace elapid::linearize {
namespace {

using Places = std::vector<std::uint32_t>;

RegisterJudgement judged(const Operations& operations, ValueId initial = number(0)) {
  auto judgement = judge_by_zones(operations, initial);
  REQUIRE(judgement);
  return *std::move(judgement);
}

TEST_CASE("zones: a backward zone goes behind the forward one in which it begins") {
  const RegisterJudgement judgement =
      judged({write(1, 0, 3), write(2, 4, 9), read(1, 5, 8), read(2, 6, 10)});
  CHECK(judgement.answer == Answer::kLinearizable);
  CHECK(judgement.order == Places{0, 2, 1, 3});
}

TEST_CASE("zones: two values that must be there at once") {
  const RegisterJudgement judgement =
      judged({write(1, 0, 1), write(2, 2, 3), read(1, 4, 6), read(2, 5, 7)});
  CHECK(judgement.flaw == RegisterFlaw::kOverlap);
  CHECK(judgement.operations == Places{0, 2, 1, 3});
}

TEST_CASE("zones: a value within the time of another") {
  const RegisterJudgement judgement = judged({write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)});
  CHECK(judgement.flaw == RegisterFlaw::kEnclosed);
  CHECK(judgement.operations == Places{0, 2, 1, 1});
}

TEST_CASE("zones: the initial value is there from the beginning") {
  const RegisterJudgement judgement = judged({write(1, 0, 1), read(0, 2, 3)});
  CHECK(judgement.flaw == RegisterFlaw::kEnclosed);
  CHECK(judgement.operations.front() == kBeginning);
}

TEST_CASE("zones: what was never written, and a read before its write") {
  CHECK(judged({read(7, 0, 1)}).flaw == RegisterFlaw::kNeverWritten);
  const RegisterJudgement judgement = judged({read(1, 0, 1), write(1, 2, 3)});
  CHECK(judgement.flaw == RegisterFlaw::kAgainstTime);
  CHECK(judgement.operations == Places{1, 0});
}

TEST_CASE("zones: a chain of cas is a block") {
  CHECK(judged({write(1, 0, 1), cas(1, 2, 2, 5), cas(2, 3, 3, 4), read(3, 6, 7)}).order ==
        Places{0, 1, 2, 3});
  CHECK(judged({write(1, 0, 1), cas(1, 2, 2, 5), cas(1, 3, 3, 4)}).flaw ==
        RegisterFlaw::kReplacedTwice);
  CHECK(judged({cas(1, 2, 0, 3), cas(2, 1, 1, 2)}).flaw == RegisterFlaw::kRing);
}

TEST_CASE("zones: an operation that never returned counts where it was seen") {
  CHECK(judged({write(1, 0, 1), write(2, 2), read(1, 3, 4)}).order == Places{0, 2});
  CHECK(judged({write(1, 0, 1), write(2, 2), read(2, 3, 4), read(1, 5, 6)}).flaw ==
        RegisterFlaw::kEnclosed);
  CHECK(judged({cas(0, 1, 0), read(1, 1, 2)}).order == Places{0, 1});
}

TEST_CASE("zones are for distinct values, and cas that succeeded") {
  CHECK_FALSE(judge_by_zones({write(1, 0, 1), write(1, 2, 3)}, number(0)));
  CHECK_FALSE(judge_by_zones({write(0, 0, 1)}, number(0)));
  CHECK_FALSE(judge_by_zones({failed_cas(0, 0, 1)}, number(0)));
}

}  // namespace
}  // namespace elapid::linearize
