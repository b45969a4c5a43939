// Cores of refutations.
#include "engine/linearize/register_core.h"

#include <catch2/catch.hpp>
#include <vector>

#include "engine/linearize/sweep_register.h"
#include "tests/unit/engine/linearize/register_operations.h"

namespace elapid::linearize {
namespace {

using Places = std::vector<std::uint32_t>;

RegisterCore core(const Operations& operations) {
  const RegisterJudgement judgement = sweep_register(operations, {.initial = number(0)});
  REQUIRE(judgement.flaw == RegisterFlaw::kNoOrder);
  return core_of(operations, judgement, number(0));
}

TEST_CASE("core: a stale read, and the write that makes it one") {
  const RegisterCore found = core({write(5, 0, 1), write(3, 2, 3), write(5, 4, 5), write(4, 6, 7),
                                   write(3, 8), read(5, 9, 10)});
  CHECK(found.places == Places{3, 5});
  CHECK_FALSE(found.is_from_beginning);
}

TEST_CASE("core: an operation that is open while the core lasts is in it") {
  const RegisterCore found = core({write(5, 0, 9), read(5, 1, 2), write(4, 3, 4), read(5, 5, 6),
                                   write(4, 7, 8), read(5, 10, 11)});
  CHECK(found.places == Places{0, 1, 2, 3});
}

TEST_CASE("core: where the initial value matters") {
  const RegisterCore found = core({write(1, 0, 9), cas(1, 2, 1, 2), cas(1, 2, 3, 4)});
  CHECK(found.places == Places{0, 1, 2});
  CHECK(found.is_from_beginning);
}

}  // namespace
}  // namespace elapid::linearize
