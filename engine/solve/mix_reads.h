// The reads of each transaction from others, if levels differ by transaction. Levels differ in
// their rules on own writes, and on reads of one key that return different values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/solve/bad_reads.h"
#include "engine/solve/txn_reader.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The reads of all transactions that did not abort. Near linear in operations, and in the elements
/// of compared lists.
class MixReads {
 public:
  MixReads(const History& history, const TxnLevels& levels);

  /// In the order of operations. If the level requires reads of a key to agree: the first only.
  [[nodiscard]] std::span<const OthersRead> of(TxnId txn) const {
    return std::span(reads_).subspan(begin_[txn.index()],
                                     begin_[txn.index() + 1] - begin_[txn.index()]);
  }

  /// The place of its first read among the reads of all.
  [[nodiscard]] std::uint32_t first(TxnId txn) const { return begin_[txn.index()]; }

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(reads_.size()); }

  /// Anomalies of reads by committed transactions: contradictions to own operations, as far as the
  /// level forbids them; reads of a version that no transaction left behind, which are missing
  /// above; and reads of the reader's own later write.
  [[nodiscard]] const std::vector<Anomaly>& anomalies() const { return anomalies_; }

  /// Whether some read shows a version that no write explains and no anomaly names.
  [[nodiscard]] bool has_unnamed() const { return has_unnamed_; }

  /// Whether the transaction contradicts itself, so that it cannot have taken effect.
  [[nodiscard]] bool contradicts_itself(TxnId txn) const { return is_contradictory_[txn.index()]; }

  /// Whether some read of a list returned no list: its meaning is unknown.
  [[nodiscard]] bool has_odd_reads() const { return has_odd_reads_; }

 private:
  void find_impossible(const History& history, std::span<const ReadAt> suspects);

  std::vector<std::uint32_t> begin_ = {0};
  std::vector<OthersRead> reads_;
  std::vector<bool> is_contradictory_;
  std::vector<Anomaly> anomalies_;
  bool has_odd_reads_ = false;
  bool has_unnamed_ = false;
};

}  // namespace elapid
