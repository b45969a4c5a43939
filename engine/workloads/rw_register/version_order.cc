#include "engine/workloads/rw_register/version_order.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "engine/graph/scc.h"
#include "engine/infer/order.h"

namespace elapid {

namespace {

using VersionEdges = std::vector<LabelledEdge>;

class VersionSources {
 public:
  VersionSources(const History& history, const RegisterVersions& versions,
                 const Assumptions& assumptions)
      : history_(history), versions_(versions), assumptions_(assumptions) {}

  /// The initial state comes before all other versions.
  [[nodiscard]] VersionEdges initial_state() const {
    std::vector<VersionId> initial(history_.key_count(), VersionId::none());
    for (KeyId key{0}; key.index() < initial.size(); ++key.value) {
      const ValueId first = versions_.initial(key);
      if (!versions_.ambiguous(key, first)) {
        initial[key.index()] = versions_.find(key, first);
      }
    }
    VersionEdges edges;
    for (VersionId version{0}; version.index() < versions_.count(); ++version.value) {
      if (const VersionId first = initial[versions_.key(version).index()]; !first.is_none()) {
        add(first, version, edges);
      }
    }
    return edges;
  }

  /// Versions have the order of their transactions. Transactions without a place, uncommitted ones,
  /// and those that share a place are not ordered.
  [[nodiscard]] VersionEdges transaction_order() const {
    VersionEdges edges;
    for (const std::vector<PlacedWrite>& of_key : writes_by_place()) {
      std::size_t before = 0;  // begins the place before that of `same`
      std::size_t same = 0;
      for (std::size_t i = 1; i < of_key.size(); ++i) {
        if (of_key[i].place != of_key[same].place) {
          before = std::exchange(same, i);
        }
        for (std::size_t b = before; b < same; ++b) {
          add(of_key[b].version, of_key[i].version, edges);
        }
      }
    }
    return edges;
  }

  /// Within a transaction writes follow reads.
  [[nodiscard]] VersionEdges writes_follow_reads() const {
    VersionEdges edges;
    each([&](TxnId txn, const ExternalOp& op) {
      if (history_.committed(txn) && !op.read.is_none() && !op.read.is_nil() &&
          !op.write.is_none()) {
        add(versions_.find(op.key, op.read), versions_.find(op.key, op.write), edges);
      }
    });
    return edges;
  }

  /// Each session sees a key's versions in order.
  [[nodiscard]] VersionEdges sequential_keys() const {
    VersionEdges edges;
    std::vector<const ExternalOp*> last(history_.key_count(), nullptr);
    std::vector<KeyId> touched;
    for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
      for (const TxnId txn : history_.session_txns({s})) {
        if (!history_.committed(txn)) {
          continue;
        }
        for (const ExternalOp& op : versions_.external().of(txn)) {
          if (const ExternalOp* const before = std::exchange(last[op.key.index()], &op)) {
            link(*before, txn, op, edges);
          } else {
            touched.push_back(op.key);
          }
        }
      }
      for (const KeyId key : touched) {
        last[key.index()] = nullptr;
      }
      touched.clear();
    }
    return edges;
  }

  /// Real time orders a key's versions.
  [[nodiscard]] VersionEdges linearizable_keys() const {
    VersionEdges edges;
    each_realtime_link<ExternalOp>(
        history_, [this](TxnId txn) { return believed_ops(txn); },
        [&](TxnId, const ExternalOp& earlier, TxnId txn, const ExternalOp& later) {
          link(earlier, txn, later, edges);
        });
    return edges;
  }

 private:
  struct PlacedWrite {
    std::int64_t place = 0;
    VersionId version;
  };

