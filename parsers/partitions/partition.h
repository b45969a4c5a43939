// One partition: the data of the pieces about its keys, and the consequences.
//
// Version orders concern one key at a time. So the workload's inference (engine/workloads) finds
// the same in a partition, read as a small history, as for these keys in the whole. One fact may be
// in another partition: whether an indeterminate transaction happened.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "engine/sweep/sweep.h"
#include "engine/verdict/verdict.h"
#include "parsers/partitions/segment.h"

namespace elapid {

/// The question to a partition: the weakest of these models that covers the demanded ones, with all
/// models that it implies.
enum class Demand : char {
  kCommitted,     ///< read committed: no anti-dependencies
  kAtomic,        ///< read atomic: also transactions that see a part of another
  kAtomicInTime,  ///< the same, if sessions count (ra)
  kSnapshots,     ///< strong snapshot isolation: all dependencies, and guesses
  kSerial,        ///< strict serializability, or any other model
};

/// The model that implies all models decided with the question.
[[nodiscard]] Model model_of(Demand demand);

/// The least question that covers these models.
[[nodiscard]] Demand demand_of(const ModelSet& models);

[[nodiscard]] inline bool is_atomic(Demand demand) {
  return demand == Demand::kAtomic || demand == Demand::kAtomicInTime;
}

/// Whether anti-dependencies and lost updates matter.
[[nodiscard]] inline bool has_rw(Demand demand) {
  return demand >= Demand::kSnapshots;
}

/// A transaction read from another, or missed a write of another. Both for one pair: it saw a part
/// of the other.
struct SeenPair {
  std::uint32_t reader = 0;
  std::uint32_t writer = 0;
  std::uint32_t is_missed = 0;

  friend auto operator<=>(const SeenPair&, const SeenPair&) = default;
};

/// Numbers of transactions in the whole history.
using TxnNumbers = std::unordered_set<std::uint32_t>;

/// A dependency on an indeterminate transaction: it precedes a transaction that completed at that
/// time, or it never happened.
struct AfterIndeterminate {
  std::uint32_t txn = 0;
  TxnInterval next;
};

/// The consequences of a partition's keys. Times are those of the whole history.
struct PartitionFindings {
  std::uint64_t keys = 0;
  /// The transactions of relevant anomalies without a cycle, with those that show them.
  std::vector<std::uint32_t> shown = {};
  std::vector<std::string> open_keys = {};  ///< by name: see Inference::open_keys
  bool is_serial = true;                    ///< Inference::version_orders_serial
  bool is_clean = true;                     ///< all reads show versions, in order or not
  bool has_ties = false;                    ///< Inference::tied: their choice concerns other keys
  /// The indeterminate transactions, and whether this partition shows that they happened.
  std::vector<std::pair<std::uint32_t, bool>> indeterminate = {};
  std::vector<AfterIndeterminate> after_indeterminate = {};
  /// Number of IntervalEdge that real time does not imply. Indeterminate ones do not complete.
  std::uint64_t edges = 0;
  std::uint64_t pairs = 0;  ///< SeenPair
  std::vector<SeenPair> missed_of_session = {};
};

class Partition {
 public:
  explicit Partition(const std::string& folder)
      : segments_(folder), edges_(folder), pairs_(folder) {}

  /// Adds a segment as bytes.
  Status add(std::span<const char> segment) { return segments_.append(segment); }

  /// Tells that all segments were added.
  Status close() { return segments_.flush(); }

  /// Calls `visit(segment)` for all segments in the order of the pieces.
  Status each_segment(const std::function<Status(const Segment&)>& visit) const;

  /// Infers. `believed`: indeterminate transactions that happened, as other partitions show. Error:
  /// kUsage if `keep_going` stopped it.
  Status infer(const TxnNumbers& believed, Demand demand, const std::function<bool()>& keep_going);

  [[nodiscard]] const PartitionFindings& findings() const { return findings_; }

  /// Calls `visit(edge)` for all edges of the findings.
  Status each_edge(const std::function<Status(const IntervalEdge&)>& visit) const {
    return each(edges_, first_edge_, findings_.edges, visit);
  }

  /// Calls `visit(pair)` for all pairs of the findings.
  Status each_pair(const std::function<Status(const SeenPair&)>& visit) const {
    return each(pairs_, first_pair_, findings_.pairs, visit);
  }

  /// Whether `believed` has transactions that the last infer() did not know.
  [[nodiscard]] bool is_outdated(const TxnNumbers& believed) const;

 private:
  friend class PartitionInference;

  template <class Entry>
  static Status each(const ScratchFile& file, std::uint64_t first, std::uint64_t count,
                     const std::function<Status(const Entry&)>& visit) {
    constexpr std::size_t kBlock = 1U << 15;
    for (std::uint64_t done = 0; done < count;) {
      const auto block =
          file.read<Entry>(first + done, std::min<std::uint64_t>(kBlock, count - done));
      if (!block) {
        return block.error();
      }
      for (const Entry& entry : block.value()) {
        if (Status status = visit(entry); !status) {
          return status;
        }
      }
      done += block.value().size();
    }
    return {};
  }

  ScratchFile segments_;
  ScratchFile edges_;
  ScratchFile pairs_;
  std::uint64_t first_edge_ = 0;  // earlier ones belong to an outdated infer()
  std::uint64_t first_pair_ = 0;  // earlier ones belong to an outdated infer()
  PartitionFindings findings_;
};

/// The transactions that an anomaly and its evidence name.
[[nodiscard]] std::vector<TxnId> shown_txns(const History& history,
                                            const std::vector<Anomaly>& anomalies);

}  // namespace elapid
