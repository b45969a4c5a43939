#include "engine/certify/orders/mixed_order.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/certify/flaw.h"
#include "engine/certify/operations/external_reads.h"
#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/participants.h"
#include "engine/certify/operations/possible_writers.h"
#include "engine/certify/orders/commit_places.h"
#include "engine/certify/patience.h"

namespace elapid {

namespace certify {

namespace {

/// One more than a place; 0 is the initial state, before all places.
using Rank = std::uint32_t;

class MixedOrder {
 public:
  MixedOrder(const History& history, const TxnLevels& levels, const Witness& witness,
             Patience& patience)
      : history_(history),
        levels_(levels),
        witness_(witness),
        patience_(patience),
        writers_(history, levels) {}

  Flaw check() {
    if (has_foreign_operations(history_)) {
      return kOtherWorkload;
    }
    // The orders that levels ask for are checked towards each transaction.
    if (Flaw flaw = places_.read(history_, {Visibility::kNothing}, witness_.order)) {
      return flaw;
    }
    for (const auto& read : unexplained_reads(history_, levels_)) {
      if (places_.has(read.reader)) {
        return txn_text(history_, read.reader) + " read a value of key " +
               history_.shown_key(read.key) + " that no write explains";
      }
    }
    index();
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (Flaw flaw = places_.has({t}) ? check_orders({t}) : Flaw()) {
        return flaw;
      }
    }
    // From here on session order and reads lead to later places: last_leading_to() comes to an end.
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (!patience_.goes_on()) {
        return kToldToStop;
      }
      if (Flaw flaw = places_.has({t}) ? check_txn({t}) : Flaw()) {
        return flaw;
      }
    }
    return {};
  }

 private:
  struct Write {
    KeyId key;
    Rank rank = 0;
    TxnId txn;
  };

  [[nodiscard]] Rank rank(TxnId txn) const { return txn.is_none() ? 0 : places_.of(txn) + 1; }

  void index() {
    lists_.emplace(history_, places_);
    for (const OrderEvent event : witness_.order) {
      for (const Op op : effective_ops(history_, event.txn)) {
        if (op.is_write()) {
          writes_.push_back({op.key(), rank(event.txn), event.txn});
        }
      }
    }
    const auto place = [](const Write& write) { return std::pair(write.key, write.rank); };
    std::ranges::sort(writes_, {}, place);
    const auto same = std::ranges::unique(writes_, {}, place);
    writes_.erase(same.begin(), same.end());
    for (const ReadFrom& claim : witness_.reads) {
      claims_[{claim.reader, claim.key}].push_back(claim.writer);
    }
    index_sessions();
    if (levels_.any([](OrderLevel level) { return level.real_time; })) {
      index_completions();
    }
    seen_.resize(history_.txn_count());
  }

  /// Of each transaction the last rank among committed ones before it in its session.
  void index_sessions() {
    session_rank_.assign(history_.txn_count(), 0);
    for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
      Rank last = 0;
      for (const TxnId txn : history_.session_txns({s})) {
        session_rank_[txn.index()] = last;
        if (places_.has(txn) && history_.committed(txn)) {
          last = std::max(last, rank(txn));
        }
      }
    }
  }

  void index_completions() {
    for (const OrderEvent event : witness_.order) {
      if (history_.committed(event.txn)) {
        completions_.emplace_back(history_.completion_id(event.txn), rank(event.txn));
      }
    }
    std::ranges::sort(completions_);
    for (std::size_t i = 1; i < completions_.size(); ++i) {
      completions_[i].second = std::max(completions_[i].second, completions_[i - 1].second);
    }
  }

  /// The last rank among those that session order and real time put before the transaction, as far
  /// as its level asks for them.
  [[nodiscard]] Rank ordered_before(TxnId txn) const {
    const OrderLevel level = levels_.of(txn);
    Rank last = level.sessions ? session_rank_[txn.index()] : 0;
    if (level.real_time && history_.has_invocation(txn)) {
      const auto end =
          std::ranges::lower_bound(completions_, history_.invocation_id(txn), {},
                                   [](const auto& completion) { return completion.first; });
      last = end == completions_.begin() ? last : std::max(last, std::prev(end)->second);
    }
    return last;
  }

