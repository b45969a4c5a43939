// Carries out an order of one core's events, to see which writers stand in the wrong order.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "engine/solve/event_map.h"
#include "engine/solve/problem.h"

namespace elapid {

/// In place of a transaction: the initial state as a writer.
inline constexpr std::uint32_t kInitialWriter = TxnId::none().value;

/// Two transactions. The first may be kInitialWriter, the initial state.
using WriterPair = std::pair<std::uint32_t, std::uint32_t>;

/// What a core's search has chosen.
struct ChosenParts {
  std::function<bool(std::uint32_t txn)> takes_part;
  std::function<WriteRef(std::uint32_t read)> writer_of;
  /// Whether the place of the writer is open: the rest of the graph does not settle it.
  std::function<bool(WriteRef writer)> may_move;
};

/// Writers whose order makes a read return another version than the one chosen (the version read
/// and the one found), or that overlap where they must not. None: the order will do. Linear.
[[nodiscard]] std::vector<WriterPair> find_wrong_pairs(const OrderProblem& problem,
                                                       const EventMap& events,
                                                       std::span<const std::uint32_t> order,
                                                       const ChosenParts& chosen);

}  // namespace elapid
