// Verifies what is claimed of objects: orders by carrying them out, and that there is none by a
// plain search.
//
//   order {0, 1, 2}     enqueue 1, enqueue 2, dequeue 1: a queue does that, and time allows it
//   core {4, 7}         dequeue 2 and dequeue 1: the operations on 1 and 2 alone have no order
//
// What a core names makes the question small: operations on other values are left out, if the type
// allows that. A container of distinct values, of which those on some values are left out, is one
// of the others: what was first, last or greatest among all is so among the rest. A register whose
// writes of a value are left out with all that reads the value, too. If the rest has an order, or
// the type does not allow it, all operations of the object are searched.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/linearize/object_verdict.h"
#include "engine/verdict/verdict.h"

namespace elapid::linearize {

/// Steps from states that a search may take; equal on every machine.
inline constexpr std::uint64_t kPlainWork = 30'000'000;

struct ClaimBudget {
  std::uint64_t work = kPlainWork;
};

/// Why a claim about these objects proves nothing, in one sentence; nothing if it does. Either it
/// has an order of all operations (witness), or a core (failure), operations of one object that
/// show that it has none.
[[nodiscard]] std::optional<std::string> flaw_of_claim(std::span<const Object> objects,
                                                       const ObjectType& type,
                                                       const LevelAnswer& claim,
                                                       const ClaimBudget& budget);

/// The operations that must have an order if all of the object have: those on the values that the
/// core is about. All, where the type allows nothing to be left out. `values`: what they are on.
[[nodiscard]] Operations operations_of_core(const Object& object, const CoreRules& rules,
                                            std::span<const std::uint32_t> core,
                                            std::vector<ValueId>& values);

}  // namespace elapid::linearize
