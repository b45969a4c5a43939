// The open places in lists with repeated elements of one core, as clauses and guarded edges.
// Example: T1 and T3 both appended 1, and a read shows [1 2 1]. A clause for each place of a 1 says
// that T1 or T3 is there. The guarded edge "if T1 is in the first place, T1 precedes the append of
// 2" expresses a consequence of the choice.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/solve/cores.h"
#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// A transaction has a place (ListPlaces::places()), or took effect; or the negation.
struct ListAtom {
  enum class Kind : std::uint8_t { kStands, kTookEffect };
  Kind kind = Kind::kStands;
  std::uint32_t index = 0;
  bool holds = true;
};

/// An edge that holds if all premises hold. One of its ends may be a version; then this end of
/// `edge` is none().
struct GuardedEdge {
  std::vector<ListAtom> premises = {};
  std::uint32_t from = 0;  ///< vertices
  std::uint32_t to = 0;
  OrderEdge edge = {};
};

struct CoreLists {
  /// An open place, and whether the current order suggests it.
  struct OpenPlace {
    std::uint32_t place = 0;
    bool is_likely = false;
  };

  std::vector<OpenPlace> places = {};
  std::vector<std::vector<ListAtom>> clauses = {};
  std::vector<GuardedEdge> edges = {};
};

/// The caller must ensure that no two transactions have one place.
[[nodiscard]] CoreLists find_core_lists(const OrderProblem& problem, const OrderGraph& graph,
                                        const Cores& cores, std::uint32_t core);

}  // namespace elapid
