// Sets, locks, counters, fetch-and-add and ids: one small history for each reason.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "engine/linearize/types/add_remove_set.h"
#include "engine/linearize/types/counter.h"
#include "engine/linearize/types/fetch_and_add.h"
#include "engine/linearize/types/grow_only_set.h"
#include "engine/linearize/types/kv.h"
#include "engine/linearize/types/lock.h"
#include "engine/linearize/types/multi_register.h"
#include "tests/unit/engine/linearize/types/sample_operations.h"

namespace elapid::linearize {
namespace {

Operation add_element(std::uint32_t invoked, std::uint32_t returned, int element) {
  return op(GrowOnlySetF::kAdd, invoked, returned, n(element));
}

/// Judges adds and reads; each entry of `sets` is what the operation at its place read.
Judgement judge_set(const Operations& operations, const std::vector<std::vector<ValueId>>& sets) {
  WholeReads reads;
  for (const std::vector<ValueId>& set : sets) {
    reads.add(set);
  }
  return judge_grow_only_set(operations, reads);
}

TEST_CASE("grow-only set: reads are a chain, in time") {
  const Operation read = op(GrowOnlySetF::kRead, 4, 5);
  const Operation later = op(GrowOnlySetF::kRead, 6, 7);
  const Operations adds = {add_element(0, 8, 1), add_element(1, 9, 2), read, later};
  CHECK(judge_set(adds, {{}, {}, {n(1)}, {n(2), n(1)}}).order == Places{0, 2, 1, 3});
  CHECK(told(judge_set(adds, {{}, {}, {n(1)}, {n(2)}})) ==
        "each of #2 and #3 lacks what the other shows");
  CHECK(told(judge_set(adds, {{}, {}, {n(1), n(2)}, {n(2)}})) ==
        "#3 must come before #2, but was invoked after that returned");
  CHECK(told(judge_set(adds, {{}, {}, {n(3)}, {n(3)}})) == "#2 shows what no operation added");
  CHECK(told(judge_set({add_element(0, 1, 1), read}, {{}, {}})) ==
        "#1 must come before #0, but was invoked after that returned");
}

TEST_CASE("grow-only set: an add that never returned counts from the first read that has it") {
  const Operations operations = {add_element(0, kNever, 1), add_element(1, kNever, 2),
                                 op(GrowOnlySetF::kRead, 4, 5)};
  CHECK(judge_set(operations, {{}, {}, {n(2)}}).order == Places{1, 2});
}

Operation acquire(std::uint32_t invoked, std::uint32_t returned, int owner, int fence = 0) {
  return op(LockF::kAcquire, invoked, returned, n(owner), n(fence));
}

Operation release(std::uint32_t invoked, std::uint32_t returned, int owner) {
  return op(LockF::kRelease, invoked, returned, n(owner));
}

Judgement judge_kind(LockKind kind, const Operations& operations) {
  const ValuePool pool;
  return judge_lock(operations, {.kind = kind, .limit = 2}, pool);
}

TEST_CASE("plain lock: acquires and releases alternate") {
  CHECK(
      judge_kind(LockKind::kPlain, {acquire(0, 1, 0), release(2, 5, 1), acquire(3, 4, 2)}).order ==
      Places{0, 1, 2});
  CHECK(told(judge_kind(LockKind::kPlain, {acquire(0, 1, 0), acquire(2, 3, 1)})) ==
        "#1 acquires a lock that is held, and no release can come before it");
  CHECK(told(judge_kind(LockKind::kPlain, {release(0, 1, 0)})) ==
        "#0 releases a lock that its owner does not hold");
  // A release that never returned may have happened.
  CHECK(judge_kind(LockKind::kPlain, {acquire(0, 1, 0), release(2, kNever, 0), acquire(3, 4, 1)})
            .order == Places{0, 1, 2});
}

TEST_CASE("lock by owner: only the holder releases") {
  CHECK(told(judge_kind(LockKind::kOwned, {acquire(0, 1, 0), release(2, 3, 1)})) ==
        "#1 releases a lock that its owner does not hold");
  CHECK(
      told(judge_kind(LockKind::kOwned, {acquire(0, 1, 0), acquire(2, 3, 1), release(4, 5, 0)})) ==
      "#0 and #1 hold the lock at one instant");
  CHECK(
      judge_kind(LockKind::kOwned, {acquire(0, 1, 0), acquire(2, 6, 1), release(3, 7, 0)}).order ==
      Places{0, 2, 1});
  // An owner goes on after an acquire that never returned: it is searched.
  CHECK(judge_kind(LockKind::kOwned, {acquire(0, kNever, 0), release(2, 3, 0)}).order ==
        Places{0, 1});
}

TEST_CASE("reentrant locks, semaphores and fences") {
  const Operations twice = {acquire(0, 1, 0), acquire(2, 3, 0), release(4, 5, 0), release(6, 7, 0)};
  CHECK(judge_kind(LockKind::kReentrant, twice).answer == Answer::kLinearizable);
  CHECK(judge_kind(LockKind::kOwned, twice).answer == Answer::kNotLinearizable);
  const Operations permits = {acquire(0, 1, 0), acquire(2, 3, 1), acquire(4, 5, 2)};
  CHECK(judge_kind(LockKind::kSemaphore, permits).answer == Answer::kNotLinearizable);
  CHECK(judge_kind(LockKind::kSemaphore, {permits[0], permits[1]}).answer == Answer::kLinearizable);
  const auto fences = [](LockKind kind, int first, int second) {
    return judge_kind(kind, {acquire(0, 1, 0, first), release(2, 3, 0), acquire(4, 5, 1, second)})
        .answer;
  };
  CHECK(fences(LockKind::kFenced, 1, 2) == Answer::kLinearizable);
  CHECK(fences(LockKind::kFenced, 2, 1) == Answer::kNotLinearizable);
  CHECK(fences(LockKind::kFenced, 2, 0) == Answer::kLinearizable);
}

Operation add_delta(std::uint32_t invoked, std::uint32_t returned, std::int64_t delta) {
  return op(CounterF::kAdd, invoked, returned, n(delta));
}

Operation read_sum(std::uint32_t invoked, std::uint32_t returned, std::int64_t sum) {
  return op(CounterF::kRead, invoked, returned, ValueId::none(), n(sum));
}

TEST_CASE("counter: equal deltas") {
  const ValuePool pool;
  CHECK(judge_counter({add_delta(0, 3, 2), add_delta(1, 4, 2), read_sum(2, 5, 2)}, pool).order ==
        Places{0, 2, 1});
  CHECK(told(judge_counter({add_delta(0, 1, 2), read_sum(2, 3, 0)}, pool)) ==
        "#1 shows a number that the adds before and beside it do not allow");
  CHECK(judge_counter({add_delta(0, 1, 2), read_sum(2, 3, 3)}, pool).pattern ==
        Pattern::kOutOfRange);
  // Both reads are in range, but the greater one is over when the other begins.
  CHECK(told(judge_counter({add_delta(0, 9, 1), read_sum(1, 2, 1), read_sum(3, 4, 0)}, pool)) ==
        "#2 must come before #1, but was invoked after that returned");
  CHECK(
      judge_counter({add_delta(0, kNever, 1), read_sum(1, 2, 0), read_sum(3, 4, 1)}, pool).order ==
      Places{1, 0, 2});
}

TEST_CASE("counter: deltas that differ are bounded first, then searched") {
  const ValuePool pool;
  const Operations adds = {add_delta(0, 6, 1), add_delta(1, 7, 4), add_delta(2, 8, 4)};
  const auto with = [&](std::int64_t sum) {
    Operations operations = adds;
    operations.push_back(read_sum(3, 9, sum));
    return judge_counter(operations, pool);
  };
  CHECK(with(10).pattern == Pattern::kOutOfRange);
  CHECK(with(9).answer == Answer::kLinearizable);
  CHECK(with(6).pattern == Pattern::kNoOrder);
}

TEST_CASE("counter: where the work is spent, the operation is told up to which there is an order") {
  const ValuePool pool;
  Operations operations;
  for (std::uint32_t i = 0; i < 100; ++i) {
    operations.push_back(add_delta(2 * i, 2 * i + 1, i % 2 == 0 ? 1 : 2));
  }
  const Judgement judgement = judge_counter(operations, pool, 200);
  CHECK(judgement.answer == Answer::kUnknown);
  REQUIRE(judgement.places.size() == 1);
  CHECK(judgement.places.front() > 10);
  CHECK(judge_counter(operations, pool).answer == Answer::kLinearizable);
}

TEST_CASE("fetch-and-add: results give the order") {
  const ValuePool pool;
  const auto fetch = [](std::uint32_t invoked, std::uint32_t returned, int sum) {
    return op(0, invoked, returned, n(1), returned == kNever ? ValueId::none() : n(sum));
  };
  CHECK(judge_fetch_and_add({fetch(0, 3, 1), fetch(1, 2, 0)}, pool).order == Places{1, 0});
  CHECK(told(judge_fetch_and_add({fetch(0, 1, 1), fetch(2, 3, 0)}, pool)) ==
        "#1 must come before #0, but was invoked after that returned");
  CHECK(told(judge_fetch_and_add({fetch(0, 1, 0), fetch(2, 3, 0)}, pool)) ==
        "#0 and #1 have the same result");
  CHECK(judge_fetch_and_add({fetch(0, kNever, 0), fetch(2, 3, 1)}, pool).order == Places{0, 1});
  Operation hidden = fetch(2, 3, 0);
  hidden.result = ValueId::none();
  CHECK(judge_fetch_and_add({fetch(0, 1, 0), hidden}, pool).order == Places{0, 1});
  CHECK(told(judge_fetch_and_add({fetch(2, 3, 1)}, pool)) ==
        "the result of #0 needs operations before it that did not happen");
}

TEST_CASE("unique ids differ") {
  const auto generate = [](std::uint32_t instant, int id) {
    return op(0, instant, instant + 1, ValueId::none(), n(id));
  };
  CHECK(judge_unique_ids({generate(0, 5), generate(2, 3)}).order == Places{0, 1});
  CHECK(judge_unique_ids({generate(0, 5), generate(2, 5)}).places == Places{0, 1});
}

TEST_CASE("add-remove set: element by element") {
  const ValueId yes = n(1);
  const ValueId no = ValuePool::false_value();
  const Operations operations = {op(SetF::kAdd, 0, 5, n(1), yes), op(SetF::kAdd, 1, 6, n(2), yes),
                                 op(SetF::kContains, 2, 3, n(1), yes),
                                 op(SetF::kContains, 7, 8, n(2), yes)};
  CHECK(judge_add_remove_set(operations).order == Places{0, 1, 2, 3});
  Operations wrong = operations;
  wrong.back().result = no;
  CHECK(judge_add_remove_set(wrong).places == Places{3});
}

TEST_CASE("key of a store: gets show what was put and appended since, in order") {
  ValuePool pool;
  const ValueId x = pool.intern("\"x\"");
  const ValueId y = pool.intern("\"y\"");
  const auto get = [&](const char* text) {
    return op(KvF::kGet, 6, 7, ValueId::none(), pool.intern(text));
  };
  const Operations appends = {op(KvF::kAppend, 0, 2, x), op(KvF::kAppend, 1, 3, y)};
  const auto with = [&](const Operation& last) {
    Operations operations = appends;
    operations.push_back(last);
    return judge_kv(operations, ValueId::nil(), pool);
  };
  CHECK(with(get("\"xy\"")).order == Places{0, 1, 2});
  CHECK(with(get("\"yx\"")).order == Places{1, 0, 2});
  CHECK(with(get("\"y\"")).answer == Answer::kNotLinearizable);
  CHECK(judge_kv({get("\"\"")}, pool.intern("\"\""), pool).answer == Answer::kLinearizable);
  CHECK(judge_kv({op(KvF::kPut, 0, 1, x), op(KvF::kDelete, 2, 3), get("nil")}, ValueId::nil(), pool)
            .answer == Answer::kLinearizable);
  // One that never returned is left out unless a get shows it.
  CHECK(judge_kv({op(KvF::kPut, 0, kNever, x), op(KvF::kPut, 1, 2, y), get("\"y\"")},
                 ValueId::nil(), pool)
            .order == Places{1, 2});
  // Of nil, too, which no get shows before something is appended.
  CHECK(judge_kv({op(KvF::kPut, 0, 1, x), op(KvF::kPut, 2, kNever, ValueId::nil()),
                  op(KvF::kAppend, 4, 5, y), get("\"y\"")},
                 ValueId::nil(), pool)
            .answer == Answer::kLinearizable);
}

TEST_CASE("several registers: the quick search is not repeated with no more work") {
  RegisterCalls calls;
  Operations operations;
  for (std::uint32_t i = 0; i < 30; ++i) {
    const ValueId value = n(1 + static_cast<int>(i % 2));
    operations.push_back(
        {.invoked = i, .argument = calls.add({{KeyId{0}, value, true}, {KeyId{1}, value, true}})});
    operations.push_back({.invoked = 100 + 2 * i,
                          .returned = 101 + 2 * i,
                          .argument = calls.add({{KeyId{0}, value}, {KeyId{1}, value}})});
  }
  std::ranges::sort(operations, {}, &Operation::invoked);
  constexpr std::uint64_t kTooLittle = 30;  // for the sweep
  const auto answer = [&](std::uint64_t work_before) {
    return judge_multi_register(operations, calls, n(0), kTooLittle, work_before).answer;
  };
  CHECK(answer(0) == Answer::kLinearizable);
  CHECK(answer(kTooLittle) == Answer::kUnknown);
}

}  // namespace
}  // namespace elapid::linearize
