// The outcome for each element of a set, by its adds and the final read.
#pragma once

#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/description.h"

namespace elapid {

/// Sets of elements, each sorted by ValueOrder.
struct SetElements {
  std::vector<ValueId> attempted;     ///< an add was tried
  std::vector<ValueId> acknowledged;  ///< an add succeeded
  std::vector<ValueId> ok;            ///< read, and attempted before
  std::vector<ValueId> lost;          ///< acknowledged, and not read
  std::vector<ValueId> recovered;     ///< read, and attempted with an unknown outcome or a failure
  std::vector<ValueId> unexpected;    ///< read, and not attempted before
};

/// `read`: the final read. `ignores_time`: adds count at any time, as in Jepsen.
[[nodiscard]] SetElements sort_elements(const History& history, TxnId read, bool ignores_time);

/// Text of sorted elements as `#{1..3 5}`: runs of integers are intervals.
[[nodiscard]] std::string interval_text(const History& history,
                                        const std::vector<ValueId>& elements);

/// Adds descriptions of lost and unexpected elements, if any. If the named element has several
/// adds, a description names the earliest one that makes it lost or unexpected.
void describe_losses(const History& history, TxnId read, bool ignores_time, const SetElements& set,
                     std::vector<Description>& out);

}  // namespace elapid
