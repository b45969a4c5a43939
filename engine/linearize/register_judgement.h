// The answer of an engine about the operations of one register, with its evidence.
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

/// The reason why no order explains the operations; "the first" is the first of `operations` below.
enum class RegisterFlaw : std::uint8_t {
  kNone,
  kNoOrder,        ///< no order reaches the return of this operation
  kNeverWritten,   ///< the operation saw a value that no operation wrote
  kReplacedTwice,  ///< two cas replaced a value that was written once
  kRing,           ///< each of these cas needs the value that another of them made
  kAgainstTime,    ///< the first comes before the second, but began after its return
  kOverlap,        ///< a value must be there from the return of the first to the invocation of the
                   ///< second, another from the third to the fourth, and the times overlap
  kEnclosed,       ///< as kOverlap: the third and fourth have the second value, and the time from
                   ///< the third's invocation to the fourth's return lies within the first value's
};

/// In RegisterJudgement::operations: the beginning of the history.
inline constexpr std::uint32_t kBeginning = 0xffffffffU;

struct RegisterJudgement {
  Answer answer = Answer::kUnknown;
  /// If linearizable: the places of the operations, in an order that explains them.
  std::vector<std::uint32_t> order = {};
  /// If not linearizable: the reason. Else kNone.
  RegisterFlaw flaw = RegisterFlaw::kNone;
  std::vector<std::uint32_t> operations = {};
  std::uint64_t work = 0;          ///< work that was done
  bool has_too_many_open = false;  ///< of kUnknown: too many operations overlap
};

/// Judges by zones if each value is written once (register_zones.h), otherwise by a sweep
/// (sweep_register.h).
[[nodiscard]] RegisterJudgement judge_register(const Operations& operations,
                                               const RegisterQuestion& question);

}  // namespace elapid::linearize
