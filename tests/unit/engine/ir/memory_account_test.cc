#include "engine/ir/memory_account.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

TEST_CASE("memory account: a thread without a limit may take what there is") {
  CHECK_FALSE(MemoryLimit::is_set());
  CHECK(memory_account::may_take(kMebibyte << 20));
  CHECK(MemoryLimit::allows(kMebibyte << 20));
}

TEST_CASE("memory account: a limit is of what the process has, and a little more") {
  const MemoryLimit limit(memory_account::resident() + 100 * kMebibyte);
  CHECK(MemoryLimit::is_set());
  CHECK(memory_account::may_take(90 * kMebibyte));
  CHECK_FALSE(memory_account::may_take(400 * kMebibyte));
  CHECK(MemoryLimit::allows(90 * kMebibyte));
  CHECK_FALSE(MemoryLimit::allows(400 * kMebibyte));
}

TEST_CASE("memory account: what was taken counts although nothing was written to it") {
  const MemoryLimit limit(memory_account::resident() + 100 * kMebibyte);
  memory_account::note_taken(90 * kMebibyte);
  CHECK_FALSE(memory_account::may_take(90 * kMebibyte));
  CHECK(MemoryLimit::allows(90 * kMebibyte));
  memory_account::note_returned(90 * kMebibyte);
  CHECK(memory_account::may_take(90 * kMebibyte));
}

TEST_CASE("memory account: many small allocations are held against the limit, too") {
  const MemoryLimit limit(memory_account::resident() + 20 * kMebibyte);
  std::size_t taken = 0;
  while (taken < 400 * kMebibyte && memory_account::may_take(64)) {
    memory_account::note_taken(64);
    taken += 64;
  }
  memory_account::note_returned(taken);
  CHECK(taken > 20 * kMebibyte);
  CHECK(taken < 100 * kMebibyte);
}

TEST_CASE("memory account: limits nest, and the smaller one counts") {
  const MemoryLimit outer(1000 * kMebibyte);
  {
    const MemoryLimit inner(MemoryLimit::kNone);
    CHECK(MemoryLimit::of_thread() == 1000 * kMebibyte);
    const MemoryLimit innermost(10 * kMebibyte);
    CHECK(MemoryLimit::of_thread() == 10 * kMebibyte);
    const MemoryLimit lifted((MemoryLimit::Lifted()));
    CHECK_FALSE(MemoryLimit::is_set());
  }
  CHECK(MemoryLimit::of_thread() == 1000 * kMebibyte);
}

}  // namespace
}  // namespace elapid
