#include "engine/solve/mix_visibility.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "engine/graph/adjacency.h"
#include "engine/graph/chain_clocks.h"

namespace elapid {

namespace {

constexpr std::uint32_t kInitialTxn = TxnId::none().value;

std::int64_t name_of(KeyId key, ValueId value) {
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
                             const SolveOptions& options)
    : history_(history),
      levels_(levels),
      reads_(reads),
      options_(options),
      has_causal_(
          levels.any([](OrderLevel level) { return level.visibility == Visibility::kCausal; })),
      took_effect_(history.txn_count(), false) {
  bool has_indeterminate = false;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    took_effect_[txn.index()] = history.committed(txn);
    has_indeterminate = has_indeterminate || history.status(txn) == TxnStatus::kIndeterminate;
  }
  const auto is_split = [](OrderLevel level) { return is_saturable(level.visibility); };
  if (!levels.any(is_split) && !has_indeterminate) {
    return;
  }
  index_writers();
  if (has_indeterminate) {
    find_participants();
  }
  if (!levels.any(is_saturated) || !unclear_.empty()) {
    return;
  }
  find_sources();
  first_reader_.resize(history.txn_count());
  by_key_.resize(history.key_count());
  for (TxnId txn{0}; txn.index() < history.txn_count() && unclear_.empty(); ++txn.value) {
    const OrderLevel level = levels.of(txn);
    const bool is_read_atomic = level.visibility == Visibility::kReadAtomic;
    if (took_effect(txn) && (is_read_atomic || level.visibility == Visibility::kReadCommitted)) {
      order_by_reads(txn);
    }
    if (took_effect(txn) && is_read_atomic && level.sessions) {
      order_by_session(txn);
    }
    if (!goes_on()) {
      return;
    }
  }
  if (has_causal_ && unclear_.empty()) {
    order_causal();
  }
}

bool MixVisibility::is_weak(TxnId txn) const {
  return is_saturable(levels_.of(txn).visibility);
}

/// Whether there is time left. If not, the orders are unknown.
bool MixVisibility::goes_on() {
  if (options_.keep_going && !options_.keep_going()) {
    unclear_ = "the budget was reached before it was known what weak levels make visible";
  }
  return unclear_.empty();
}

void MixVisibility::index_writers() {
  written_begin_.reserve(history_.txn_count() + 1);
  for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
    written_begin_.push_back(static_cast<std::uint32_t>(written_.size()));
    for (const Op op : history_.ops(txn)) {
      if (!op.is_write() || history_.status(txn) == TxnStatus::kAborted) {
        continue;
      }
      const std::int64_t name = name_of(op.key(), op.value());
      const std::uint32_t known = writers_.find_or_add(name, txn.value);
      if (known != txn.value) {
        several_.find_or_add(name, 0);
      }
      written_.push_back(op.key());
    }
    const auto keys =
        std::ranges::subrange(written_.begin() + written_begin_.back(), written_.end());
    std::ranges::sort(keys);
    written_.erase(std::ranges::unique(keys).begin(), written_.end());
  }
  written_begin_.push_back(static_cast<std::uint32_t>(written_.size()));
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
    const std::uint32_t writer = writers_.find(name_of(key, value));
    const bool is_known =
        writer != IntMap::kAbsent && several_.find(name_of(key, value)) == IntMap::kAbsent;
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
      for (const ValueId element : shown_list(history_, op).first(read.length)) {
        note(read.key, element);
      }
      if (!history_.has_lists() && !is_initial(read)) {
        note(read.key, read.value);
      }
    }
  }
  const std::vector<bool> has_open_reader = read_by_open();
  for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
    const bool is_open = history_.status(txn) == TxnStatus::kIndeterminate && !took_effect(txn) &&
                         is_weak(txn) && !reads_.of(txn).empty();
    const auto others_wrote = [&](Op op) {
      const bool may_be_initial = !history_.has_lists() && history_.is_initial(op.value());
      return op.is_write() &&
             (may_be_initial || several_.find(name_of(op.key(), op.value())) != IntMap::kAbsent);
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
        const std::uint32_t writer = writers_.find(name_of(read.key, value));
        if (writer != IntMap::kAbsent) {
          is_read[writer] = true;
        }
      };
      note(read.wanted());
      const Op op = history_.ops(txn)[read.mop];
      std::ranges::for_each(shown_list(history_, op).first(read.length), note);
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

/// Whether it may have seen the initial state.
bool MixVisibility::is_initial(const OthersRead& read) const {
  return history_.has_lists() ? read.length == 0 : history_.is_initial(read.value);
}