  /// The writes of each key, by place.
  [[nodiscard]] std::vector<std::vector<PlacedWrite>> writes_by_place() const {
    const std::unordered_map<std::int64_t, std::int64_t> places(
        assumptions_.transaction_order.begin(), assumptions_.transaction_order.end());
    std::vector<std::vector<PlacedWrite>> writes(history_.key_count());
    each([&](TxnId txn, const ExternalOp& op) {
      const auto place = places.find(history_.representative(txn).index);
      if (place != places.end() && history_.committed(txn) && !op.write.is_none()) {
        writes[op.key.index()].push_back({place->second, versions_.find(op.key, op.write)});
      }
    });
    for (std::vector<PlacedWrite>& of_key : writes) {
      std::ranges::stable_sort(of_key, {}, &PlacedWrite::place);
    }
    return writes;
  }

  template <class Visit>
  void each(Visit visit) const {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      for (const ExternalOp& op : believed_ops({t})) {
        visit(TxnId{t}, op);
      }
    }
  }

  [[nodiscard]] std::span<const ExternalOp> believed_ops(TxnId txn) const {
    return versions_.believed(txn) ? versions_.external().of(txn) : std::span<const ExternalOp>();
  }

  /// A value that was written twice stands for several versions, so nothing follows about it.
  [[nodiscard]] bool known(VersionId version) const {
    return !version.is_none() && !versions_.ambiguous(version);
  }

  void add(VersionId before, VersionId after, VersionEdges& edges) const {
    if (known(before) && known(after) && before != after) {
      edges.push_back({before.value, after.value, kWwEdge});
    }
  }

  /// The earlier operation's last version comes before the version that the later one, of `txn`,
  /// read, and before the one that it wrote.
  void link(const ExternalOp& a, TxnId txn, const ExternalOp& b, VersionEdges& edges) const {
    const VersionId left = versions_.find(a.key, a.write.is_none() ? a.read : a.write);
    const ValueId read = history_.committed(txn) ? b.read : ValueId::none();
    add(left, versions_.find(b.key, read), edges);
    add(left, versions_.find(b.key, b.write), edges);
  }

  const History& history_;
  const RegisterVersions& versions_;
  const Assumptions& assumptions_;
};

class Merger {
 public:
  explicit Merger(const RegisterVersions& versions) : versions_(versions) {}

  void add(VersionSource source, VersionEdges edges) {
    sources_.push_back(source);
    const std::size_t kept = edges_.size();
    edges_.insert(edges_.end(), edges.begin(), edges.end());
    Digraph merged(versions_.count(), edges_);
    const auto cycles =
        strong_components(merged.vertex_count(), MaskedSuccessors(merged, kWwEdge)).groups();
    if (cycles.empty()) {
      order_.graph = std::move(merged);
      return;
    }
    edges_.resize(kept);
    for (const std::vector<std::uint32_t>& cycle : cycles) {
      CyclicVersionsEvidence evidence{
          .key = versions_.key({cycle.front()}), .versions = {}, .sources = sources_};
      for (const std::uint32_t version : cycle) {
        evidence.versions.push_back(versions_.value({version}));
      }
      std::sort(evidence.versions.begin(), evidence.versions.end());
      order_.cyclic_versions.push_back({AnomalyType::kCyclicVersions, std::move(evidence)});
    }
  }

  VersionOrder take() && { return std::move(order_); }

 private:
  const RegisterVersions& versions_;
  VersionEdges edges_;
  std::vector<VersionSource> sources_;
  VersionOrder order_;
};

}  // namespace

VersionOrder order_versions(const History& history, const RegisterVersions& versions,
                            const Assumptions& assumptions) {
  const VersionSources sources(history, versions, assumptions);
  Merger merger(versions);
  merger.add(VersionSource::kInitialState, sources.initial_state());
  if (!assumptions.transaction_order.empty()) {
    merger.add(VersionSource::kTransactionOrder, sources.transaction_order());
  }
  if (assumptions.wfr_keys) {
    merger.add(VersionSource::kWfrKeys, sources.writes_follow_reads());
  }
  if (assumptions.sequential_keys) {
    merger.add(VersionSource::kSequentialKeys, sources.sequential_keys());
  }
  if (assumptions.linearizable_keys) {
    merger.add(VersionSource::kLinearizableKeys, sources.linearizable_keys());
  }
  return std::move(merger).take();
}

}  // namespace elapid
