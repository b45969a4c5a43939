#include "parsers/partitions/partition.h"

#include <algorithm>
#include <optional>
#include <span>

#include "engine/evidence/describe.h"
#include "engine/evidence/shown_orders.h"
#include "engine/graph/edge_label.h"
#include "engine/infer/inference.h"
#include "engine/ir/history_builder.h"
#include "engine/workloads/table.h"

namespace elapid {

namespace {

/// Names of keys that no EDN has: of what happened in another partition.
std::string name_elsewhere(std::size_t number) {
  return "\1" + std::to_string(number);
}

MopInput without_result(MopInput mop) {
  if (mop.kind == OpKind::kReadList) {
    return {.kind = OpKind::kRead, .key = mop.key};
  }
  return mop;
}

}  // namespace

std::vector<TxnId> shown_txns(const History& history, const std::vector<Anomaly>& anomalies) {
  std::vector<TxnId> txns;
  ShownOrders orders(history, {});
  for (const Anomaly& anomaly : anomalies) {
    for (const Actor& actor : describe(history, anomaly, orders).actors) {
      txns.push_back(actor.event.txn);
    }
  }
  std::ranges::sort(txns);
  txns.erase(std::unique(txns.begin(), txns.end()), txns.end());
  return txns;
}

Status Partition::each_segment(const std::function<Status(const Segment&)>& visit) const {
  for (std::uint64_t offset = 0; offset < segments_.file().size();) {
    const Result<Segment> segment = Segment::read(segments_.file(), offset);
    if (!segment) {
      return segment.error();
    }
    if (Status status = visit(segment.value()); !status) {
      return status;
    }
  }
  return {};
}

Status Partition::each_edge(const std::function<Status(const IntervalEdge&)>& visit) const {
  constexpr std::size_t kBlock = 1U << 15;
  for (std::uint64_t done = 0; done < findings_.edges;) {
    const auto count = std::min<std::uint64_t>(kBlock, findings_.edges - done);
    const auto block = edges_.read<IntervalEdge>(first_edge_ + done, count);
    if (!block) {
      return block.error();
    }
    for (const IntervalEdge& edge : block.value()) {
      if (Status status = visit(edge); !status) {
        return status;
      }
    }
    done += count;
  }
  return {};
}

bool Partition::is_outdated(const TxnNumbers& believed) const {
  return std::ranges::any_of(findings_.indeterminate, [&](const auto& entry) {
    return !entry.second && believed.contains(entry.first);
  });
}

/// Makes a history of the partition, and of what follows from it findings about the whole.
class PartitionInference {
 public:
  PartitionInference(Partition& partition, const TxnNumbers& believed, bool with_rw)
      : partition_(partition), believed_(believed), with_rw_(with_rw) {}

  Status run(const std::function<bool()>& keep_going) {
    Status status = add_reader_of_elsewhere();
    if (status) {
      status =
          partition_.each_segment([this](const Segment& segment) { return add_segment(segment); });
    }
    if (!status) {
      return status;
    }
    const Result<History> built = std::move(builder_).build({.workload = Workload::kListAppend});
    if (!built) {
      return built.error();
    }
    const History& history = built.value();
    const Inference inference = row_of(Workload::kListAppend).infer(history, {}, keep_going);
    if (inference.explainer == nullptr) {
      return usage_error("interrupted");
    }
    learn(history, inference);
    return write_edges(inference);
  }

 private:
  struct Known {
    TxnInterval txn;
    TxnStatus status = TxnStatus::kCommitted;
    bool is_of_whole = true;
  };

  Status add_event(EventType type, std::int64_t process, std::span<const MopInput> mops) {
    return builder_.add_event(
        {.type = type, .process = process, .mops = mops, .elements = elements_});
  }

  [[nodiscard]] KeyId key_elsewhere(std::size_t number) {
    return builder_.key(builder_.values().intern(name_elsewhere(number)));
  }

  /// An indeterminate transaction that other partitions believe appends to a key of its own, which
  /// this transaction reads. It stands for those that read its elements there.
  Status add_reader_of_elsewhere() {
    elements_ = {ValueId::integer(1)};
    for (const auto& [number, is_believed] : partition_.findings().indeterminate) {
      if (believed_.contains(number)) {
        completed_.push_back(
            {.kind = OpKind::kReadList, .key = key_elsewhere(completed_.size()), .list_length = 1});
      }
    }
    elsewhere_ = completed_.size();
    txns_.push_back({.txn = {}, .is_of_whole = false});
    Status status = add_event(EventType::kInvoke, 0, {});
    return status ? add_event(EventType::kOk, 0, completed_) : status;
  }

  Status add_segment(const Segment& segment) {
    elements_.clear();
    SegmentMops mops(segment, builder_, elements_);
    for (std::uint32_t key = 0; key < segment.keys.size(); ++key) {
      static_cast<void>(mops.key(key));  // numbered in the order of the input
    }
    for (std::size_t t = 0; t < segment.txns.size(); ++t) {
      if (Status status = add_txn(segment.txns[t], segment.ops_of(t), mops); !status) {
        return status;
      }
    }
    return {};
  }

