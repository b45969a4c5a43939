// Verifies claims about objects: carries orders out, and searches plainly where a claim says that
// there is no order.
//
//   order {0, 1, 2}     enqueue 1, enqueue 2, dequeue 1: a queue does that, and time allows it
//   core {4, 7}         dequeue 2 and dequeue 1: the operations on 1 and 2 alone have no order
//
// A core makes the search small: operations on other values are left out, if the type allows that.
// A container of distinct values stays a container of the same type without some of its values: the
// first, last or greatest value of all is still the first, last or greatest of the rest. So does a
// register without all writes and reads of a value. If the rest has an order, or the type does not
// allow this, all operations of the object are searched.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/linearize/object_verdict.h"
#include "engine/verdict/verdict.h"

namespace elapid::linearize {

/// The most steps from states of a search; the same on every machine.
inline constexpr std::uint64_t kPlainWork = 30'000'000;

struct ClaimBudget {
  std::uint64_t work = kPlainWork;
  /// Called now and then in a search for a sequential order. If it returns false, the claim is not
  /// proved.
  std::function<bool()> has_budget = {};
};

/// The flaw of a claim about these objects, in one sentence; nothing if the claim is proved. A
/// claim has either an order of all operations (witness), or a core (failure): operations of one
/// object that have no order. A claim of sequential consistency is about orders that keep the order
/// of each process, and its core may be of several objects.
[[nodiscard]] std::optional<std::string> flaw_of_claim(const History& history,
                                                       std::span<const Object> objects,
                                                       const ObjectType& type,
                                                       const LevelAnswer& claim,
                                                       const ClaimBudget& budget);

/// The operations that have an order if all of the object have one: those on the core's values;
/// all, if the type allows nothing to be left out. `values`: the values that they are on.
[[nodiscard]] Operations operations_of_core(const Object& object, const CoreRules& rules,
                                            std::span<const std::uint32_t> core,
                                            std::vector<ValueId>& values);

}  // namespace elapid::linearize
