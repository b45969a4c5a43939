// Part of a history as a history of its own: some of its transactions, and some of what binds them.
// minimal_refutation.h solves excerpts to find out what a proof needs.
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

/// A transaction, and what is kept of it.
struct Excerpted {
  TxnId txn;
  std::uint32_t session = 0;        ///< transactions with the same number are in session order
  bool has_invocation = true;       ///< in real time: it follows what completed before
  bool has_completion = true;       ///< in real time: what was invoked later follows it
  std::vector<Touch> touches = {};  ///< `read` and `write` are none() if they are not kept
};

/// In the order of the history.
using Excerpt = std::vector<Excerpted>;

/// An excerpt as the solver reads it, and what its numbers stand for.
struct SmallHistory {
  History history;
  Assumptions assumptions;
  std::vector<TxnId> txns;  ///< none() for readers that only tell the order of a list
  std::vector<KeyId> keys;
};

/// Takes excerpts from one history. A proof that an excerpt violates a level is a proof that the
/// history does: any order of all transactions that serves all reads contains an order of the
/// excerpt's that serves the reads that are kept. For that, a read counts only if every write that
/// it may have seen is kept too. Lists keep the order that reads show, even reads that are not
/// kept. Lists with repeated elements are left out.
class Excerpts {
 public:
  /// Excerpts of these transactions only, ascending. O(history).
  Excerpts(const OrderProblem& problem, OrderLevel level, const Assumptions& assumptions,
           std::span<const TxnId> txns);

  /// The excerpt with all that binds the transactions.
  [[nodiscard]] Excerpt whole() const;

  /// O(excerpt log history), and for lists excerpt squared.
  [[nodiscard]] SmallHistory as_history(const Excerpt& excerpt) const;

  /// The level that as_history() must satisfy.
  [[nodiscard]] OrderLevel level() const;

  /// The refutation of an excerpt as one of the history; nothing if it speaks of readers that only
  /// tell the order of a list.
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
  // By write: the place of an append that reads show; kNoPlace if no read in the excerpt does.
  std::unordered_map<WriteRef, std::uint32_t> place_of_;
};

}  // namespace elapid
