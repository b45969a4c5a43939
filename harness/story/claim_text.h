// The claims of a description as lines of text, about transactions that have labels already.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/description.h"

namespace elapid {

/// `[1 2 3]`; of more than twelve elements the ends, as `[1 2 3 … 48 49 50]`.
[[nodiscard]] std::string list_text(const History& history, std::span<const ValueId> elements);

/// A line a claim; those of its steps follow, indented by two blanks more. `label`: of a
/// transaction, as `T1`.
[[nodiscard]] std::vector<std::string> claim_lines(const History& history,
                                                   const Description& description,
                                                   const std::function<std::string(TxnId)>& label);

}  // namespace elapid
