// total-queue: every enqueued value is dequeued.
//
//   {:type :ok, :f :enqueue, :value 1}   {:type :ok, :f :enqueue, :value 2}
//   {:type :ok, :f :drain, :value [2 2 9]}
//
// 1 is lost: it was acknowledged, but was not in the queue when the queue was drained. 9 is
// unexpected: no operation tried to enqueue it. 2 is duplicated. Duplicates are counted, but are no
// error: many queues deliver a message at least once. A value that was dequeued without an
// acknowledged enqueue is recovered.
//
// After Jepsen (jepsen.checker/total-queue), whose keys the result has. Jepsen takes for granted
// that the queue was drained at the end. Here a value is lost for certain if it was acknowledged
// before an operation began that then found the queue empty: a :drain, or a dequeue of nothing.
// Where others alone are missing, the verdict is unknown, unless compatibility to Jepsen is asked
// for.
#pragma once

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/judge_request.h"
#include "engine/verdict/verdict.h"

namespace elapid::queue {

/// O(n log n) for n operations and drained values. Error: kMalformed, see refuse_foreign().
[[nodiscard]] Result<Verdict> judge_total_queue(const History& history,
                                                const JudgeRequest& request);

}  // namespace elapid::queue
