// The open choices of a core as variables and clauses: the write that each open read saw, the
// indeterminate transactions that took effect, the transactions in places of lists with repeated
// elements, and, on request of the search, the order of two writers. Each literal brings its edges
// to the theory (core_theory.h).
//
// Example: T3 reads x = 1, which T1 and T2 both wrote. Two variables, "T3 saw T1" and "T3 saw T2",
// and a clause that one of them holds. "T3 saw T1" brings the edge T1 -> T3. With "T1 before T2" it
// also brings T3 -> T2.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/solve/core_lists.h"
#include "engine/solve/core_search.h"
#include "engine/solve/core_theory.h"
#include "engine/solve/sat_solver.h"

namespace elapid {

/// Refers to all its arguments.
class CoreEncoding {
 public:
  /// Encodes the core's open reads and lists. `saturation` may be null.
  CoreEncoding(const OrderProblem& problem, const OrderGraph& graph, const SettledReaders& readers,
               const Saturation* saturation, const Cores& cores, std::uint32_t core,
               CoreTheory& theory, SatSolver& sat);

  /// Makes a choice for the order of two writers of a common key, if there is none yet. `a` may be
  /// kInitialWriter: the initial state comes first.
  void order_pair(std::uint32_t a, std::uint32_t b);

  /// The literal to try in place of `usual`: the likeliest writer of a read in the
  /// current order, before chance excludes all other candidates; `usual` if one was tried
  /// already.
  [[nodiscard]] Literal prefer(Literal usual) const;

  // The meaning of the literals that are true now.

  [[nodiscard]] bool takes_part(std::uint32_t txn) const;
  /// The write that the read saw; kOpenWriter if it saw none.
  [[nodiscard]] WriteRef chosen_writer(std::uint32_t r) const;
  /// The writers that the core's open reads saw.
  [[nodiscard]] std::vector<ReadFrom> reads() const;
  /// The core's optional transactions that took effect, ascending.
  [[nodiscard]] std::vector<std::uint32_t> took_effect() const;

  /// Whether the writer is in the core. The others already have their place.
  [[nodiscard]] bool may_swap(WriteRef writer) const;

  /// The clause as choices; nothing if it says that the initial state comes first.
  [[nodiscard]] std::optional<std::vector<Choice>> to_choices(
      std::span<const Literal> clause) const;

 private:
  struct Variable {
    Choice choice;
    std::uint32_t read = CoreTheory::kNone;  ///< the read whose writer the atom is about
  };

  /// The literal that says that a read saw a write.
  struct Selector {
    std::uint32_t read = 0;
    WriteRef writer = kInitialState;
    Literal literal;
  };

  [[nodiscard]] std::uint32_t place(std::uint32_t vertex) const { return cores_.place[vertex]; }

  [[nodiscard]] bool is_inside(std::uint32_t vertex) const {
    return cores_.core_of[vertex] == number_;
  }

  template <class Visit>
  void each_read_at(std::uint32_t vertex, Visit visit) const;
  template <class Visit>
  void each_other_writer(const ExternalRead& read, Visit visit) const;
  template <class Visit>
  void each_first_known_after(WriteRef writer, const ExternalRead& read, Visit visit) const;
  [[nodiscard]] bool may_overwrite(std::uint32_t other, WriteRef writer,
                                   const ExternalRead& read) const;

  std::uint32_t new_variable(const Variable& variable, bool phase,
                             std::uint32_t list_place = CoreTheory::kNone);
  Literal took_effect_literal(std::uint32_t txn);
  void collect_open_reads();
  void open_read(std::uint32_t r);
  void open_lists(const CoreLists& lists);
  std::vector<Literal> literals(const std::vector<ListAtom>& atoms);
  void add_read_from(std::uint32_t r, WriteRef writer, Literal saw);
  void add_order(std::uint32_t a, std::uint32_t b, Literal literal);
  void add_overwritten(WriteRef overwritten, KeyId key, std::uint32_t a, std::uint32_t b,
                       Literal literal);
  void bring(std::span<const Literal> premises, std::uint32_t from, std::uint32_t to,
             OrderEdge edge);

  void bring(std::initializer_list<Literal> premises, std::uint32_t from, std::uint32_t to,
             OrderEdge edge) {
    bring(std::span(premises.begin(), premises.size()), from, to, edge);
  }

  [[nodiscard]] WriteRef likely_writer(std::uint32_t r) const;
  [[nodiscard]] std::pair<bool, std::uint32_t> likelihood(WriteRef writer,
                                                          std::uint32_t read_at) const;

  const OrderProblem& problem_;
  const EventMap& events_;
  const SettledReaders& readers_;
  const Saturation* saturation_;
  const Cores& cores_;
  std::uint32_t number_;
  const Core& core_;
  CoreTheory& theory_;
  SatSolver& sat_;
  std::vector<Variable> variables_;
  std::vector<std::uint32_t> open_reads_;
  std::unordered_map<std::uint64_t, std::vector<Selector>> selectors_;  // by writer
  std::unordered_map<std::uint32_t, std::vector<Selector>> selectors_of_read_;
  std::unordered_map<std::uint32_t, std::uint32_t> took_effect_;  // variables by transaction
  std::unordered_map<std::uint32_t, std::uint32_t> stands_;       // variables by place in a list
  std::unordered_set<std::uint64_t> pairs_;                       // that have a choice
};

}  // namespace elapid
