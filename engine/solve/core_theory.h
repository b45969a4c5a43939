// The theory of a core's search. Literals bring edges into an order of the core's vertices, which
// must stay acyclic. No two transactions may have one place of a list.
//
// Example: the literal "T1 before T2" brings the edge T1 -> T2; "T2 before T3" and "T3 before T1"
// bring their edges. When the third becomes true, the order refuses its edge. The conflict is the
// clause that one of the three is false. The cycle is stored as the reason of this clause.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/graph/incremental_order.h"
#include "engine/solve/core_search.h"
#include "engine/solve/list_places.h"
#include "engine/solve/sat_solver.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// Vertices are places in the core. Refers to the core, the lists and the solver.
class CoreTheory {
 public:
  /// `permanent`: the edges of the core, in the order of `core.edges`.
  CoreTheory(const Core& core, const std::vector<IncrementalOrder::Edge>& permanent,
             const ListPlaces& lists, SatSolver& sat);

  /// Adds the next variable. `list_place`: the place (ListPlaces) that its transaction has if the
  /// variable is true; or kNone.
  void add_variable(std::uint32_t list_place = kNone);

  /// Adds an edge that holds if all premises hold.
  void bring(std::span<const Literal> premises, std::uint32_t from, std::uint32_t to,
             OrderEdge edge);

  /// As Theory::assign() and Theory::retract().
  std::uint32_t assign(Literal literal, std::vector<Literal>& conflict);
  void retract(Literal literal);

  [[nodiscard]] const IncrementalOrder& order() const { return order_; }

  /// The cycle behind a line of the proof; empty if the line has none.
  [[nodiscard]] std::vector<CoreEdge> cycle_of(std::uint32_t line) const;

  static constexpr std::uint32_t kNone = 0xffffffffU;

 private:
  /// An edge that a literal brings, alone or together with another one.
  struct Consequence {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    OrderEdge edge;
    std::optional<Literal> partner = {};
  };

  /// An edge that three or more literals bring together.
  struct Guard {
    std::vector<Literal> premises;
    std::uint32_t missing = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    OrderEdge edge;
  };

  /// The effects of a literal.
  struct Effects {
    std::vector<Consequence> consequences = {};
    std::vector<std::uint32_t> guards = {};
    bool is_told = false;  ///< the literal is true
  };

  /// An edge in the order.
  struct Brought {
    std::array<Literal, 2> premises;  // unused if there is a guard
    OrderEdge edge;
    std::uint32_t guard = kNone;
  };

  std::uint32_t occupy(Literal literal, std::vector<Literal>& conflict);
  void vacate(Literal literal);
  std::uint32_t explain_cycle(std::uint32_t from, std::uint32_t to, const Brought& brought,
                              std::vector<Literal>& conflict);
  [[nodiscard]] std::span<const Literal> premises(const Brought& brought) const;
  [[nodiscard]] bool is_permanent(const Brought& brought) const;

  const Core& core_;
  const ListPlaces& lists_;
  SatSolver& sat_;
  IncrementalOrder order_;
  std::vector<Effects> effects_;           // by literal
  std::vector<std::uint32_t> list_place_;  // by variable
  std::vector<Guard> guards_;
  std::unordered_map<std::uint64_t, std::uint32_t> occupied_by_;  // variables by line and position
  std::vector<Brought> brought_;
  std::vector<std::size_t> brought_before_;                          // by literal told
  std::unordered_map<std::uint32_t, std::vector<CoreEdge>> cycles_;  // by proof line
};

}  // namespace elapid
