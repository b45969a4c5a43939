// What an engine says of the operations of one register: an answer with its evidence.
//
//   write 1 [0, 1], write 2 [2, 3], read 1 [4, 5]    not linearizable, kEnclosed: the write of 2
//   lies
//                                                    where the register must hold 1 all the while
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/linearize/operation.h"

namespace elapid::linearize {

struct RegisterQuestion {
  ValueId initial = ValueId::nil();
  /// Configurations made and compared; deterministic.
  std::uint64_t work = 1'000'000'000;
  /// Asked now and then; false gives unknown.
  std::function<bool()> has_budget = {};
};

/// Why no order explains the operations, and what `operations` of the judgement has.
enum class RegisterFlaw : std::uint8_t {
  kNone,
  kNoOrder,        ///< every order ends before the return of this operation
  kNeverWritten,   ///< it saw a value that no operation wrote
  kReplacedTwice,  ///< two cas replaced a value that was written once
  kRing,           ///< cas made values of one another in a ring, none of which was there first
  kAgainstTime,    ///< the first comes before the second, which returned before the first began
  kOverlap,        ///< a value must be there from the return of the first to the invocation of the
                   ///< second, another from the third to the fourth, and the times overlap
  kEnclosed,       ///< as kOverlap, and the third was invoked, and the fourth has returned, within
                   ///< the time of the first value; the other value is theirs
};

/// Among RegisterJudgement::operations: none, but the beginning of the history.
inline constexpr std::uint32_t kBeginning = 0xffffffffU;

struct RegisterJudgement {
  Answer answer = Answer::kUnknown;
  /// Of kLinearizable: places of the operations, in order.
  std::vector<std::uint32_t> order = {};
  /// Of kNotLinearizable; kUnknown names the operation up to whose return there is an order.
  RegisterFlaw flaw = RegisterFlaw::kNone;
  std::vector<std::uint32_t> operations = {};
  std::vector<ValueId> contents = {};  ///< of kNoOrder: possible before that return
  std::uint64_t work = 0;              ///< spent
  bool has_too_many_open = false;      ///< of kUnknown: more are open at a time than are tried
};

/// By zones where each value is written once (register_zones.h), else by a sweep
/// (sweep_register.h).
[[nodiscard]] RegisterJudgement judge_register(const Operations& operations,
                                               const RegisterQuestion& question);

}  // namespace elapid::linearize