std::uint32_t MixVisibility::source_of(TxnId reader, const OthersRead& read) {
  const TxnId first = history_.info().initial_txn;
  if (read.wanted().is_none()) {
    return kInitialTxn;
  }
  const std::int64_t name = name_of(read.key, read.wanted());
  const std::uint32_t writer = writers_.find(name);
  const bool may_be_initial = is_initial(read) && (first.is_none() || !writes(first, read.key));
  const bool is_open = writer != IntMap::kAbsent && ((may_be_initial && writer != reader.value) ||
                                                     several_.find(name) != IntMap::kAbsent);
  if (is_open) {
    unclear_ = "a read that a weak level depends on may have seen one of several writes";
  }
  return writer == IntMap::kAbsent || writer == reader.value ? kInitialTxn : writer;
}

std::span<const KeyId> MixVisibility::written(TxnId txn) const {
  return std::span(written_).subspan(written_begin_[txn.index()],
                                     written_begin_[txn.index() + 1] - written_begin_[txn.index()]);
}

bool MixVisibility::writes(TxnId txn, KeyId key) const {
  return std::ranges::binary_search(written(txn), key);
}

void MixVisibility::add(std::uint32_t visible, std::uint32_t seen, TxnId reader, KeyId key) {
  if (visible != seen && visible != reader.value) {
    orders_.push_back({{visible}, {seen}, reader, key});
  }
}

/// The transactions that the reader read from precede the sources of its other reads (read atomic)
/// or of its later reads (read committed), where they wrote the key too. As in
/// saturate/read_committed.cc and read_atomic.cc: each source once, over the smaller side.
void MixVisibility::order_by_reads(TxnId reader) {
  const auto reads = reads_.of(reader);
  const std::span sources = std::span(sources_).subspan(reads_.first(reader), reads.size());
  std::vector<bool> is_first(reads.size(), false);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (sources[i] != kInitialTxn && first_reader_[sources[i]] != reader) {
      first_reader_[sources[i]] = reader;
      is_first[i] = true;
    }
  }
  const bool all_count = levels_.of(reader).visibility == Visibility::kReadAtomic;
  keys_.clear();
  for (std::size_t i = 0; all_count && i < reads.size(); ++i) {
    note(reader, reads[i].key, sources[i]);
  }
  for (std::size_t i = reads.size(); i-- > 0;) {
    if (is_first[i]) {
      order_before(sources[i], reader);
    }
    if (!all_count) {
      note(reader, reads[i].key, sources[i]);
    }
  }
}

/// At read committed it is called from the last read to the first, so that `first` is the next
/// source. At read atomic a key has one source, and the order does not matter.
void MixVisibility::note(TxnId reader, KeyId key, std::uint32_t source) {
  KeySources& sources = by_key_[key.index()];
  if (sources.reader != reader) {
    sources = {reader, source};
    keys_.push_back(key);
  } else if (sources.first != source) {
    sources.second = sources.first;
    sources.first = source;
  }
}

/// The first two different sources of a key suffice: those of later reads follow by the axiom.
void MixVisibility::order_before(std::uint32_t visible, TxnId reader) {
  const auto order = [&](KeyId key) {
    const KeySources& sources = by_key_[key.index()];
    if (sources.first != visible) {
      add(visible, sources.first, reader, key);
    } else if (sources.second) {
      add(visible, *sources.second, reader, key);
    }
  };
  const std::span<const KeyId> keys = written({visible});
  if (keys.size() <= keys_.size()) {
    for (const KeyId key : keys) {
      if (by_key_[key.index()].reader == reader) {
        order(key);
      }
    }
    return;
  }
  for (const KeyId key : keys_) {
    if (writes({visible}, key)) {
      order(key);
    }
  }
}

/// The session's earlier writers come before the version read. Those before a writer whose level
/// has session order already precede that writer.
void MixVisibility::order_by_session(TxnId reader) {
  std::uint32_t number = reads_.first(reader);
  for (const OthersRead& read : reads_.of(reader)) {
    const std::uint32_t source = sources_[number++];
    const auto found = session_writers_.find(in_session(history_.session(reader), read.key));
    if (found == session_writers_.end()) {
      continue;
    }
    auto at = std::ranges::lower_bound(found->second, reader.value);
    while (at != found->second.begin()) {
      --at;
      add(*at, source, reader, read.key);
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

void MixVisibility::order_causal() {
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
  if (std::uint64_t{chains.count} * count * 8 > options_.reachability) {
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
    if (!goes_on()) {
      return;
    }
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