  Flaw check_orders(TxnId txn) const {
    if (levels_.of(txn).real_time && !history_.info().has_real_time) {
      return "the history records no real time";
    }
    if (ordered_before(txn) > rank(txn)) {
      return txn_text(history_, txn) +
             " comes before one that its session or real time puts before it";
    }
    return {};
  }

  Flaw check_txn(TxnId txn) {
    const auto reads = writers_.reads(txn);
    if (!reads) {
      return txn_text(history_, txn) + " contradicts itself";
    }
    std::map<KeyId, std::size_t> number;
    std::vector<TxnId> sources;
    for (const KeyRead& read : *reads) {
      const auto source = source_of(txn, read, number[read.op.key()]++);
      if (!source) {
        return "no claim names the writer that " + txn_text(history_, txn) + " read key " +
               history_.shown_key(read.op.key());
      }
      sources.push_back(*source);
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const KeyId key = (*reads)[i].op.key();
      const Rank seen = rank(sources[i]);  // visible is only what comes before the reader
      if (last_write(key, rank(txn), txn) > seen &&
          last_visible(txn, key, {sources.data(), i}, sources, seen) > seen) {
        return txn_text(history_, txn) + " misses a version of key " + history_.shown_key(key) +
               " that its level makes visible to it";
      }
    }
    return {};
  }

  /// The source of the read: the only one that is possible, or else the one that is claimed.
  [[nodiscard]] std::optional<TxnId> source_of(TxnId reader, const KeyRead& read,
                                               std::size_t number) const {
    std::vector<TxnId> possible = writers_.of(reader, read);
    std::erase_if(possible, [&](TxnId writer) { return !may_be_source(reader, read, writer); });
    const auto claimed = claims_.find({reader, read.op.key()});
    if (claimed == claims_.end() || possible.size() <= 1) {
      return possible.size() == 1 ? std::optional(possible.front()) : std::nullopt;
    }
    const TxnId claim = claimed->second[std::min(number, claimed->second.size() - 1)];
    const auto found = std::ranges::find(possible, claim);
    return found == possible.end() ? std::nullopt : std::optional(*found);
  }

  [[nodiscard]] bool may_be_source(TxnId reader, const KeyRead& read, TxnId writer) const {
    return writer.is_none() || (places_.has(writer) && places_.of(writer) < places_.of(reader) &&
                                lists_->agrees(read, writer));
  }

  /// The last rank, up to `bound`, of a writer of the key other than the reader.
  [[nodiscard]] Rank last_write(KeyId key, Rank bound, TxnId reader) const {
    auto at = std::ranges::upper_bound(writes_, std::pair(key, bound), {}, [](const Write& write) {
      return std::pair(write.key, write.rank);
    });
    while (at != writes_.begin() && std::prev(at)->key == key) {
      --at;
      if (at->txn != reader) {
        return at->rank;
      }
    }
    return 0;
  }

  /// The rank of the last visible writer of the key; any rank up to `seen` if there is none beyond
  /// it. `before`: the sources of the reads before this one.
  Rank last_visible(TxnId reader, KeyId key, std::span<const TxnId> before,
                    std::span<const TxnId> sources, Rank seen) {
    switch (levels_.of(reader).visibility) {
      case Visibility::kSerial:
        return last_write(key, rank(reader), reader);
      case Visibility::kCursor:
        return writers_.writes(reader, key) ? last_write(key, rank(reader), reader) : 0;
      case Visibility::kSnapshot:
      case Visibility::kPrefix:
        return last_write(key, snapshot(reader, sources), reader);
      case Visibility::kReadCommitted:
        return last_among(before, key);
      case Visibility::kReadAtomic:
        return std::max(last_among(sources, key), last_in_session(reader, key));
      case Visibility::kCausal:
        return last_leading_to(reader, key, seen);
      default:
        return 0;
    }
  }

