// The configuration sweep: whether operations of a register are linearizable, decided event by
// event for all orders at once.
//
// A configuration is a content of the register and what became of each open operation: it must
// still take effect, it may, or it has. The sweep keeps the configurations that some order of the
// operations so far leads to, and takes an effect only when an operation that returns needs it:
//
//   write 1 |------|            at the return of "read 2" the write of 2 takes effect, then the
//   read; write 2    |--------|       "write 1" could have come just before that write, unseen, so
//   that it read 2       |---|          may count as done: one configuration stands for both orders
//
// After the just-in-time variant of Wing and Gong's search: Wing and Gong, JPDC 1993; Lowe, CCPE
// 2017. What keeps the configurations few is in register_pass.h.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/linearize/effect_trail.h"
#include "engine/linearize/operation.h"

namespace elapid::linearize {

struct SweepOptions {
  ValueId initial = ValueId::nil();
  /// Expansions and comparisons of configurations; deterministic.
  std::uint64_t work = 1'000'000'000;
  /// Asked now and then; false gives unknown.
  std::function<bool()> has_budget = {};
};

/// How far a sweep came that found no order for all.
struct Furthest {
  std::uint32_t operation = 0;         ///< before whose return it ended
  std::vector<ValueId> contents = {};  ///< what the register could hold before that return
};

struct SweepResult {
  Answer answer = Answer::kUnknown;
  /// Of kLinearizable: places of the operations, in order.
  std::vector<std::uint32_t> order = {};
  /// Else: for kNotLinearizable no order of the operations before lets this one take effect.
  Furthest furthest = {};
  std::uint64_t work = 0;
};

/// With k operations open at a time that return, at most O(2^k) configurations an event, mostly a
/// handful. kUnknown also where more than 1,024 are open at a time.
[[nodiscard]] SweepResult sweep_register(const Operations& operations, const SweepOptions& options);

}  // namespace elapid::linearize
