// The open questions about the lists with repeated elements of one core, as clauses and guarded
// edges. Example: 1 was appended by T1 and by T3, and a read shows [1 2 1]. Clauses say that one of
// the two stands in each place of a 1; the guarded edge "if T1 stands in the first place, T1 comes
// before the append of 2" says what each choice implies.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/solve/cores.h"
#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// A transaction stands in a place (ListPlaces::places()), or took effect; or the contrary.
struct ListAtom {
  enum class Kind : std::uint8_t { kStands, kTookEffect };
  Kind kind = Kind::kStands;
  std::uint32_t index = 0;
  bool holds = true;
};

/// An edge that holds if all premises do. One of its ends may be a version; then that end of `edge`
/// is none().
struct GuardedEdge {
  std::vector<ListAtom> premises = {};
  std::uint32_t from = 0;  ///< vertices
  std::uint32_t to = 0;
  OrderEdge edge = {};
};

struct CoreLists {
  /// An open place, and whether the order at hand suggests it.
  struct OpenPlace {
    std::uint32_t place = 0;
    bool is_likely = false;
  };

  std::vector<OpenPlace> places = {};
  std::vector<std::vector<ListAtom>> clauses = {};
  std::vector<GuardedEdge> edges = {};
};

/// That no two transactions stand in one place is left to the caller.
[[nodiscard]] CoreLists find_core_lists(const OrderProblem& problem, const OrderGraph& graph,
                                        const Cores& cores, std::uint32_t core);

}  // namespace elapid
