// A counterexample carried out: each step, what its reads find, and why no serial order explains
// it.
//
//   T1 reads x = [], T2 reads x = [], T2 appends 2 to x, T2 commits, T1 appends 1 to x, T1 commits
//
// Items hold lists to which each writer appends its own number, so that a read shows all writers
// that came before. In the end a reader finds all written items: without it, and a cycle of writes,
// reads alone may not show that the schedule is not serializable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/advise/application.h"
#include "engine/advise/lowest.h"

namespace elapid::advise {

/// An item and the participants, from 0, whose writes were found in it.
using FoundItem = std::pair<ItemId, std::vector<std::size_t>>;

struct InterleavingStep {
  std::size_t participant = 0;
  std::optional<std::size_t> operation = {};  ///< in its transaction; none: it commits
  std::vector<FoundItem> found = {};          ///< by its reads
};

/// Participant `from` comes before participant `to` in every serial order.
struct InterleavingEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  std::string_view relation = {};  ///< `rw`, `wr` or `ww`
  ItemId item = 0;
};

struct Interleaving {
  std::vector<std::uint32_t> transactions = {};  ///< by participant: in the application; T1 first
  std::vector<Level> levels = {};                ///< by participant
  std::vector<InterleavingStep> steps = {};
  std::vector<FoundItem> finally = {};       ///< what the reader finds: all written items
  std::vector<InterleavingEdge> edges = {};  ///< T1 to T2, ..., Tm to T1
};

[[nodiscard]] Interleaving carry_out(const Application& application,
                                     const Counterexample& counterexample);

}  // namespace elapid::advise
