// Queues, bags, stacks and priority queues: one small history for each reason, and for each help
// that an operation without a return gives.
#include <catch2/catch.hpp>

#include "engine/linearize/types/fifo_queue.h"
#include "engine/linearize/types/priority_queue.h"
#include "engine/linearize/types/replays.h"
#include "engine/linearize/types/stack.h"
#include "engine/linearize/types/unordered_queue.h"
#include "tests/unit/engine/linearize/types/sample_operations.h"

namespace elapid::linearize {
namespace {

TEST_CASE("fifo queue: what was enqueued first is dequeued first") {
  const Judgement judgement =
      judge_fifo_queue({add(0, 1, 1), add(2, 3, 2), take(4, 5, 2), take(6, 7, 1)});
  CHECK(judgement.pattern == Pattern::kOvertaken);
  CHECK(judgement.places == Places{0, 1, 2, 3});
  CHECK(told(judgement) == "#0 comes before #1, but #2 comes before #3");
  CHECK(judge_fifo_queue({add(0, 2, 1), add(1, 3, 2), take(4, 5, 2), take(6, 7, 1)}).order ==
        Places{1, 0, 2, 3});
}

TEST_CASE("fifo queue: a value that stays is in the way, unless an open dequeue may have it") {
  const Judgement judgement = judge_fifo_queue({add(0, 1, 1), add(2, 3, 2), take(4, 5, 2)});
  CHECK(told(judgement) ==
        "#0 comes before #1, but #2 happened and the first value was not removed before");
  CHECK(judge_fifo_queue({add(0, 1, 1), add(2, 3, 2), open_take(4), take(5, 6, 2)}).order ==
        Places{0, 1, 2, 3});
  CHECK(judge_fifo_queue({add(0, 1, 1), add(2, 3, 2), take(4, 5, 2), open_take(6)}).answer ==
        Answer::kNotLinearizable);
}

TEST_CASE("fifo queue: a dequeue finds nothing where nothing can be inside") {
  const Judgement judgement = judge_fifo_queue({add(0, 1, 1), find_nothing(2, 3), take(4, 5, 1)});
  CHECK(judgement.pattern == Pattern::kNotEmpty);
  CHECK(told(judgement) ==
        "#1 found nothing, but at each instant of it the container held a value, among others that "
        "of #0");
  // One value goes when the next is surely there.
  CHECK(judge_fifo_queue(
            {add(0, 1, 1), find_nothing(2, 9), add(3, 4, 2), take(5, 6, 1), take(10, 11, 2)})
            .answer == Answer::kNotLinearizable);
  CHECK(judge_fifo_queue({add(0, 1, 1), find_nothing(2, 9), take(3, 4, 1), add(5, 6, 2)}).order ==
        Places{0, 2, 1, 3});
}

TEST_CASE("fifo queue: values that were never enqueued, not yet, or dequeued twice") {
  CHECK(told(judge_fifo_queue({take(0, 1, 7)})) == "#0 shows what no operation added");
  CHECK(told(judge_fifo_queue({take(0, 1, 7), add(2, 3, 7)})) ==
        "#0 returned before #1 was invoked, which added what it shows");
  CHECK(told(judge_fifo_queue({add(0, 1, 7), take(2, 3, 7), take(4, 5, 7)})) ==
        "#1 and #2 remove the same value, which was added once");
}

TEST_CASE("fifo queue: an enqueue that never returned may have happened, or not") {
  CHECK(judge_fifo_queue({add(0, kNever, 1), add(1, 2, 2), take(3, 4, 2)}).order == Places{1, 2});
  CHECK(judge_fifo_queue({add(0, kNever, 1), add(1, 2, 2), take(3, 4, 2), take(5, 6, 1)}).answer ==
        Answer::kLinearizable);
}

TEST_CASE("fifo queue: equal values are searched, and work that is spent leaves it open") {
  const Operations twice = {add(0, 1, 1), add(2, 3, 2), add(4, 5, 1), take(6, 7, 1), take(8, 9, 1)};
  const Judgement judgement = judge_fifo_queue(twice);
  CHECK(judgement.pattern == Pattern::kNoOrder);
  CHECK(told(judgement) == "no order of the operations reaches the return of #4");
  CHECK(judge_fifo_queue(twice, 0).answer == Answer::kUnknown);
}

TEST_CASE("unordered queue: any value that is inside comes out") {
  CHECK(judge_unordered_queue({add(0, 1, 1), add(2, 3, 2), take(4, 5, 2), take(6, 7, 1)}).order ==
        Places{0, 1, 2, 3});
  CHECK(judge_unordered_queue({add(0, 1, 1), find_nothing(2, 3)}).pattern == Pattern::kNotEmpty);
  CHECK(judge_unordered_queue({add(0, 1, 1), open_take(2), find_nothing(3, 4)}).order ==
        Places{0, 2 - 1, 2});
  CHECK(judge_unordered_queue({add(0, 1, 1), add(2, 3, 2), open_take(4), find_nothing(5, 6)})
            .pattern == Pattern::kNotEmpty);
}

TEST_CASE("stack: what was pushed last is popped first") {
  const Judgement judgement =
      judge_stack({add(0, 1, 1), add(2, 3, 2), take(4, 5, 1), take(6, 7, 2)});
  CHECK(judgement.pattern == Pattern::kNoOutermost);
  CHECK(judgement.places == Places{0, 3});
  CHECK(told(judgement) ==
        "from the return of #0 to the invocation of #3 some value is always on the stack, but none "
        "of them can have been pushed before the others and popped after them");
  CHECK(judge_stack({add(0, 1, 1), add(2, 3, 2), take(4, 5, 2), take(6, 7, 1)}).order ==
        Places{0, 1, 2, 3});
}

TEST_CASE("stack: a chain of three values without an outermost one") {
  // 1 and 3 are apart, 2 covers what is between, and lies around neither.
  const Operations chain = {add(0, 1, 1), add(2, 3, 2),  take(4, 5, 1),
                            add(6, 7, 3), take(8, 9, 2), take(10, 11, 3)};
  CHECK(judge_stack(chain).answer == Answer::kNotLinearizable);
  CHECK(judge_stack({add(0, 1, 1), add(2, 3, 2), take(4, 5, 2), add(6, 7, 3), take(8, 9, 3),
                     take(10, 11, 1)})
            .answer == Answer::kLinearizable);
}

TEST_CASE("stack: a pop that never returned takes what is in the way") {
  CHECK(judge_stack({add(0, 1, 1), add(2, 3, 2), take(4, 5, 1)}).answer ==
        Answer::kNotLinearizable);
  CHECK(judge_stack({add(0, 1, 1), add(2, 3, 2), open_take(4), take(5, 6, 1)}).order ==
        Places{0, 1, 2, 3});
}

TEST_CASE("priority queue: that which goes first comes out first") {
  const ValuePool pool;
  const Operations operations = {add(0, 1, 5), add(2, 3, 9), take(4, 5, 5), take(6, 7, 9)};
  const Judgement judgement = judge_priority_queue(operations, GoesFirst::kGreatest, pool);
  CHECK(judgement.pattern == Pattern::kPassedOver);
  CHECK(told(judgement) ==
        "#2 took its value, but at each instant of it the queue held one of higher priority, among "
        "others that of #1");
  CHECK(judge_priority_queue(operations, GoesFirst::kLeast, pool).order == Places{0, 1, 2, 3});
}

TEST_CASE("verification refuses orders that leave out, repeat, or go back in time") {
  const Operations operations = {add(0, 2, 1), add(1, 3, 2), take(4, 5, 2)};
  const auto holds = [&](const Places& order) {
    return is_order_of(operations, order, *fifo_queue_replay());
  };
  CHECK(holds({1, 0, 2}));
  CHECK_FALSE(holds({0, 1, 2}));
  CHECK_FALSE(holds({2, 1, 0}));
  CHECK_FALSE(holds({1, 2}));
  CHECK_FALSE(holds({1, 1, 0, 2}));
  CHECK_FALSE(holds({1, 0, 2, 3}));
}

}  // namespace
}  // namespace elapid::linearize
