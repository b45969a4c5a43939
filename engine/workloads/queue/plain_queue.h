// queue: every dequeued value was enqueued.
//
//   {:type :invoke, :f :enqueue, :value 1}
//   {:type :ok, :f :dequeue, :value 1}      from the enqueue above, which is still open
//   {:type :ok, :f :dequeue, :value 1}      an error: 1 was enqueued once
//
// In the order of events, the invocation of an enqueue adds its value, whatever the outcome, and a
// successful dequeue removes its value. This rule is weak: the order of the values and the values
// left inside do not matter.
//
// After Jepsen (jepsen.checker/queue with the model unordered-queue). A valid history has
// `:final-queue`, the values left; an invalid one has `:error`, the first wrong dequeue.
#pragma once

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/judge_request.h"
#include "engine/verdict/verdict.h"

namespace elapid::queue {

/// O(n) for n events, and O(m log m) for m values left. Error: kMalformed, see refuse_foreign().
[[nodiscard]] Result<Verdict> judge_plain_queue(const History& history,
                                                const JudgeRequest& request);

}  // namespace elapid::queue
