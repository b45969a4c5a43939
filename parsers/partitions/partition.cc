#include "parsers/partitions/partition.h"

#include <optional>
#include <ranges>
#include <tuple>
#include <unordered_map>

#include "engine/evidence/describe.h"
#include "engine/evidence/shown_orders.h"
#include "engine/graph/edge_label.h"
#include "engine/infer/inference.h"
#include "engine/ir/history_builder.h"
#include "engine/levels/entailment.h"
#include "engine/workloads/table.h"

namespace elapid {

namespace {

/// Names of keys that EDN cannot have. They stand for events in other partitions.
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

Model model_of(Demand demand) {
  switch (demand) {
    case Demand::kCommitted:
      return Model::kPl2;
    case Demand::kAtomic:
      return Model::kReadAtomic;
    case Demand::kAtomicInTime:
      return Model::kRa;
    case Demand::kSnapshots:
      return Model::kStrongSnapshotIsolation;
    case Demand::kSerial:
      return Model::kPlSs;
  }
  return Model::kPlSs;
}

Demand demand_of(const ModelSet& models) {
  for (const Demand demand :
       {Demand::kCommitted, Demand::kAtomic, Demand::kAtomicInTime, Demand::kSnapshots}) {
    if ((models & ~entailed(model_of(demand))).none()) {
      return demand;
    }
  }
  return Demand::kSerial;
}

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

bool Partition::is_outdated(const TxnNumbers& believed) const {
  return std::ranges::any_of(findings_.indeterminate, [&](const auto& entry) {
    return !entry.second && believed.contains(entry.first);
  });
}

/// A transaction in the history of a partition.
struct PartitionTxn {
  TxnInterval txn;
  TxnStatus status = TxnStatus::kCommitted;
  bool is_of_whole = true;
  std::uint32_t session = 0;
};

/// The writer of a version of a key.
struct KeyWriter {
  TxnId txn;                       // none(): no believed transaction
  std::uint32_t first_behind = 0;  // the least invocation from this writer on
};

/// The writers of each key: those of its longest list in order, then those of the other elements.
class WritersByKey {
 public:
  WritersByKey(const History& history, const std::vector<bool>& believed,
               const std::vector<PartitionTxn>& txns)
      : of_key_(history.key_count()) {
    std::vector<std::unordered_map<ValueId, TxnId>> appended(history.key_count());
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      for (const Op op : history.ops(txn)) {
        if (believed[txn.index()] && op.kind() == OpKind::kAppend) {
          appended[op.key().index()].emplace(op.value(), txn);
        }
      }
    }
    for (KeyId key{0}; key.index() < history.key_count(); ++key.value) {
      std::vector<KeyWriter>& writers = of_key_[key.index()];
      for (const ValueId element : history.trunk(key)) {
        const auto known = appended[key.index()].find(element);
        const bool is_known = known != appended[key.index()].end();
        writers.push_back({.txn = is_known ? known->second : TxnId::none()});
        if (is_known) {
          appended[key.index()].erase(known);
        }
      }
      for (const auto& [element, txn] : appended[key.index()]) {
        writers.push_back({.txn = txn});
      }
      std::uint32_t first = TxnInterval::kNever;
      for (KeyWriter& writer : std::views::reverse(writers)) {
        first =
            writer.txn.is_none() ? first : std::min(first, txns[writer.txn.index()].txn.invoked);
        writer.first_behind = first;
      }
      appended[key.index()] = {};
    }
  }

  [[nodiscard]] std::span<const KeyWriter> of(KeyId key) const { return of_key_[key.index()]; }

 private:
  std::vector<std::vector<KeyWriter>> of_key_;
};

/// Builds the history of a partition, and derives findings about the whole history from it.
class PartitionInference {
 public:
  PartitionInference(Partition& partition, const TxnNumbers& believed, Demand demand)
      : partition_(partition), believed_(believed), demand_(demand) {}

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
    Status status_of_edges = write_edges(history, inference);
    return status_of_edges && is_atomic(demand_) ? write_pairs(history, inference)
                                                 : status_of_edges;
  }

 private:
  Status add_event(EventType type, std::int64_t process, std::span<const MopInput> mops) {
    return builder_.add_event(
        {.type = type, .process = process, .mops = mops, .elements = elements_});
  }

  [[nodiscard]] KeyId key_elsewhere(std::size_t number) {
    return builder_.key(builder_.values().intern(name_elsewhere(number)));
  }

