// A part of a history as a history of its own: some of its transactions, and some of their bonds.
// minimal_refutation.h solves excerpts to find out which parts a proof needs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/solve/footprints.h"
#include "engine/solve/problem.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// A transaction, with the parts of it that are kept.
struct Excerpted {
  TxnId txn;
  std::uint32_t session = 0;        ///< transactions with the same number are in session order
  bool has_invocation = true;       ///< in real time: it follows transactions completed before
  bool has_completion = true;       ///< in real time: transactions invoked later follow it
  std::vector<Touch> touches = {};  ///< `read` and `write` are none() if they are not kept
};

/// In the order of the history.
using Excerpt = std::vector<Excerpted>;

/// An excerpt as input of the solver, and the meaning of its numbers.
struct SmallHistory {
  History history;
  Assumptions assumptions;
  std::vector<TxnId> txns;  ///< none() for readers that only give the order of a list
  std::vector<KeyId> keys;
};

/// Takes excerpts from one history. A proof that an excerpt violates a level proves it for the
/// history: any order of all transactions that serves all reads contains an order of the excerpt
/// that serves the kept reads. For that, a read counts only if all its possible writes are kept.
/// Lists keep their order from all reads, also from reads that are not kept. Lists with repeated
/// elements are left out.
class Excerpts {
 public:
  /// Excerpts of these transactions only, ascending. O(history).
  Excerpts(const OrderProblem& problem, OrderLevel level, const Assumptions& assumptions,
           std::span<const TxnId> txns);

  /// The excerpt with all bonds.
  [[nodiscard]] Excerpt whole() const;

  /// O(excerpt log history), plus excerpt squared for lists.
  [[nodiscard]] SmallHistory as_history(const Excerpt& excerpt) const;

  /// The level that as_history() must satisfy.
  [[nodiscard]] OrderLevel level() const;

  /// Converts the refutation of an excerpt to one of the history; nothing if it uses readers that
  /// only give the order of a list.
  [[nodiscard]] std::optional<Refutation> in_history(const SmallHistory& excerpt,
                                                     Refutation refutation) const;

 private:
  class Restorer;
  class Writer;

  [[nodiscard]] bool has_sessions() const {
    return level_.sessions || assumptions_.sequential_keys;
  }

  [[nodiscard]] bool has_real_time() const {
    return problem_.history().info().has_real_time &&
           (level_.real_time || assumptions_.linearizable_keys);
  }

  [[nodiscard]] bool is_list() const { return problem_.history().has_lists(); }

  void place_appends();
  [[nodiscard]] Touch telling(TxnId txn, Touch touch) const;

  const OrderProblem& problem_;
  OrderLevel level_;
  Assumptions assumptions_;
  std::vector<TxnId> txns_;
  Footprints footprints_;  // of txns_
  // By write: the place of an append in the reads; kNoPlace if no read in the excerpt has it.
  std::unordered_map<WriteRef, std::uint32_t> place_of_;
};

}  // namespace elapid
