#include "engine/elle/version_sources.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "engine/infer/order.h"

namespace elapid::elle {

namespace {

void add(VersionId before, VersionId after, VersionEdges& edges) {
  edges.push_back({before.value, after.value, kWwEdge});
}

/// Calls `visit(txn, op)` for all external operations.
template <class Visit>
void each_op(const History& history, const RegisterVersions& versions, Visit visit) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    for (const RegisterOp& op : versions.ops().of({t})) {
      visit(TxnId{t}, op);
    }
  }
}

/// Elle's graph of transactions that a source rests on; none for sources that rest on none.
std::vector<LabelledEdge> transaction_edges(const History& history, VersionSource source) {
  const bool is_real_time = source == VersionSource::kLinearizableKeys;
  std::vector<bool> counts(history.txn_count());
  for (std::uint32_t t = 0; t < counts.size(); ++t) {
    counts[t] = history.committed({t}) || (is_real_time && history.has_completion({t}) &&
                                           history.status({t}) != TxnStatus::kAborted);
  }
  std::vector<LabelledEdge> edges;
  if (is_real_time) {
    add_realtime_edges(
        history, EventOrder(history), counts, [](TxnId, TxnId) { return true; }, edges);
  } else if (source == VersionSource::kSequentialKeys) {
    add_process_edges(history, counts, edges);
  }
  return edges;
}

}  // namespace

VersionEdges VersionSources::edges(VersionSource source) const {
  switch (source) {
    case VersionSource::kInitialState:
      return initial_state();
    case VersionSource::kTransactionOrder:
      return transaction_order();
    case VersionSource::kWfrKeys:
      return writes_follow_reads();
    case VersionSource::kSequentialKeys:
      return sequential_keys();
    case VersionSource::kLinearizableKeys:
      return linearizable_keys();
  }
  return {};
}

/// nil comes before everything written or read.
VersionEdges VersionSources::initial_state() const {
  VersionEdges edges;
  for (std::uint32_t v = 0; v < versions_.count(); ++v) {
    if (!versions_.value({v}).is_nil()) {
      add(versions_.find(versions_.key({v}), ValueId::nil()), {v}, edges);
    }
  }
  return edges;
}

/// The order of transactions is that of the versions they wrote. Transactions without a place come
/// first, and of those with one place the last one. A value that neighbours wrote comes before
/// itself.
VersionEdges VersionSources::transaction_order() const {
  const std::unordered_map<std::int64_t, std::int64_t> places(
      assumptions_.transaction_order.begin(), assumptions_.transaction_order.end());

  struct Placed {
    std::optional<std::int64_t> place;
    VersionId version;
  };

  std::vector<std::vector<Placed>> writes(history_.key_count());
  each_op(history_, versions_, [&](TxnId txn, const RegisterOp& op) {
    if (!op.write.is_none()) {
      const auto found = places.find(history_.representative(txn).index);
      writes[op.key.index()].push_back(
          {found == places.end() ? std::nullopt : std::optional(found->second),
           versions_.find(op.key, op.write)});
    }
  });
  VersionEdges edges;
  for (std::vector<Placed>& of_key : writes) {
    std::ranges::reverse(of_key);  // Elle collects them in a Clojure list, last first
    std::ranges::stable_sort(of_key, {}, &Placed::place);
    for (std::size_t i = 1; i < of_key.size(); ++i) {
      add(of_key[i - 1].version, of_key[i].version, edges);
    }
  }
  return edges;
}

/// Within a transaction the write follows the read, even where both are of one value.
VersionEdges VersionSources::writes_follow_reads() const {
  VersionEdges edges;
  each_op(history_, versions_, [&](TxnId, const RegisterOp& op) {
    const bool is_read = !op.read.is_none() && !op.read.is_nil();
    if (is_read && !op.write.is_none() && history_.values().truthy(op.write)) {
      add(versions_.find(op.key, op.read), versions_.find(op.key, op.write), edges);
    }
  });
  return edges;
}

/// Each session sees a key's versions in order.
VersionEdges VersionSources::sequential_keys() const {
  VersionEdges edges;
  each_session_link(history_, versions_.ops(), [&](const KeyTouch& earlier, const KeyTouch& later) {
    link(earlier, later, edges);
  });
  return edges;
}

/// Real time orders a key's versions.
VersionEdges VersionSources::linearizable_keys() const {
  VersionEdges edges;
  each_realtime_link(
      history_, versions_.ops(),
      [&](const KeyTouch& earlier, const KeyTouch& later) { link(earlier, later, edges); });
  return edges;
}

/// Clojure's `or`: the first value unless it is absent, nil or false, else the second, which is nil
/// where there is none.
ValueId VersionSources::first_true(ValueId value, ValueId otherwise) const {
  if (!value.is_none() && history_.values().truthy(value)) {
    return value;
  }
  return otherwise.is_none() ? ValueId::nil() : otherwise;
}

/// The version that the earlier operation left behind comes before what the later one met.
void VersionSources::link(const KeyTouch& earlier, const KeyTouch& later,
                          VersionEdges& edges) const {
  const ValueId left = first_true(earlier.op.write, earlier.op.read);
  const ValueId right = met(later.txn, later.op);
  if (left != right) {
    add(versions_.find(earlier.op.key, left), versions_.find(later.op.key, right), edges);
  }
}

/// The version that the transaction found. Of :info only the version that it wrote is known.
ValueId VersionSources::met(TxnId txn, const RegisterOp& op) const {
  return history_.committed(txn) ? first_true(op.read, op.write) : op.write;
}

VersionEdges VersionSources::edges_from_untouched(VersionSource source) const {
  VersionEdges edges;
  for (const LabelledEdge& edge : transaction_edges(history_, source)) {
    for (const RegisterOp& op : versions_.ops().of({edge.to})) {
      const auto before = versions_.ops().of({edge.from});
      const ValueId right = met({edge.to}, op);
      const bool is_touched = std::ranges::find(before, op.key, &RegisterOp::key) != before.end();
      if (!is_touched && !right.is_none() && !right.is_nil()) {
        add(versions_.find(op.key, ValueId::nil()), versions_.find(op.key, right), edges);
      }
    }
  }
  return edges;
}

}  // namespace elapid::elle
