// Operations of a few lines, for the tests of this folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/ir/value_pool.h"
#include "engine/linearize/operation.h"
#include "engine/linearize/types/functions.h"
#include "engine/linearize/types/judgement.h"

namespace elapid::linearize {

/// Of small integers.
[[nodiscard]] inline ValueId n(std::int64_t number) {
  return ValueId::integer(number);
}

template <class F>
[[nodiscard]] Operation op(F f, std::uint32_t invoked, std::uint32_t returned,
                           ValueId argument = ValueId::none(), ValueId result = ValueId::none()) {
  return {TxnId(), invoked, returned, static_cast<std::uint8_t>(f), argument, result};
}

[[nodiscard]] inline Operation add(std::uint32_t invoked, std::uint32_t returned, int value) {
  return op(ContainerF::kAdd, invoked, returned, n(value));
}

[[nodiscard]] inline Operation take(std::uint32_t invoked, std::uint32_t returned, int value) {
  return op(ContainerF::kRemove, invoked, returned, ValueId::none(), n(value));
}

[[nodiscard]] inline Operation find_nothing(std::uint32_t invoked, std::uint32_t returned) {
  return op(ContainerF::kRemove, invoked, returned, ValueId::none(), ValueId::nil());
}

[[nodiscard]] inline Operation open_take(std::uint32_t invoked) {
  return op(ContainerF::kRemove, invoked, kNever);
}

using Places = std::vector<std::uint32_t>;

/// The sentence, with operations as their places.
[[nodiscard]] inline std::string told(const Judgement& judgement) {
  return sentence(judgement, [](std::uint32_t place) { return "#" + std::to_string(place); });
}

}  // namespace elapid::linearize
