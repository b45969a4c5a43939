// Whether a state can lead to the end at all, seen from far enough to tell quickly.
#ifndef ELAPID_ENGINE_SEARCH_PROSPECT_H_
#define ELAPID_ENGINE_SEARCH_PROSPECT_H_

#include <span>
#include <vector>

#include "engine/levels/models.h"
#include "engine/search/communication_graph.h"
#include "engine/search/key_store.h"

namespace elapid::search {

/// A state looked at as if keys kept all that was ever written to them: then whatever can come may
/// come at once, and no choice is left. What does not come even so never will. It is the relaxation
/// by which planners tell dead ends (Bonet and Geffner, "Planning as heuristic search", 2001), but
/// that who reads what nobody brings back still comes before the next writer of the key, and that
/// writers of a key still keep one another from starting where they must.
///
/// For registers. Refers to the component.
class Prospect {
 public:
  Prospect(const Demands& demands, const SearchComponent& component, Visibility visibility);

  /// False if some committed transaction cannot commit. `done`: how many events of each chain were
  /// carried out. Linear in those left, as long as they wait for few others; `work` is reduced by
  /// the transactions looked at.
  [[nodiscard]] bool is_open(const KeyStore& store, std::span<const Index> done,
                             std::uint64_t& work);

 private:
  [[nodiscard]] bool may_start(const Task& task, const KeyStore& store);
  [[nodiscard]] bool may_commit(const Task& task, const KeyStore& store);
  void start(const Task& task, const KeyStore& store);
  void commit(const Task& task, bool has_started_here, const KeyStore& store);
  bool carry_out(Index chain, Index done_before, const KeyStore& store);
  [[nodiscard]] static bool is_first(const Task& task, const Access& access, const KeyStore& store);

  /// Of a key: who comes before the next write.
  struct Waiting {
    Index in_round = 0;
    Index reads = 0;    ///< must be over
    Index updates = 0;  ///< must have committed, where writers of a key do not overlap
  };

  [[nodiscard]] Waiting& waiting(KeyId key, const KeyStore& store);

  const SearchComponent& component_;
  bool excludes_overlap_;
  Index halves_;
  std::vector<Index> done_;  // by chain
  // What was noted in the round at hand, the number of which stands beside it.
  Index round_ = 0;
  std::vector<Index> written_in_;   // by version
  std::vector<Index> released_in_;  // by key: who kept others from starting has committed
  std::vector<Waiting> waiting_;    // by key
};

}  // namespace elapid::search

#endif  // ELAPID_ENGINE_SEARCH_PROSPECT_H_
