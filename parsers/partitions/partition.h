// The keys of one partition: what the pieces say of them, and what follows from it.
//
// Versions are a matter of one key at a time, so the inference of the workload (engine/workloads)
// finds of a partition, as a small history, what it finds of its keys in the whole. Only whether an
// indeterminate transaction happened may show in another partition.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/ir/result.h"
#include "engine/sweep/sweep.h"
#include "engine/verdict/verdict.h"
#include "parsers/partitions/segment.h"

namespace elapid {

/// Numbers of transactions in the whole history.
using TxnNumbers = std::unordered_set<std::uint32_t>;

/// A dependency on an indeterminate transaction: it comes before that which completed then, or
/// never.
struct AfterIndeterminate {
  std::uint32_t txn = 0;
  TxnInterval next;
};

/// What follows from the keys of a partition. Times are those of the whole history.
struct PartitionFindings {
  std::uint64_t keys = 0;
  /// Those that take part in anomalies that need no cycle, and in what shows them.
  std::vector<std::uint32_t> shown = {};
  std::vector<std::string> open_keys = {};  ///< by name: see Inference::open_keys
  bool is_serial = true;                    ///< Inference::version_orders_serial
  /// The indeterminate ones, and whether they are believed here.
  std::vector<std::pair<std::uint32_t, bool>> indeterminate = {};
  std::vector<AfterIndeterminate> after_indeterminate = {};
  /// IntervalEdge, those that real time does not imply. Indeterminate ones have not completed.
  std::uint64_t edges = 0;
};

class Partition {
 public:
  explicit Partition(const std::string& folder) : segments_(folder), edges_(folder) {}

  /// Adds a segment as bytes.
  Status add(std::span<const char> segment) { return segments_.append(segment); }

  /// All segments are there.
  Status close() { return segments_.flush(); }

  /// Calls `visit(segment)` for all segments in the order of the pieces.
  Status each_segment(const std::function<Status(const Segment&)>& visit) const;

  /// Infers. `believed`: indeterminate transactions that other partitions show to have happened.
  /// `with_rw`: anti-dependencies count, too. Error kUsage where `keep_going` stopped it.
  Status infer(const TxnNumbers& believed, bool with_rw, const std::function<bool()>& keep_going);

  [[nodiscard]] const PartitionFindings& findings() const { return findings_; }

  /// Calls `visit(edge)` for all edges of the findings.
  Status each_edge(const std::function<Status(const IntervalEdge&)>& visit) const;

  /// Whether `believed` has transactions of which the last infer() did not know.
  [[nodiscard]] bool is_outdated(const TxnNumbers& believed) const;

 private:
  friend class PartitionInference;

  ScratchFile segments_;
  ScratchFile edges_;
  std::uint64_t first_edge_ = 0;  // those before belong to an infer() that is outdated
  PartitionFindings findings_;
};

/// The transactions that an anomaly and what shows it speak of.
[[nodiscard]] std::vector<TxnId> shown_txns(const History& history,
                                            const std::vector<Anomaly>& anomalies);

}  // namespace elapid
