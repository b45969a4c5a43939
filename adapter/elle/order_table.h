// A web page with all reads of one key side by side, for keys whose reads contradict one another.
#pragma once

#include <span>
#include <string>

#include "engine/ir/history.h"

namespace elapid {

struct KeyRead {
  TxnId txn;
  Op op;  ///< a read of the key
};

/// The reads as rows, one element a cell; cells that differ from the longest read are coloured by
/// their element. Leaves out the elements at the start on which all reads agree with the longest,
/// and rows beyond some megabytes of text, as the page says. Linear in the page and in the literal
/// lists.
[[nodiscard]] std::string order_table(const History& history, KeyId key,
                                      std::span<const KeyRead> reads);

}  // namespace elapid
