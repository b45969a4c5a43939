// The claims of a description as lines of text, about transactions with given labels.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/description.h"

namespace elapid {

/// `[1 2 3]`; a list of more than twelve elements is shortened, as `[1 2 3 … 48 49 50]`.
[[nodiscard]] std::string list_text(const History& history, std::span<const ValueId> elements);

/// A line for each claim; lines of its steps follow, indented by two more blanks. `label`: gives a
/// transaction's label, as `T1`.
[[nodiscard]] std::vector<std::string> claim_lines(const History& history,
                                                   const Description& description,
                                                   const std::function<std::string(TxnId)>& label);

}  // namespace elapid
