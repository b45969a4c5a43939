// The order in which reads show the elements of lists, as the order of the transactions that
// appended them. Example: a read shows x = [1 2], T1 appended 1 and T2 appended 2: T2 appended
// directly after T1.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/solve/bad_reads.h"
#include "engine/solve/footprints.h"
#include "engine/solve/list_places.h"
#include "engine/solve/problem.h"

namespace elapid {

struct ListChains {
  /// `txn` appended directly after `previous`, or, if is_first, to the empty list.
  struct Link {
    std::uint32_t txn = 0;
    std::uint32_t previous = 0;
    KeyId key;
    bool is_first = false;
  };

  std::vector<Link> links;               ///< by txn
  std::vector<AmbiguousList> ambiguous;  ///< by key; no links lead along these
  /// (last shown, not shown): what no read shows was appended after everything shown.
  std::vector<OrderProblem::KnownOrder> unobserved;
  std::vector<std::uint32_t> observed;  ///< transactions; a committed one read elements of theirs
  std::vector<BadRead> unexplained;     ///< reads of elements that no transaction appended
  std::string contradiction;            ///< why no execution has such lists, if so
};

/// A list that a transaction read, and how many of its elements are not the reader's own.
struct ShownList {
  TxnId reader = TxnId::none();
  KeyId key;
  std::uint32_t mop = 0;
  std::uint32_t length = 0;
};

/// Those of all transactions that do not contradict themselves, one a transaction and key, by
/// reader.
[[nodiscard]] std::vector<ShownList> lists_shown(const History& history,
                                                 const Footprints& footprints);

/// Of each key the longest list that a transaction read which took effect, without its own
/// elements. All others must be its prefixes. Those took effect that committed, and those whose
/// elements such a transaction read. `shown`, by reader, are the lists that count.
/// O(operations log operations).
[[nodiscard]] ListChains find_list_chains(const History& history, std::span<const ShownList> shown);

}  // namespace elapid
