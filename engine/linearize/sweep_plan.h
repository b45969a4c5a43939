// The input of a sweep over the operations of a register: events in order of time, values as small
// numbers, and classes of operations that never returned.
//
//   write 1 [0, 2]   read 1 [1, 3]   write 5 [4, never)
//   events   invoke write, invoke read, return write, return read, one more of the class "write 5"
//
// Operations of a class never return and have the same effect, so only their number matters.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/linearize/operation.h"
#include "engine/linearize/register.h"
#include "engine/linearize/types/events.h"

namespace elapid::linearize {

/// A value of the register, numbered from 0.
using Content = std::uint32_t;

inline constexpr Content kNoContent = 0xffffffffU;

/// An operation. `cas a a` is planned as a read.
struct PlannedOperation {
  RegisterF f = RegisterF::kRead;
  Content sees = kNoContent;    ///< read, cas: the value seen; failed cas: the value not seen
  Content leaves = kNoContent;  ///< write, cas: the new value
  std::uint32_t returned = kNever;
  std::uint32_t in_class = 0;  ///< for an operation that never returned
};

/// A class of operations that never returned and have the same effect.
struct OpenClass {
  bool is_cas = false;
  Content sees = kNoContent;
  Content leaves = kNoContent;
  std::vector<std::uint32_t> members = {};  ///< operations, by invocation
  /// The last return of an operation that can use the class's value.
  std::uint32_t wanted_until = 0;
};

struct SweepPlan {
  std::vector<PlannedOperation> operations = {};  ///< in the order of the given operations
  std::vector<OperationEvent> events = {};
  std::vector<OpenClass> classes = {};
  std::vector<ValueId> contents = {};  ///< the value of each Content
  Content initial = 0;
  std::uint32_t most_open = 0;  ///< the most operations with a return that are open at once
  /// By content: the class of writes of it, or kNoContent; the classes of cas by their new value.
  std::vector<std::uint32_t> writes_of = {};
  std::vector<std::vector<std::uint32_t>> cas_into = {};
};

/// O(n log n). Operations that never returned and that no read sees have no event.
[[nodiscard]] SweepPlan sweep_plan(const Operations& operations, ValueId initial);

}  // namespace elapid::linearize
