// A second opinion on the levels that an order of events defines: all orders are tried. Shares no
// code with the solver (docs/search.md).
#ifndef ELAPID_ENGINE_SEARCH_SEARCH_H_
#define ELAPID_ENGINE_SEARCH_SEARCH_H_

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
  bool is_out_of_budget = false;  ///< whether that is a budget that was reached: ...
  bool is_full = false;           ///< ... of `states`
  std::uint64_t components = 0;   ///< that were searched
  std::uint64_t states = 0;       ///< visited in all of them
};

/// Soundly and completely, for any history of reads, writes and appends. The more sessions share
/// keys, the longer: O(length ^ sessions). Of a level that needs real time, on a history without
/// any, only a violation of its form without real time is an answer.
[[nodiscard]] SearchResult search_orders(const History& history, const SearchOptions& options);

}  // namespace elapid

#endif  // ELAPID_ENGINE_SEARCH_SEARCH_H_
