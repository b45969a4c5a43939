// The configuration sweep, rule by rule.
#include "engine/linearize/sweep_register.h"

#include <catch2/catch.hpp>
#include <vector>

#include "engine/linearize/register_replay.h"
#include "tests/unit/engine/linearize/register_operations.h"

namespace elapid::linearize {
namespace {

RegisterJudgement swept(const Operations& operations) {
  RegisterJudgement judgement = sweep_register(operations, {.initial = number(0)});
  if (judgement.answer == Answer::kLinearizable) {
    RegisterReplay replay(number(0));
    CHECK(is_order_of(operations, judgement.order, replay));
  }
  return judgement;
}

bool is_linearizable(const Operations& operations) {
  return swept(operations).answer == Answer::kLinearizable;
}

TEST_CASE("sweep: a write that another hides") {
  CHECK(is_linearizable({write(1, 0, 5), write(2, 1, 6), read(2, 2, 4), read(2, 7, 8)}));
  CHECK_FALSE(is_linearizable({write(1, 0, 3), write(2, 1, 2), write(1, 4, 5), read(2, 6, 7)}));
}

TEST_CASE("sweep: a write of the content that is there hides another before a cas ends it") {
  CHECK(is_linearizable({write(0, 0), write(2, 1, 7), write(0, 2, 6), cas(0, 1, 3, 4), write(2, 5),
                         cas(1, 2, 8, 11), cas(2, 0, 9, 13)}));
}

TEST_CASE("sweep: of open operations of a class each serves once") {
  CHECK(is_linearizable({write(5, 0), write(1, 1, 2), read(5, 3, 4)}));
  CHECK_FALSE(is_linearizable({write(5, 0), read(5, 1, 2), write(1, 3, 4), read(5, 5, 6)}));
  CHECK(is_linearizable({write(5, 0), write(5, 1), read(5, 2, 3), write(1, 4, 5), read(5, 6, 7)}));
}

TEST_CASE("sweep: a failed cas wants another value") {
  CHECK(is_linearizable({write(1, 0), failed_cas(0, 1, 2)}));
  CHECK_FALSE(is_linearizable({failed_cas(0, 1, 2)}));
}

TEST_CASE("sweep: where it ends it names the operation") {
  const RegisterJudgement judgement =
      swept({write(1, 0, 4), write(2, 1, 5), write(1, 2, 6), read(3, 7, 8)});
  CHECK(judgement.answer == Answer::kNotLinearizable);
  CHECK(judgement.flaw == RegisterFlaw::kNoOrder);
  CHECK(judgement.operations == std::vector<std::uint32_t>{3});
}

TEST_CASE("sweep: a spent budget is unknown") {
  const RegisterJudgement judgement =
      sweep_register({write(1, 0, 4), write(2, 1, 5), write(1, 2, 6), read(2, 3, 8)}, {.work = 1});
  CHECK(judgement.answer == Answer::kUnknown);
  CHECK(judgement.operations.size() == 1);
}

TEST_CASE("sweep: hundreds of operations open at a time") {
  Operations operations;
  for (std::uint32_t i = 0; i < 300; ++i) {
    operations.push_back(write(i % 3, i, 1000 + i));
  }
  operations.push_back(read(2, 2000, 2001));
  CHECK(is_linearizable(operations));
  operations.push_back(read(1, 2002, 2003));
  CHECK_FALSE(is_linearizable(operations));
}

}  // namespace
}  // namespace elapid::linearize
