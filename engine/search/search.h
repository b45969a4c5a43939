// A second opinion on the levels that an order of events defines: tries all orders, from state to
// state. Shares no code with the solver. The method is that of Biswas and Enea, "On the Complexity
// of Checking Transactional Consistency" (OOPSLA 2019), section 5, with shortcuts; docs/search.md
// describes it, with an example.
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

/// The most sessions for a search. Without session order, each transaction is a session.
inline constexpr std::size_t kMaxSearchWidth = 5000;

struct SearchOptions {
  OrderLevel level = {};  ///< not a saturable one
  /// Deterministic work: moves looked at.
  std::uint64_t work = 20'000'000'000;
  /// The most stored states of a component, plus open moves: 48 to 80 bytes each. Reaching this
  /// limit, or `work`, gives unknown.
  std::uint64_t states = std::uint64_t{1} << 24;
  /// Called now and then; returning false ends the search with unknown.
  std::function<bool()> keep_going = {};
};

struct SearchResult {
  Validity validity = Validity::kUnknown;
  std::optional<Witness> witness = {};          ///< of a valid history
  std::optional<ExhaustedSearch> failure = {};  ///< of an invalid one
  std::string unknown_because = {};
  bool is_out_of_budget = false;  ///< unknown because a budget was reached ...
  bool is_full = false;           ///< ... namely `states`
  std::uint64_t components = 0;   ///< searched components
  std::uint64_t states = 0;       ///< states visited in all components
};

/// Decides the level soundly and completely, for any history of reads, writes and appends. O(length
/// ^ sessions) for sessions that share keys. If the level needs real time and the history has none,
/// the answer is unknown, unless the history violates the level without real time.
[[nodiscard]] SearchResult search_orders(const History& history, const SearchOptions& options);

}  // namespace elapid
