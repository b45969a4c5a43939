// Elle's nearest later operations on a key, with the corruption by Elle's library.
//
// Elle walks its real-time graph from the last completion to the first. A completion's set for a
// key has the successors that touch the key, and the sets of the other successors. Elle unites sets
// with Bifurcan, which may put elements into other sets meanwhile (shared_tries.h), and reads them
// at the end of the walk. The corrupted sets depend on the order of the unions and on the
// operations' hashes, so both must be Elle's.
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

  /// Calls `link(earlier, later)`, with places in `touching`, for each pair that Elle takes as
  /// direct successors on a key. `touching`: all transactions that completed and touch the key,
  /// ascending. Time and memory: the transactions between the first and the last, times those that
  /// overlap each; somewhat more if the sets at the first still differ.
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

  // For the current key.
  SharedTries sets_;
  std::vector<std::uint32_t> place_;  // by transaction: its place in `touching`
  std::vector<SetId> set_;            // by transaction; none() if there is none
  std::vector<TxnId> live_;           // transactions with sets that the walk may still need
  std::vector<std::uint32_t> element_hashes_;
};

}  // namespace elapid::elle
