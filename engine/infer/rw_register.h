// rw-register: everything that follows from a history of register writes and reads without search.
//
// Registers show less than lists: version orders come from the initial state, and from assumptions
// that the user makes about keys. After Elle (elle-semantics.md, C), but sound
// where Elle guesses: see docs/elle.md.
#ifndef ELAPID_ENGINE_INFER_RW_REGISTER_H_
#define ELAPID_ENGINE_INFER_RW_REGISTER_H_

#include "engine/infer/inference.h"
#include "engine/ir/history.h"

namespace elapid {

/// Near linear in operations, versions and edges. `history` must outlive the result.
[[nodiscard]] Inference infer_rw_register(const History& history, const Assumptions& assumptions);

}  // namespace elapid

#endif  // ELAPID_ENGINE_INFER_RW_REGISTER_H_
