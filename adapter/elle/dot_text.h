// A part of the dependency graph in Graphviz's language.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The digraph `a_graph`: a record a transaction, named `T<index>`, with a field an operation;
/// edges run between the operations that force them. Both ends of each edge must be among `txns`.
/// Nothing if the text would be longer than `max_bytes`; no longer text is built.
[[nodiscard]] std::optional<std::string> dot_text(const History& history,
                                                  std::span<const TxnId> txns,
                                                  std::span<const Step> edges,
                                                  std::size_t max_bytes);

}  // namespace elapid
