#include "engine/solve/mix_visibility.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "engine/graph/adjacency.h"
#include "engine/graph/chain_clocks.h"
#include "engine/solve/footprints.h"

namespace elapid {

namespace {

constexpr std::uint32_t kInitialTxn = TxnId::none().value;

std::int64_t written(KeyId key, ValueId value) {
  return static_cast<std::int64_t>(packed(key, value));
}

std::uint64_t in_session(SessionId session, KeyId key) {
  return std::uint64_t{session.value} << 32 | key.value;
}

/// Whether the level's order of writers follows from the writers that reads saw.
bool is_saturated(OrderLevel level) {
  return level.visibility == Visibility::kCausal || level.visibility == Visibility::kReadAtomic ||
         level.visibility == Visibility::kReadCommitted;
}

}  // namespace

MixVisibility::MixVisibility(const History& history, const TxnLevels& levels, const MixReads& reads,
                             std::size_t memory)
    : history_(history),
      levels_(levels),
      reads_(reads),
      has_causal_(
          levels.any([](OrderLevel level) { return level.visibility == Visibility::kCausal; })),
      took_effect_(history.txn_count(), false) {
  bool has_indeterminate = false;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    took_effect_[txn.index()] = history.committed(txn);
    has_indeterminate = has_indeterminate || history.status(txn) == TxnStatus::kIndeterminate;
  }
  const bool has_saturated = levels.any(is_saturated);
  if (!has_saturated && !has_indeterminate) {
    return;
  }
  index_writers();
  if (has_indeterminate) {
    find_participants();
  }
  if (!has_saturated || !unclear_.empty()) {
    return;
  }
  find_sources();
  for (TxnId txn{0}; txn.index() < history.txn_count() && unclear_.empty(); ++txn.value) {
    const Visibility visibility = levels.of(txn).visibility;
    if (took_effect(txn) && visibility == Visibility::kReadCommitted) {
      order_read_committed(txn);
    } else if (took_effect(txn) && visibility == Visibility::kReadAtomic) {
      order_read_atomic(txn);
    }
  }
  if (has_causal_ && unclear_.empty()) {
    order_causal(memory);
  }
}

bool MixVisibility::is_weak(TxnId txn) const {
  return is_saturable(levels_.of(txn).visibility);
}

void MixVisibility::index_writers() {
  for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
    for (const Op op : history_.ops(txn)) {
      if (!op.is_write() || history_.status(txn) == TxnStatus::kAborted) {
        continue;
      }
      const std::int64_t name = written(op.key(), op.value());
      const std::uint32_t known = writers_.find_or_add(name, txn.value);
      if (known != txn.value) {
        several_.find_or_add(name, 0);
      }
    }
  }
}

/// An indeterminate transaction took effect if a transaction that took effect read from it.
void MixVisibility::find_participants() {
  std::vector<TxnId> pending;
  for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
    if (history_.committed(txn)) {
      pending.push_back(txn);
    }
  }
  const auto note = [&](KeyId key, ValueId value) {
    const std::uint32_t writer = writers_.find(written(key, value));
    const bool is_known =
        writer != IntMap::kAbsent && several_.find(written(key, value)) == IntMap::kAbsent;
    if (is_known && !took_effect_[writer]) {
      took_effect_[writer] = true;
      pending.push_back({writer});
    }
  };
  while (!pending.empty()) {
    const TxnId txn = pending.back();
    pending.pop_back();
    for (const OthersRead& read : reads_.of(txn)) {
      const Op op = history_.ops(txn)[read.mop];
      for (const ValueId element : Footprints::list(history_, op).first(read.length)) {
        note(read.key, element);
      }
      if (!history_.has_lists() && !read.seen.is_nil() && read.seen != history_.info().initial) {
        note(read.key, read.seen);
      }
    }
  }
  const std::vector<bool> has_open_reader = read_by_open();
  for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
    const bool is_open = history_.status(txn) == TxnStatus::kIndeterminate && !took_effect(txn) &&
                         is_weak(txn) && !reads_.of(txn).empty();
    const auto others_wrote = [&](Op op) {
      const bool may_be_initial = !history_.has_lists() && op.value() == history_.info().initial;
      return op.is_write() &&
             (may_be_initial || several_.find(written(op.key(), op.value())) != IntMap::kAbsent);
    };
    if (is_open &&
        (has_open_reader[txn.index()] || std::ranges::any_of(history_.ops(txn), others_wrote))) {
      lacks_participants_ = true;
      unclear_ =
          "it is unknown whether an indeterminate transaction with reads at a weak level took "
          "effect";
    }
  }
}

