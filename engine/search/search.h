// A second opinion on the levels that an order of events defines: all orders are tried, from state
// to state. Shares no code with the solver. docs/search.md has the method and an example; it is
// that of Biswas and Enea, "On the Complexity of Checking Transactional Consistency" (OOPSLA 2019),
// section 5, with shortcuts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Without session order each transaction is a session of its own. More of them are not searched.
inline constexpr std::size_t kMaxSearchWidth = 5000;

struct SearchOptions {
  OrderLevel level = {};  ///< not a saturable one
  /// Deterministic: moves looked at.
  std::uint64_t work = 20'000'000'000;
  /// States that are remembered of a component, and moves that are open: 48 to 80 bytes each.
  /// Reaching that, or `work`, gives unknown.
  std::uint64_t states = std::uint64_t{1} << 24;
  /// Asked now and then; returning false ends the search with unknown.
  std::function<bool()> keep_going = {};
};

struct SearchResult {
  Validity validity = Validity::kUnknown;
  std::optional<Witness> witness = {};          ///< of a valid history
  std::optional<ExhaustedSearch> failure = {};  ///< of an invalid one
  std::string unknown_because = {};
  bool is_out_of_budget = false;  ///< unknown because a budget was reached ...
  bool is_full = false;           ///< ... namely `states`
  std::uint64_t components = 0;   ///< that were searched
  std::uint64_t states = 0;       ///< visited in all of them
};

/// Decides the level soundly and completely, for any history of reads, writes and appends. The more
/// sessions share keys, the longer it takes: O(length ^ sessions). Where the level needs real time
/// and the history has none, only a violation of the level without real time is an answer.
[[nodiscard]] SearchResult search_orders(const History& history, const SearchOptions& options);

}  // namespace elapid
