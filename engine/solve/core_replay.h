// Carries out an order of one core's events, and finds writers in the wrong order.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "engine/solve/event_map.h"
#include "engine/solve/problem.h"

namespace elapid {

/// Stands for the initial state as a writer, in place of a transaction.
inline constexpr std::uint32_t kInitialWriter = TxnId::none().value;

/// Two transactions. The first may be kInitialWriter, the initial state.
using WriterPair = std::pair<std::uint32_t, std::uint32_t>;

/// The choices of a core's search.
struct ChosenParts {
  std::function<bool(std::uint32_t txn)> takes_part;
  std::function<WriteRef(std::uint32_t read)> writer_of;
  /// Whether the place of the writer is open: the rest of the graph does not determine it.
  std::function<bool(WriteRef writer)> may_move;
};

/// Pairs of writers in an order that gives a read another version than the chosen one (the version
/// read and the one found), or that overlap but must not. Empty: the order is right. Linear.
[[nodiscard]] std::vector<WriterPair> find_wrong_pairs(const OrderProblem& problem,
                                                       const EventMap& events,
                                                       std::span<const std::uint32_t> order,
                                                       const ChosenParts& chosen);

}  // namespace elapid
