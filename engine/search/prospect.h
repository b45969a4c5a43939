// A quick test that finds states of the search without a way to the end.
#pragma once

#include <span>
#include <vector>

#include "engine/levels/models.h"
#include "engine/search/communication_graph.h"
#include "engine/search/key_store.h"

namespace elapid::search {

/// Assumes that keys keep every version ever written to them. Then each transaction that can come
/// may come at once, and no choice is left. A transaction that cannot come even so never will: the
/// state is a dead end. This relaxation comes from planners (Bonet and Geffner, "Planning as
/// heuristic search", Artificial Intelligence 129, 2001). It is stronger here in two ways: a reader
/// of a version that no transaction can restore still precedes the next writer of the key; and
/// writers of a key still exclude one another if the level says so.
///
/// Example: T1 reads x = 1 and writes y = 2, T2 reads y = 2 and writes x = 1, and no other
/// transaction writes these. Neither can come first. So the state is a dead end, found without
/// trying an order.
///
/// For registers. Refers to the component.
class Prospect {
 public:
  Prospect(const Demands& demands, const SearchComponent& component, Visibility visibility);

  /// False if some committed transaction cannot commit. `done`: the number of carried-out events of
  /// each chain. Linear in the remaining transactions, if they wait for few others. `work` is
  /// reduced by the transactions looked at.
  [[nodiscard]] bool is_open(const KeyStore& store, std::span<const Index> done,
                             std::uint64_t& work);

 private:
  [[nodiscard]] bool may_start(const Task& task, const KeyStore& store);
  [[nodiscard]] bool may_commit(const Task& task, const KeyStore& store);
  void start(const Task& task, const KeyStore& store);
  void commit(const Task& task, bool has_started_here, const KeyStore& store);
  bool carry_out(Index chain, Index done_before, const KeyStore& store);
  [[nodiscard]] static bool is_first(const Task& task, const Access& access, const KeyStore& store);

  /// For a key: the transactions that must precede the next write.
  struct Waiting {
    Index in_round = 0;
    Index reads = 0;    ///< that must have read
    Index updates = 0;  ///< that must have committed, if writers of a key do not overlap
  };

  [[nodiscard]] Waiting& waiting(KeyId key, const KeyStore& store);

  const SearchComponent& component_;
  bool excludes_overlap_;
  Index halves_;
  std::vector<Index> done_;  // by chain
  // Notes of the current round; each stores the number of its round.
  Index round_ = 0;
  std::vector<Index> written_in_;   // by version
  std::vector<Index> released_in_;  // by key: the transaction that excluded other writers committed
  std::vector<Waiting> waiting_;    // by key
};

}  // namespace elapid::search
