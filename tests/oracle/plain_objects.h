// Objects of each type, written as plainly as possible: what can an operation do to a state?
//
//   a queue {1, 2}: a dequeue has the result 1 and leaves {2}
//
// They make histories (random_operations.h) and judge them (the same): no code of the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/ir/value_pool.h"
#include "engine/linearize/operation.h"
#include "harness/generate/random.h"

namespace elapid {

using PlainState = std::vector<std::int64_t>;

struct PlainOutcome {
  ValueId result;
  PlainState next;
};

class PlainObject {
 public:
  PlainObject() = default;
  PlainObject(const PlainObject&) = delete;
  PlainObject& operator=(const PlainObject&) = delete;
  virtual ~PlainObject() = default;

  /// Function and argument of the next operation that a client asks for; `number` counts them.
  virtual linearize::Operation propose(Random& random, std::uint32_t client,
                                       std::uint32_t number) = 0;

  /// All that can happen; the result is none() where the operation has none.
  [[nodiscard]] virtual std::vector<PlainOutcome> outcomes(
      const PlainState& state, const linearize::Operation& op) const = 0;

  /// A result that the operation could have, for mutations; none() if it has none.
  virtual ValueId wrong_result(Random& random, const linearize::Operation& op) {
    static_cast<void>(random);
    static_cast<void>(op);
    return ValueId::none();
  }
};

enum class ContainerKind : std::uint8_t { kFifo, kBag, kStack, kGreatestFirst };

/// With `values` at most 0, each value is new; else they are drawn from so many. Removes that find
/// nothing, where `has_empty`, return; else they wait.
[[nodiscard]] std::unique_ptr<PlainObject> plain_container(ContainerKind kind, std::size_t values,
                                                           bool has_empty);
/// Reads have the sum of 2^element as result; elements are 0 to 9.
[[nodiscard]] std::unique_ptr<PlainObject> plain_grow_only_set();

enum class LockKind : std::uint8_t {
  kPlain,
  kOwned,
  kReentrant,
  kFenced,
  kReentrantFenced,
  kSemaphore
};

/// Two holds at most of a reentrant lock, two permits of a semaphore.
[[nodiscard]] std::unique_ptr<PlainObject> plain_lock(LockKind kind);
/// Adds draw from these deltas.
[[nodiscard]] std::unique_ptr<PlainObject> plain_counter(std::vector<std::int64_t> deltas);
[[nodiscard]] std::unique_ptr<PlainObject> plain_fetch_and_add(std::vector<std::int64_t> deltas);
[[nodiscard]] std::unique_ptr<PlainObject> plain_unique_ids();
/// Elements are 0 to 2. Results are true and false, where `has_results`.
[[nodiscard]] std::unique_ptr<PlainObject> plain_add_remove_set(bool has_results);

/// One key; texts are of the pool, and unique unless `values` is positive.
[[nodiscard]] std::unique_ptr<PlainObject> plain_kv(ValuePool& pool, std::size_t values);

}  // namespace elapid
