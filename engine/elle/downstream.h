// Elle's nearest later operations on a key, corrupted as its library corrupts them.
//
// Elle walks its real-time graph from the last completion to the first. A completion's set for a
// key consists of the successors that touch the key, and of the sets of those that do not. Elle
// unites sets with Bifurcan, which may put elements into other sets meanwhile (shared_tries.h); it
// reads them at the end of the walk. Which sets are hit depends on the order of the unions and on
// the operations' hashes, so that both have to be Elle's.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/elle/shared_tries.h"
#include "engine/ir/history.h"

namespace elapid::elle {

/// The walks over one history, which is borrowed. Requires HistoryInfo::f.
class Downstream {
 public:
  explicit Downstream(const History& history);

  /// Calls `link(earlier, later)`, with places among `touching`, for what Elle takes to follow
  /// directly on a key. `touching` are all transactions that completed and touch it, ascending.
  /// Time and memory as the transactions between the first and the last, times those that overlap
  /// each, and somewhat more where the sets at the first still differ.
  void each_link(std::span<const TxnId> touching,
                 const std::function<void(std::uint32_t, std::uint32_t)>& link);

 private:
  using SetId = SharedTries::SetId;
  static constexpr std::uint32_t kNoPlace = 0xffffffffU;

  void find_successors();
  void start(std::span<const TxnId> touching);
  void finish(TxnId last, TxnId reached);
  [[nodiscard]] SetId downstream(TxnId txn);
  [[nodiscard]] bool settled(TxnId next);

  const History& history_;
  std::vector<std::uint32_t> begin_ = {0};  // of each transaction's successors
  std::vector<TxnId> successors_;           // in Elle's order
  std::vector<TxnId> first_predecessor_;
  std::vector<std::uint32_t> hashes_;

  // Of the key at hand.
  SharedTries sets_;
  std::vector<std::uint32_t> place_;  // of each transaction among those that touch it
  std::vector<SetId> set_;            // of each transaction; none() if there is none
  std::vector<TxnId> live_;           // those whose sets the walk may still need
  std::vector<std::uint32_t> element_hashes_;
};

}  // namespace elapid::elle
