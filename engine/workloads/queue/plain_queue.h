// queue: every dequeue comes from somewhere.
//
//   {:type :invoke, :f :enqueue, :value 1}
//   {:type :ok, :f :dequeue, :value 1}      taken from the enqueue above, which is still open
//   {:type :ok, :f :dequeue, :value 1}      from nowhere: it was enqueued once
//
// In the order of events, an enqueue puts its value in when it is invoked, whatever becomes of it,
// and a dequeue that succeeds takes its value out. That asks for little: not for the order of the
// values, nor for what stays inside.
//
// After Jepsen (jepsen.checker/queue with the model unordered-queue): `:final-queue`, what is left,
// of a valid history; `:error`, the first dequeue from nowhere, of another.
#pragma once

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/judge_request.h"
#include "engine/verdict/verdict.h"

namespace elapid::queue {

/// O(n) for n events, and O(m log m) for m values left. Error kMalformed: see refuse_foreign().
[[nodiscard]] Result<Verdict> judge_plain_queue(const History& history,
                                                const JudgeRequest& request);

}  // namespace elapid::queue