/// By transaction: whether an indeterminate transaction may have read from it, without any read
/// that shows that the reader took effect.
std::vector<bool> MixVisibility::read_by_open() const {
  std::vector<bool> is_read(history_.txn_count(), false);
  for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
    if (history_.status(txn) != TxnStatus::kIndeterminate || took_effect(txn)) {
      continue;
    }
    for (const OthersRead& read : reads_.of(txn)) {
      const auto note = [&](ValueId value) {
        const std::uint32_t writer = writers_.find(written(read.key, value));
        if (writer != IntMap::kAbsent) {
          is_read[writer] = true;
        }
      };
      note(read.seen);
      const Op op = history_.ops(txn)[read.mop];
      std::ranges::for_each(Footprints::list(history_, op).first(read.length), note);
    }
  }
  return is_read;
}

void MixVisibility::find_sources() {
  sources_.assign(reads_.count(), kInitialTxn);
  for (TxnId txn{0}; txn.index() < history_.txn_count() && unclear_.empty(); ++txn.value) {
    if (!took_effect(txn) || (!has_causal_ && !is_saturated(levels_.of(txn)))) {
      continue;
    }
    std::uint32_t number = reads_.first(txn);
    for (const OthersRead& read : reads_.of(txn)) {
      sources_[number++] = source_of(txn, read);
    }
  }
  const bool needs_sessions = levels_.any([](OrderLevel level) {
    return level.visibility == Visibility::kReadAtomic && level.sessions;
  });
  for (TxnId txn{0}; needs_sessions && txn.index() < history_.txn_count(); ++txn.value) {
    for (const Op op : history_.committed(txn) ? history_.ops(txn) : std::span<const Op>()) {
      if (op.is_write()) {
        std::vector<std::uint32_t>& writers =
            session_writers_[in_session(history_.session(txn), op.key())];
        if (writers.empty() || writers.back() != txn.value) {
          writers.push_back(txn.value);
        }
      }
    }
  }
}

std::uint32_t MixVisibility::source_of(TxnId reader, const OthersRead& read) {
  const bool is_list = history_.has_lists();
  const TxnId first = history_.info().initial_txn;
  const bool is_initial =
      is_list ? read.length == 0 : read.seen.is_nil() || read.seen == history_.info().initial;
  if (is_list && is_initial) {
    return kInitialTxn;
  }
  const std::int64_t name = written(read.key, read.seen);
  const std::uint32_t writer = writers_.find(name);
  const bool may_be_initial = is_initial && (first.is_none() || !writes(first.value, read.key));
  const bool is_open = writer != IntMap::kAbsent && ((may_be_initial && writer != reader.value) ||
                                                     several_.find(name) != IntMap::kAbsent);
  if (is_open) {
    unclear_ = "a read that a weak level depends on may have seen one of several writes";
  }
  return writer == IntMap::kAbsent || writer == reader.value ? kInitialTxn : writer;
}

bool MixVisibility::writes(std::uint32_t txn, KeyId key) const {
  return std::ranges::any_of(history_.ops({txn}),
                             [key](Op op) { return op.is_write() && op.key() == key; });
}

void MixVisibility::add(std::uint32_t visible, std::uint32_t seen, TxnId reader, KeyId key) {
  if (visible != seen && visible != reader.value) {
    orders_.push_back({{visible}, {seen}, reader, key});
  }
}

void MixVisibility::order_read_committed(TxnId reader) {
  const auto reads = reads_.of(reader);
  const std::uint32_t first = reads_.first(reader);
  for (std::uint32_t i = 0; i < reads.size(); ++i) {
    for (std::uint32_t before = 0; before < i; ++before) {
      const std::uint32_t visible = sources_[first + before];
      if (visible != kInitialTxn && writes(visible, reads[i].key)) {
        add(visible, sources_[first + i], reader, reads[i].key);
      }
    }
  }
}

/// The session's earlier writers come before the version read. Those before a writer whose level
/// has session order already precede that writer.
void MixVisibility::order_read_atomic(TxnId reader) {
  const auto reads = reads_.of(reader);
  const std::uint32_t first = reads_.first(reader);
  for (std::uint32_t i = 0; i < reads.size(); ++i) {
    const KeyId key = reads[i].key;
    for (std::uint32_t other = 0; other < reads.size(); ++other) {
      const std::uint32_t visible = sources_[first + other];
      if (visible != kInitialTxn && writes(visible, key)) {
        add(visible, sources_[first + i], reader, key);
      }
    }
    if (!levels_.of(reader).sessions) {
      continue;
    }
    const auto found = session_writers_.find(in_session(history_.session(reader), key));
    if (found == session_writers_.end()) {
      continue;
    }
    auto at = std::ranges::lower_bound(found->second, reader.value);
    while (at != found->second.begin()) {
      --at;
      add(*at, sources_[first + i], reader, key);
      if (levels_.of({*at}).sessions) {
        break;
      }
    }
  }
}

