// A second opinion on a refutation: all that can have happened, event by event, tried plainly.
//
//   add 1 |--|
//   read 0      |--|      after the add returned only the state 1 is left, where the read fails
//
// A possibility is a state, the open operations that have taken effect in it, and how many of each
// class of equal operations that never return have. At each return the operations that are open
// take effect in every order (Lowe, CCPE 2017, section 3). Two facts keep the possibilities few: a
// read that is possible has happened, since it hinders nothing; and of two possibilities that
// differ in the operations used that never return, the one that used no more of each class can do
// all that the other can. It shares no code with the searches of the engines, but for the models.
//
// Cost: exponential in the operations that are open at once.
#pragma once

#include <cstdint>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

enum class PlainAnswer : std::uint8_t { kOrder, kNoOrder, kSpent };

/// How often operations that never return may take effect.
enum class Supply : std::uint8_t {
  kOnce,       ///< as it is
  kUnlimited,  ///< as often as one likes: no order then means no order, an order means nothing
};

/// Whether the operations have an order. `work`: steps from states; less remains.
[[nodiscard]] PlainAnswer search_plainly(const Operations& operations, const Model& model,
                                         Supply supply, std::uint64_t& work);

}  // namespace elapid::linearize
