// What a sweep over the operations of a register goes by: events in the order of time, values as
// small numbers, and operations that never returned in classes.
//
//   write 1 [0, 2]   read 1 [1, 3]   write 5 [4, never)
//   events   invoke write, invoke read, return write, return read, one more of the class "write 5"
//
// Operations of a class have the same effect and never return, so that only their number matters.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/linearize/operation.h"
#include "engine/linearize/register.h"

namespace elapid::linearize {

/// A value of the register, numbered from 0.
using Content = std::uint32_t;

inline constexpr Content kNoContent = 0xffffffffU;

/// An operation, with `cas a a` as the read that it is.
struct PlannedOperation {
  RegisterF f = RegisterF::kRead;
  Content sees = kNoContent;    ///< of a read and a cas; of a failed cas what it did not see
  Content leaves = kNoContent;  ///< of a write and a cas
  std::uint32_t returned = kNever;
  std::uint32_t in_class = 0;  ///< of one that never returned
};

/// Operations that never returned and have the same effect.
struct OpenClass {
  bool is_cas = false;
  Content sees = kNoContent;
  Content leaves = kNoContent;
  std::vector<std::uint32_t> members = {};  ///< operations, in the order of their invocations
  /// What the class leaves is wanted by an operation that returns then, and by none later.
  std::uint32_t wanted_until = 0;
};

struct SweepEvent {
  std::uint32_t time = 0;
  std::uint32_t operation = 0;
  bool is_return = false;
};

struct SweepPlan {
  std::vector<PlannedOperation> operations = {};  ///< by their places among the operations given
  std::vector<SweepEvent> events = {};
  std::vector<OpenClass> classes = {};
  std::vector<ValueId> contents = {};  ///< what each Content is
  Content initial = 0;
  std::uint32_t most_open = 0;  ///< operations that return, open at one time
  /// By content: the class of writes that leave it or kNoContent, and the classes of cas by what
  /// they leave and by what they see.
  std::vector<std::uint32_t> writes_of = {};
  std::vector<std::vector<std::uint32_t>> cas_into = {};
  std::vector<std::vector<std::uint32_t>> cas_from = {};
};

/// O(n log n). Operations that never returned and are seen by none have no event.
[[nodiscard]] SweepPlan sweep_plan(const Operations& operations, ValueId initial);

}  // namespace elapid::linearize
