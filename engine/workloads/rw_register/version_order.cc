#include "engine/workloads/rw_register/version_order.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "engine/graph/scc.h"
#include "engine/infer/order.h"

namespace elapid {

namespace {

// Real-time order by key: which external operations on a key follow one another directly.

/// An external operation of a transaction on a key.
struct KeyTouch {
  TxnId txn;
  ExternalOp op;
};

/// Calls `link(earlier, later)` for two operations on one key if the later one was invoked after
/// the earlier, committed one completed, and no other committed operation on the key lies between
/// them. O(touches * concurrency on a key).
void each_realtime_link(const History& history, const RegisterVersions& versions,
                        const std::function<void(const KeyTouch&, const KeyTouch&)>& link) {
  std::vector<std::vector<KeyTouch>> done(
      history.key_count());  // completed; no committed one follows
  EventOrder(history).each([&](TxnId txn, EventKind kind) {
    if (!versions.believed(txn)) {
      return;
    }
    for (const ExternalOp& op : versions.external().of(txn)) {
      std::vector<KeyTouch>& before = done[op.key.index()];
      if (kind == EventKind::kInvocation) {
        for (const KeyTouch& earlier : before) {
          link(earlier, {txn, op});
        }
      } else if (history.committed(txn)) {
        if (history.has_invocation(txn)) {
          const EventId invoked = history.invocation_id(txn);
          std::erase_if(before,
                        [&](const KeyTouch& t) { return history.completion_id(t.txn) < invoked; });
        }
        before.push_back({txn, op});
      }
    }
  });
}

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
            link({txn, *before}, {txn, op}, edges);
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
    const auto add_link = [&](const KeyTouch& earlier, const KeyTouch& later) {
      link(earlier, later, edges);
    };
    each_realtime_link(history_, versions_, add_link);
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
      if (versions_.believed({t})) {
        for (const ExternalOp& op : versions_.external().of({t})) {
          visit(TxnId{t}, op);
        }
      }
    }
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

  /// The earlier operation's last version comes before the version that the later one read, and
  /// before the one that it wrote.
  void link(const KeyTouch& earlier, const KeyTouch& later, VersionEdges& edges) const {
    const ExternalOp& a = earlier.op;
    const ExternalOp& b = later.op;
    const VersionId left = versions_.find(a.key, a.write.is_none() ? a.read : a.write);
    const ValueId read = history_.committed(later.txn) ? b.read : ValueId::none();
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