/// Calls `visit(from, relation, key)`. A transaction whose level has session order comes after all
/// earlier ones of its session, so the walk stops there.
template <class Visit>
void MixVisibility::each_edge_to(TxnId reader, Visit visit) const {
  std::uint32_t number = reads_.first(reader);
  for (const OthersRead& read : reads_.of(reader)) {
    const std::uint32_t source = sources_[number++];
    if (source != kInitialTxn) {
      visit(source, Relation::kWr, read.key);
    }
  }
  if (!levels_.of(reader).sessions) {
    return;
  }
  const auto txns = history_.session_txns(history_.session(reader));
  auto at = std::ranges::lower_bound(txns, reader);
  while (at != txns.begin()) {
    --at;
    if (history_.committed(*at)) {
      visit(at->value, Relation::kProcess, KeyId());
      if (levels_.of(*at).sessions) {
        return;
      }
    }
  }
}

void MixVisibility::order_causal(std::size_t memory) {
  const auto count = static_cast<std::uint32_t>(history_.txn_count());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (TxnId txn{0}; txn.value < count; ++txn.value) {
    if (took_effect(txn)) {
      each_edge_to(
          txn, [&](std::uint32_t from, Relation, KeyId) { edges.emplace_back(from, txn.value); });
    }
  }
  const Adjacency successors(count, edges, [](const auto& edge) { return edge; });
  const std::vector<std::uint32_t> order = topological_order(successors);
  if (order.size() < count) {
    return;  // the solver finds this cycle
  }
  Chains chains = cover_with_chains(successors, order);
  if (std::uint64_t{chains.count} * count * 8 > memory) {
    unclear_ = "the causal order needs too much memory";
    return;
  }
  ChainClocks clocks(std::move(chains));
  for (const auto& [from, to] : edges) {
    clocks.note(from, to);
  }
  if (!clocks.update(successors, order)) {
    return;
  }

  // The writes, sorted by key, chain and position.
  struct Write {
    KeyId key;
    std::uint32_t chain = 0;
    std::uint32_t position = 0;
    std::uint32_t txn = 0;
  };

  std::vector<Write> writes;
  for (TxnId txn{0}; txn.value < count; ++txn.value) {
    for (const Op op : took_effect(txn) ? history_.ops(txn) : std::span<const Op>()) {
      if (op.is_write()) {
        writes.push_back({op.key(), clocks.chains().chain[txn.value],
                          clocks.chains().position[txn.value], txn.value});
      }
    }
  }
  const auto place = [](const Write& w) { return std::tuple(w.key, w.chain, w.position); };
  std::ranges::sort(writes, {}, place);
  for (TxnId txn{0}; txn.value < count; ++txn.value) {
    if (!took_effect(txn) || levels_.of(txn).visibility != Visibility::kCausal) {
      continue;
    }
    std::uint32_t number = reads_.first(txn);
    for (const OthersRead& read : reads_.of(txn)) {
      const std::uint32_t seen = sources_[number++];
      auto at = std::ranges::lower_bound(writes, read.key, {}, &Write::key);
      while (at != writes.end() && at->key == read.key) {
        const std::uint32_t chain = at->chain;
        const auto next_chain =
            std::ranges::upper_bound(at, writes.end(), std::pair(read.key, chain), {},
                                     [](const Write& w) { return std::pair(w.key, w.chain); });
        // The last writer in the chain that leads to the reader, except the reader itself.
        auto last = std::ranges::lower_bound(at, next_chain, clocks.before(txn.value)[chain], {},
                                             &Write::position);
        while (last != at && std::prev(last)->txn == txn.value) {
          --last;
        }
        const bool is_new =
            last != at && (seen == kInitialTxn || !clocks.reaches(std::prev(last)->txn, seen));
        if (is_new) {
          add(std::prev(last)->txn, seen, txn, read.key);
        }
        at = next_chain;
      }
    }
  }
}

/// Searches back from the reader, breadth first.
std::vector<OrderEdge> MixVisibility::path(const VisibleOrder& order) const {
  const Visibility visibility = levels_.of(order.reader).visibility;
  std::unordered_map<std::uint32_t, OrderEdge> next;  // by transaction: the edge towards the reader
  std::vector<std::uint32_t> queue = {order.reader.value};
  for (std::size_t i = 0; i < queue.size() && !next.contains(order.visible.value); ++i) {
    const TxnId to{queue[i]};
    each_edge_to(to, [&](std::uint32_t from, Relation relation, KeyId key) {
      const OrderEdge edge = {{from}, to, relation, key};
      if (from != order.reader.value && next.try_emplace(from, edge).second) {
        queue.push_back(from);
      }
    });
    if (visibility != Visibility::kCausal) {
      break;
    }
  }
  if (!next.contains(order.visible.value)) {  // farther back in the session
    return {{order.visible, order.reader, Relation::kProcess}};
  }
  std::vector<OrderEdge> edges;
  for (std::uint32_t at = order.visible.value; at != order.reader.value;) {
    edges.push_back(next.at(at));
    at = edges.back().to.value;
  }
  return edges;
}

}  // namespace elapid