  Status add_txn(const SegmentTxn& txn, std::span<const SegmentOp> ops, SegmentMops& mops) {
    const bool is_aborted = txn.txn_status() == TxnStatus::kAborted;
    const bool is_indeterminate = txn.txn_status() == TxnStatus::kIndeterminate;
    collect(ops, is_aborted && txn.is_attempted(), mops);
    if (is_indeterminate && believed_.contains(txn.number)) {
      completed_.push_back({.kind = OpKind::kAppend,
                            .key = key_elsewhere(next_elsewhere_++),
                            .value = ValueId::integer(1)});
      invoked_.push_back(completed_.back());
    }
    // What never completes is of a process of its own, so that these keep their order.
    const std::int64_t process = txn.is_completed() ? 0 : static_cast<std::int64_t>(txns_.size());
    txns_.push_back(
        {.txn = {txn.number, txn.invoked, is_indeterminate ? TxnInterval::kNever : txn.completed},
         .status = txn.txn_status()});
    Status status = add_event(EventType::kInvoke, process, invoked_);
    if (!status || !txn.is_completed()) {
      return status;
    }
    const EventType type = is_indeterminate ? EventType::kInfo
                           : is_aborted     ? EventType::kFail
                                            : EventType::kOk;
    return add_event(type, process, completed_);
  }

  /// The operations of a transaction as it was invoked and as it completed.
  void collect(std::span<const SegmentOp> ops, bool uses_attempt, SegmentMops& mops) {
    invoked_.clear();
    completed_.clear();
    for (const SegmentOp& op : ops) {
      if (!op.is_attempt()) {
        completed_.push_back(mops.mop(op));
      }
      if (op.is_attempt() == uses_attempt) {
        invoked_.push_back(without_result(mops.mop(op)));
      }
    }
  }

  void learn(const History& history, const Inference& inference) {
    PartitionFindings& findings = partition_.findings_;
    findings = {.keys = history.key_count() - elsewhere_,
                .is_serial = inference.version_orders_serial};
    for (const TxnId txn : shown_txns(history, inference.anomalies)) {
      findings.shown.push_back(number_of(txn));
    }
    for (const KeyId key : inference.open_keys) {
      findings.open_keys.push_back(history.key_text(key));
    }
    for (TxnId txn{0}; txn.index() < txns_.size(); ++txn.value) {
      if (txns_[txn.index()].status == TxnStatus::kIndeterminate) {
        findings.indeterminate.emplace_back(number_of(txn), inference.believed[txn.index()]);
      }
    }
  }

  [[nodiscard]] std::uint32_t number_of(TxnId txn) const { return txns_[txn.index()].txn.txn; }

  Status write_edges(const Inference& inference) {
    partition_.first_edge_ = partition_.edges_.file().size() / sizeof(IntervalEdge);
    for (const LabelledEdge& edge : inference.edges) {
      const bool counts = with_rw_ || edge.label != kRwEdge;
      if (counts && txns_[edge.from].is_of_whole && txns_[edge.to].is_of_whole) {
        if (Status status = write({txns_[edge.from].txn, txns_[edge.to].txn}); !status) {
          return status;
        }
      }
    }
    for (std::size_t i = 0; with_rw_ && i < inference.bundles.size(); ++i) {
      for (const TxnId reader : inference.bundles[i].readers) {
        if (Status status = write_bundle(reader, inference.bundles[i].writers); !status) {
          return status;
        }
      }
    }
    return partition_.edges_.flush();
  }

  /// Of all that completed before the reader was invoked, the one invoked first says what all do.
  Status write_bundle(TxnId reader, std::span<const TxnId> writers) {
    const TxnInterval& from = txns_[reader.index()].txn;
    std::optional<TxnInterval> first_past;
    Status status;
    for (const TxnId writer : writers) {
      const TxnInterval& to = txns_[writer.index()].txn;
      if (reader == writer) {
        continue;
      }
      if (to.completed < from.invoked) {
        first_past = first_past && first_past->invoked < to.invoked ? first_past : to;
      } else if (status = write({from, to}); !status) {
        return status;
      }
    }
    return first_past ? write({from, *first_past}) : status;
  }

  Status write(const IntervalEdge& edge) {
    PartitionFindings& findings = partition_.findings_;
    if (edge.from.completed == TxnInterval::kNever) {
      findings.after_indeterminate.push_back({edge.from.txn, edge.to});
    }
    if (edge.is_implied()) {
      return {};
    }
    ++findings.edges;
    return partition_.edges_.append(std::span(&edge, 1));
  }

  Partition& partition_;
  const TxnNumbers& believed_;
  bool with_rw_;
  HistoryBuilder builder_;
  std::vector<ValueId> elements_;
  std::vector<MopInput> invoked_;
  std::vector<MopInput> completed_;
  std::vector<Known> txns_;  // by local TxnId
  std::size_t elsewhere_ = 0;
  std::size_t next_elsewhere_ = 0;
};

Status Partition::infer(const TxnNumbers& believed, bool with_rw,
                        const std::function<bool()>& keep_going) {
  return PartitionInference(*this, believed, with_rw).run(keep_going);
}

}  // namespace elapid
