// list-append: everything that follows from a history of appends and list reads without search.
//
// After Elle (Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from Experimental
// Observations", VLDB 2020, section 4). Sound where
// Elle guesses: see docs/elle.md.
#ifndef ELAPID_ENGINE_INFER_LIST_APPEND_H_
#define ELAPID_ENGINE_INFER_LIST_APPEND_H_

#include <functional>

#include "engine/infer/inference.h"
#include "engine/ir/history.h"

namespace elapid {

/// Near linear in operations, elements of longest lists, and edges. `history` must outlive the
/// result. `keep_going` is asked between the steps, each linear; false stops, and leaves no
/// explainer.
[[nodiscard]] Inference infer_list_append(
    const History& history, const std::function<bool()>& keep_going = [] { return true; });

}  // namespace elapid

#endif  // ELAPID_ENGINE_INFER_LIST_APPEND_H_
