// rw-register: everything that follows from a history of register writes and reads without search.
//
// Registers show less than lists: version orders come from the initial state, and from assumptions
// that the user makes about keys. After Elle (elle-semantics.md, C), but sound
// where Elle guesses: see docs/elle.md.
#ifndef ELAPID_ENGINE_INFER_RW_REGISTER_H_
#define ELAPID_ENGINE_INFER_RW_REGISTER_H_

#include <functional>

#include "engine/infer/inference.h"
#include "engine/ir/history.h"

namespace elapid {

/// Near linear in operations, versions and edges. `history` must outlive the result. `keep_going`
/// is asked between the steps, each linear; false stops, and leaves no explainer.
[[nodiscard]] Inference infer_rw_register(
    const History& history, const Assumptions& assumptions,
    const std::function<bool()>& keep_going = [] { return true; });

}  // namespace elapid

#endif  // ELAPID_ENGINE_INFER_RW_REGISTER_H_
