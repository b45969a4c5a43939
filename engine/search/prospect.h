// Whether a state can lead to the end at all, seen from far enough to tell quickly.
#ifndef ELAPID_ENGINE_SEARCH_PROSPECT_H_
#define ELAPID_ENGINE_SEARCH_PROSPECT_H_

#include <span>
#include <vector>

#include "engine/search/communication_graph.h"
#include "engine/search/key_store.h"

namespace elapid::search {

/// A state looked at as if keys kept all that was ever written to them: then whatever can come may
/// come at once, and no choice is left. What does not come even so never will. It is the relaxation
/// by which planners tell dead ends (Bonet and Geffner, "Planning as heuristic search", 2001), but
/// that who reads what nobody brings back still comes before the next writer of the key, and that
/// who is to write a key still keeps others from starting.
///
/// For registers. Refers to the component.
class Prospect {
 public:
  Prospect(const Demands& demands, const SearchComponent& component, bool has_two_halves);

  /// False if some committed transaction cannot commit. `done`: how many events of each chain were
  /// carried out. Linear in those left, as long as they wait for few others; `work` is reduced by
  /// the transactions looked at.
  [[nodiscard]] bool is_open(const KeyStore& store, std::span<const Index> done,
                             std::uint64_t& work);

 private:
  [[nodiscard]] bool may_start(const Task& task, const KeyStore& store) const;
  [[nodiscard]] bool may_commit(const Task& task, const KeyStore& store);
  void start(const Task& task, const KeyStore& store);
  void commit(const Task& task);
  bool carry_out(Index chain, const KeyStore& store);
  [[nodiscard]] Index& waiting(KeyId key, const KeyStore& store);

  const SearchComponent& component_;
  Index halves_;
  std::vector<Index> done_;  // by chain
  // What was noted in the round at hand, the number of which stands beside it.
  Index round_ = 0;
  std::vector<Index> written_in_;   // by version
  std::vector<Index> released_in_;  // by key: who kept others from starting has committed
  std::vector<Index> counted_in_;   // by key
  std::vector<Index> waiting_;      // by key: reads to come before the next write
};

}  // namespace elapid::search

#endif  // ELAPID_ENGINE_SEARCH_PROSPECT_H_
