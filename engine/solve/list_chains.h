// The order of elements in list reads, as an order of the transactions that appended them.
// Example: a read shows x = [1 2], T1 appended 1 and T2 appended 2: T2 appended directly after
// T1.
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
  /// `txn` appended directly after `previous`; if is_first, to the empty list.
  struct Link {
    std::uint32_t txn = 0;
    std::uint32_t previous = 0;
    KeyId key;
    bool is_first = false;
  };

  std::vector<Link> links;               ///< by txn
  std::vector<AmbiguousList> ambiguous;  ///< by key; no links for these
  /// (last shown, not shown): appends that no read shows come after all shown ones.
  std::vector<OrderProblem::KnownOrder> unobserved;
  std::vector<std::uint32_t> observed;  ///< transactions with elements that a committed one read
  std::vector<BadRead> unexplained;     ///< reads of elements that no transaction appended
  std::string contradiction;            ///< why no execution has these lists; empty if one may
};

/// A list that a transaction read, and the number of its elements that are not the reader's own.
struct ShownList {
  TxnId reader = TxnId::none();
  KeyId key;
  std::uint32_t mop = 0;
  std::uint32_t length = 0;
};

/// The lists of all transactions that do not contradict themselves, one for each transaction and
/// key, by reader.
[[nodiscard]] std::vector<ShownList> lists_shown(const History& history,
                                                 const Footprints& footprints);

/// Takes for each key the longest list among transactions that took effect, without the reader's
/// own elements. All other lists must be its prefixes. A transaction took effect if it committed,
/// or if such a transaction read an element of it. `shown`, by reader: the lists that count.
/// O(operations log operations).
[[nodiscard]] ListChains find_list_chains(const History& history, std::span<const ShownList> shown);

}  // namespace elapid