  /// The rank up to which the reader sees all writes.
  [[nodiscard]] Rank snapshot(TxnId reader, std::span<const TxnId> sources) const {
    Rank bound = ordered_before(reader);
    for (const TxnId source : sources) {
      bound = std::max(bound, rank(source));
    }
    const bool excludes = levels_.of(reader).visibility == Visibility::kSnapshot;
    for (const Op op : excludes ? effective_ops(history_, reader) : std::span<const Op>()) {
      if (op.is_write()) {
        bound = std::max(bound, last_write(op.key(), rank(reader), reader));
      }
    }
    return bound;
  }

  [[nodiscard]] Rank last_among(std::span<const TxnId> txns, KeyId key) const {
    Rank last = 0;
    for (const TxnId txn : txns) {
      if (!txn.is_none() && writers_.writes(txn, key)) {
        last = std::max(last, rank(txn));
      }
    }
    return last;
  }

  [[nodiscard]] Rank last_in_session(TxnId reader, KeyId key) const {
    Rank last = 0;
    if (levels_.of(reader).sessions) {
      for (const TxnId txn : history_.session_txns(history_.session(reader))) {
        if (txn < reader && history_.committed(txn) && writers_.writes(txn, key)) {
          last = std::max(last, rank(txn));
        }
      }
    }
    return last;
  }

  /// Goes back from the reader, the last transaction first, to the first writer of the key or to
  /// `seen`.
  Rank last_leading_to(TxnId reader, KeyId key, Rank seen) {
    std::vector<Rank> pending = {rank(reader)};  // a heap
    Rank passed = rank(reader) + 1;
    while (!pending.empty()) {
      std::ranges::pop_heap(pending);
      const Rank at = std::exchange(pending.back(), 0);
      pending.pop_back();
      if (at <= seen) {
        break;
      }
      if (at == passed) {
        continue;
      }
      passed = at;
      const TxnId txn = witness_.order[at - 1].txn;
      if (txn != reader && writers_.writes(txn, key)) {
        return at;
      }
      for (const Rank before : leading_to(txn)) {
        pending.push_back(before);
        std::ranges::push_heap(pending);
      }
    }
    return 0;
  }

  /// The ranks from which read-from and session order lead to the transaction.
  const std::vector<Rank>& leading_to(TxnId txn) {
    std::optional<std::vector<Rank>>& ranks = seen_[txn.index()];
    if (ranks) {
      return *ranks;
    }
    ranks.emplace();
    std::map<KeyId, std::size_t> number;
    const auto reads = writers_.reads(txn).value_or(std::vector<KeyRead>());
    for (const KeyRead& read : reads) {
      const auto source = source_of(txn, read, number[read.op.key()]++);
      ranks->push_back(source ? rank(*source) : 0);
    }
    const auto session = history_.session_txns(history_.session(txn));
    auto at = std::ranges::lower_bound(session, txn);
    for (bool goes_on = levels_.of(txn).sessions; goes_on && at != session.begin();) {
      --at;
      if (history_.committed(*at)) {
        ranks->push_back(rank(*at));
        goes_on = !levels_.of(*at).sessions;  // else all before lead to this one
      }
    }
    return *ranks;
  }

  const History& history_;
  const TxnLevels& levels_;
  const Witness& witness_;
  Patience& patience_;
  CommitPlaces places_;
  PossibleWriters writers_;
  std::optional<ListVersionsInOrder> lists_;
  std::vector<Write> writes_;  // by key and rank
  std::map<std::pair<TxnId, KeyId>, std::vector<TxnId>> claims_;
  std::vector<Rank> session_rank_;                      // by transaction
  std::vector<std::pair<EventId, Rank>> completions_;   // the last rank so far
  std::vector<std::optional<std::vector<Rank>>> seen_;  // by transaction, when asked for
};

}  // namespace

}  // namespace certify

std::optional<std::string> check_mixed_order(const History& history, const TxnLevels& levels,
                                             const Witness& witness,
                                             const std::function<bool()>& keep_going) {
  certify::Patience patience(keep_going);
  return certify::MixedOrder(history, levels, witness, patience).check();
}

}  // namespace elapid
