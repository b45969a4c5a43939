// A second opinion on a refutation: a plain search of all possibilities, event by event.
//
//   add 1 |--|
//   read 0      |--|      after the add returned only the state 1 is left, where the read fails
//
// A possibility is a state, the open operations that have taken effect in it, and the number used
// of each class of equal operations without a return. At each return, the open operations take
// effect in every order (Lowe, CCPE 2017, section 3). Two facts keep the possibilities few. A
// possible read has happened, since it hinders nothing. If two differ only in the used operations
// without a return, the one that used no more of each class can do all that the other can. Only the
// models are shared with the engines.
//
// Cost: exponential in the operations that are open at once.
#pragma once

#include <cstdint>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

enum class PlainAnswer : std::uint8_t { kOrder, kNoOrder, kSpent };

/// How often operations without a return may take effect.
enum class Supply : std::uint8_t {
  kOnce,       ///< at most once
  kUnlimited,  ///< any number of times: then no order means none, but an order means nothing
};

/// Whether the operations have an order. `work`: steps from states; reduced by the steps done.
[[nodiscard]] PlainAnswer search_plainly(const Operations& operations, const Model& model,
                                         Supply supply, std::uint64_t& work);

}  // namespace elapid::linearize
