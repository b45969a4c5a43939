// Operations on a queue, in the form of the history.
//
//   {:type :ok, :f :enqueue, :value 1}       kAppend 1; for Jepsen with what was invoked, if other
//   {:type :ok, :f :dequeue, :value 1}       kRead 1
//   {:type :ok, :f :dequeue, :value nil}     kRead nil: the queue was empty
//   {:type :ok, :f :drain, :value [2 3]}     kOther :drain, kRead 2, kRead 3
//   {:type :ok, :f :drain, :value nil}       kOther :drain-untold: what it removed is not known
//   {:type :ok, :f :fetch, :value [2 3]}     kOther :fetch, kRead 2, kRead 3
//
// A dequeue that found nothing succeeds with nil or :empty, or fails. A failure with an :error that
// does not say that the queue was empty has no meaning.
#pragma once

#include <string>

#include "engine/ir/call.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"

namespace elapid::queue {

/// See DecodeCall (engine/workloads/table.h). Also decodes names of NATS' tests: :publish enqueues;
/// :fetch dequeues a value, or a vector of values.
[[nodiscard]] std::string decode(const Call& call, DecodedCall& out);

/// An error if an operation is not of a queue.
[[nodiscard]] Status refuse_foreign(const History& history);

/// The meaning of an operation.
struct QueueOperation {
  bool is_enqueue = false;
  bool is_drain = false;
  bool is_untold_drain = false;     ///< a drain that succeeded, and did not say what it removed
  bool is_fetch = false;            ///< a dequeue of any number of values
  std::span<const Op> values = {};  ///< appends or reads; a nil means none

  [[nodiscard]] bool is_dequeue() const { return !is_enqueue; }

  /// The value of an enqueue; to Jepsen, that of its attempt, too, which may be another.
  [[nodiscard]] ValueId enqueued() const { return values.front().value(); }

  [[nodiscard]] ValueId attempted(bool to_jepsen) const {
    return to_jepsen ? values.back().value() : enqueued();
  }
};

/// The meanings of a history's operations, which it borrows.
class QueueOperations {
 public:
  explicit QueueOperations(const History& history);

  [[nodiscard]] QueueOperation of(TxnId txn) const;

 private:
  const History& history_;
  ValueId drain_;
  ValueId untold_drain_;
  ValueId fetch_;
};

}  // namespace elapid::queue