  /// Adds a transaction that reads a key for each indeterminate transaction that other partitions
  /// believe, which appends to that key. It stands for the transactions that read the elements in
  /// other partitions.
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
      static_cast<void>(mops.key(key));  // numbers keys in the order of the input
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
    // Transactions without a completion get processes of their own, so that the others keep their
    // order.
    const std::int64_t process = txn.is_completed() ? 0 : static_cast<std::int64_t>(txns_.size());
    txns_.push_back(
        {.txn = {txn.number, txn.invoked, is_indeterminate ? TxnInterval::kNever : txn.completed},
         .status = txn.txn_status(),
         .session = txn.session});
    Status status = add_event(EventType::kInvoke, process, invoked_);
    if (!status || !txn.is_completed()) {
      return status;
    }
    const EventType type = is_indeterminate ? EventType::kInfo
                           : is_aborted     ? EventType::kFail
                                            : EventType::kOk;
    return add_event(type, process, completed_);
  }

  /// Collects the operations of a transaction as invoked and as completed.
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
                .is_serial = inference.version_orders_serial,
                .has_ties = !inference.tied.empty()};
    std::vector<Anomaly> shown = inference.anomalies;
    const auto is_lost_update = [](const Anomaly& anomaly) {
      return anomaly.type == AnomalyType::kLostUpdate;
    };
    findings.is_clean = std::ranges::all_of(shown, is_lost_update);
    if (!has_rw(demand_)) {
      std::erase_if(shown, is_lost_update);
    }
    for (const TxnId txn : shown_txns(history, shown)) {
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

  Status write_edges(const History& history, const Inference& inference) {
    partition_.first_edge_ = partition_.edges_.file().size() / sizeof(IntervalEdge);
    for (const LabelledEdge& edge : inference.edges) {
      const bool is_rw = edge.label == kRwEdge;
      if ((has_rw(demand_) || !is_rw) && txns_[edge.from].is_of_whole &&
          txns_[edge.to].is_of_whole) {
        if (Status status = write(
                {txns_[edge.from].txn, txns_[edge.to].txn,
                 is_rw ? IntervalEdge::Kind::kAntiDependency : IntervalEdge::Kind::kDependency});
            !status) {
          return status;
        }
      }
    }
    for (std::size_t i = 0; has_rw(demand_) && i < inference.bundles.size(); ++i) {
      for (const TxnId reader : inference.bundles[i].readers) {
        if (Status status = write_bundle(reader, inference.bundles[i].writers); !status) {
          return status;
        }
      }
    }
    Status status = demand_ == Demand::kSnapshots ? write_guesses(history, inference) : Status();
    return status ? partition_.edges_.flush() : status;
  }

  /// Guesses the order of versions that no read of another transaction shows: the order in which
  /// their writers completed.
  Status write_guesses(const History& history, const Inference& inference) {
    std::vector<std::size_t> shown(history.key_count());
    for (TxnId txn{0}; txn.index() < txns_.size(); ++txn.value) {
      for (const Op op : history.ops(txn)) {
        if (inference.believed[txn.index()] && op.kind() == OpKind::kReadList) {
          std::size_t& most = shown[op.key().index()];
          most = std::max(most, shown_of_others(history, txn, op));
        }
      }
    }
    const WritersByKey writers(history, inference.believed, txns_);
    for (KeyId key{0}; key.index() < history.key_count(); ++key.value) {
      std::vector<TxnInterval> guessed;
      for (const KeyWriter& writer : writers.of(key).subspan(shown[key.index()])) {
        if (!writer.txn.is_none()) {
          guessed.push_back(txns_[writer.txn.index()].txn);
        }
      }
      std::ranges::sort(guessed, [](const TxnInterval& a, const TxnInterval& b) {
        return std::tie(a.completed, a.invoked, a.txn) < std::tie(b.completed, b.invoked, b.txn);
      });
      for (std::size_t i = 1; i < guessed.size(); ++i) {
        if (guessed[i - 1] != guessed[i]) {
          if (Status status = append({guessed[i - 1], guessed[i], IntervalEdge::Kind::kGuess});
              !status) {
            return status;
          }
        }
      }
    }
    return {};
  }

  /// As common_length(), without the reader's own elements at the end.
  static std::size_t shown_of_others(const History& history, TxnId reader, Op read) {
    std::size_t length = common_length(history, read);
    const auto is_own = [&](ValueId element) {
      return std::ranges::any_of(history.ops(reader), [&](Op op) {
        return op == Op(OpKind::kAppend, read.key(), element);
      });
    };
    while (length > 0 && is_own(history.trunk(read.key())[length - 1])) {
      --length;
    }
    return length;
  }

  /// Writes which transactions each one read from, and whose writes it missed. Where dependencies
  /// agree with real time, no transaction reads from one that began after its end, so those are
  /// left out.
  Status write_pairs(const History& history, const Inference& inference) {
    partition_.first_pair_ = partition_.pairs_.file().size() / sizeof(SeenPair);
    Status status;
    for (const LabelledEdge& edge : inference.edges) {
      if (status && edge.label == kWrEdge && txns_[edge.from].is_of_whole &&
          txns_[edge.to].is_of_whole) {
        status = write(SeenPair{number_of({edge.to}), number_of({edge.from}), 0});
      }
    }
    const WritersByKey writers(history, inference.believed, txns_);
    for (TxnId txn{0}; txn.index() < txns_.size() && status; ++txn.value) {
      for (const Op op : history.ops(txn)) {
        const bool shows = op.kind() == OpKind::kReadList ||
                           (op.kind() == OpKind::kRead && history.committed(txn));
        if (status && shows && inference.believed[txn.index()] && txns_[txn.index()].is_of_whole) {
          status = write_missed(txn, writers.of(op.key()), common_length(history, op));
        }
      }
    }
    return status ? partition_.pairs_.flush() : status;
  }

  /// The length of the prefix that the read shares with the key's longest list.
  static std::size_t common_length(const History& history, Op read) {
    if (read.kind() != OpKind::kReadList) {
      return 0;
    }
    const std::span<const ValueId> elements = history.elements(read);
    return static_cast<std::size_t>(std::ranges::mismatch(elements, history.trunk(read.key())).in1 -
                                    elements.begin());
  }

  Status write_missed(TxnId reader, std::span<const KeyWriter> writers, std::size_t seen) {
    const PartitionTxn& known = txns_[reader.index()];
    std::size_t last = reader.index();
    for (std::size_t i = seen; i < writers.size(); ++i) {
      if (writers[i].first_behind > known.txn.completed) {
        break;
      }
      const std::size_t writer = writers[i].txn.index();
      if (writers[i].txn.is_none() || writer == reader.index() || writer == last ||
          txns_[writer].txn.invoked > known.txn.completed) {
        continue;
      }
      last = writer;
      const bool is_of_session =
          txns_[writer].session == known.session && txns_[writer].txn.completed < known.txn.invoked;
      if (is_of_session && demand_ == Demand::kAtomicInTime) {
        partition_.findings_.missed_of_session.push_back({known.txn.txn, txns_[writer].txn.txn, 1});
      }
      if (Status status = write(SeenPair{known.txn.txn, txns_[writer].txn.txn, 1}); !status) {
        return status;
      }
    }
    return {};
  }

  Status write(const SeenPair& pair) {
    ++partition_.findings_.pairs;
    return partition_.pairs_.append(std::span(&pair, 1));
  }

  /// Of the writers that completed before the reader was invoked, the one invoked first implies the
  /// others.
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
      } else if (status = write({from, to, IntervalEdge::Kind::kAntiDependency}); !status) {
        return status;
      }
    }
    return first_past ? write({from, *first_past, IntervalEdge::Kind::kAntiDependency}) : status;
  }

  Status write(const IntervalEdge& edge) {
    if (edge.from.completed == TxnInterval::kNever) {
      partition_.findings_.after_indeterminate.push_back({edge.from.txn, edge.to});
    }
    return append(edge);
  }

  Status append(const IntervalEdge& edge) {
    if (edge.is_implied()) {
      return {};
    }
    ++partition_.findings_.edges;
    return partition_.edges_.append(std::span(&edge, 1));
  }

  Partition& partition_;
  const TxnNumbers& believed_;
  Demand demand_;
  HistoryBuilder builder_;
  std::vector<ValueId> elements_;
  std::vector<MopInput> invoked_;
  std::vector<MopInput> completed_;
  std::vector<PartitionTxn> txns_;  // by local TxnId
  std::size_t elsewhere_ = 0;
  std::size_t next_elsewhere_ = 0;
};

Status Partition::infer(const TxnNumbers& believed, Demand demand,
                        const std::function<bool()>& keep_going) {
  return PartitionInference(*this, believed, demand).run(keep_going);
}

}  // namespace elapid
