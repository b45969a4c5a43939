#include "engine/saturate/causal_chains.h"

namespace elapid {

CausalChains CausalChains::of_sessions(const Observations& seen) {
  CausalChains chains(seen.txn_count());
  const History& history = seen.history();
  std::vector<std::uint32_t> alone;
  for (std::uint32_t s = 0; s < history.session_count(); ++s) {
    chains.begin();
    for (const TxnId txn : history.session_txns({s})) {
      if (history.committed(txn)) {
        chains.add(txn.value);
      } else if (seen.is_present(txn.value)) {
        alone.push_back(txn.value);
      }
    }
  }
  for (const std::uint32_t txn : alone) {
    chains.begin();
    chains.add(txn);
  }
  chains.begin();
  return chains;
}

CausalChains CausalChains::of_reads(const Observations& seen,
                                    std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> next(seen.txn_count(), kNone);
  std::vector<bool> is_first(seen.txn_count(), true);
  for (const std::uint32_t txn : order) {
    for (const Seen& read : seen.reads(txn)) {
      if (read.is_of_txn() && next[read.writer] == kNone) {
        next[read.writer] = txn;
        is_first[txn] = false;
        break;
      }
    }
  }
  CausalChains chains(seen.txn_count());
  for (const std::uint32_t first : order) {
    if (!is_first[first]) {
      continue;
    }
    chains.begin();
    for (std::uint32_t txn = first; txn != kNone; txn = next[txn]) {
      chains.add(txn);
    }
  }
  chains.begin();
  return chains;
}

void CausalChains::add(std::uint32_t txn) {
  chain_[txn] = static_cast<std::uint32_t>(begin_.size() - 1);
  place_[txn] = static_cast<std::uint32_t>(members_.size()) - begin_.back();
  members_.push_back(txn);
}

}  // namespace elapid
