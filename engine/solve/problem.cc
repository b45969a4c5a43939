#include "engine/solve/problem.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

#include "engine/solve/bad_reads.h"
#include "engine/solve/list_chains.h"
#include "engine/verdict/bound_versions.h"

namespace elapid {

/// Fills in an OrderProblem step by step.
class ProblemBuilder {
 public:
  ProblemBuilder(const History& history, const Assumptions& assumptions,
                 const std::function<bool()>& keep_going, OrderProblem& out)
      : history_(history),
        is_list_(history.has_lists()),
        assumptions_(assumptions),
        keep_going_(keep_going),
        out_(out),
        footprints_(history) {}

  void build() {
    set_presence();
    index_writes();
    ListChains chains;
    if (is_list_) {
      chains = find_list_chains(history_, lists_shown(history_, footprints_));
      out_.contradiction_ = chains.contradiction;
      adopt_list_anomalies(chains);
      place_repeated(chains);
      if (footprints_.has_odd_reads()) {
        out_.unclear_ = "the result of a list read is not a list";
      }
    }
    list_reads(chains);
    force_participation();
    for (std::uint32_t t = 0; t < out_.txn_count() && !out_.lists_.empty(); ++t) {
      if (out_.is_certain(t)) {
        out_.lists_.note_certain(t);
      }
    }
    drop_unread();
    link_keys();
    report_anomalies();
  }

 private:
  void set_presence() {
    const auto n = static_cast<std::uint32_t>(history_.txn_count());
    out_.presence_.assign(n, Presence::kAbsent);
    for (std::uint32_t t = 0; t < n; ++t) {
      if (history_.committed({t})) {
        out_.presence_[t] = Presence::kCertain;
      } else if (history_.status({t}) == TxnStatus::kIndeterminate &&
                 !footprints_.contradicts_itself({t})) {
        out_.presence_[t] = Presence::kOptional;
      }
    }
  }

  void index_writes() {
    const auto each = [&](auto visit) {
      for (std::uint32_t t = 0; t < out_.txn_count(); ++t) {
        if (out_.presence_[t] == Presence::kAbsent) {
          continue;
        }
        for (const Touch& touch : footprints_.of({t})) {
          if (!touch.write.is_none()) {
            visit(FinalWrite{t, touch.key, touch.write});
          }
        }
      }
    };
    out_.key_begin_.assign(history_.key_count() + 1, 0);
    each([&](const FinalWrite& w) { ++out_.key_begin_[w.key.index() + 1]; });
    std::partial_sum(out_.key_begin_.begin(), out_.key_begin_.end(), out_.key_begin_.begin());
    out_.writes_.resize(out_.key_begin_.back());
    std::vector<WriteRef> next(out_.key_begin_.begin(), out_.key_begin_.end() - 1);
    each([&](const FinalWrite& w) { out_.writes_[next[w.key.index()]++] = w; });
    for (std::size_t k = 0; k < history_.key_count(); ++k) {
      std::sort(out_.writes_.begin() + out_.key_begin_[k],
                out_.writes_.begin() + out_.key_begin_[k + 1],
                [](const FinalWrite& a, const FinalWrite& b) {
                  return std::tie(a.value, a.txn) < std::tie(b.value, b.txn);
                });
    }
    group_by_txn();
  }

  void group_by_txn() {
    out_.txn_begin_.assign(out_.txn_count() + 1, 0);
    for (const FinalWrite& w : out_.writes_) {
      ++out_.txn_begin_[w.txn + 1];
    }
    std::partial_sum(out_.txn_begin_.begin(), out_.txn_begin_.end(), out_.txn_begin_.begin());
    out_.writes_by_txn_.resize(out_.writes_.size());
    std::vector<std::uint32_t> next(out_.txn_begin_.begin(), out_.txn_begin_.end() - 1);
    for (WriteRef w = 0; w < out_.writes_.size(); ++w) {
      out_.writes_by_txn_[next[out_.writes_[w].txn]++] = w;
    }
  }

  /// Takes over what the chains of lists show: transactions that took effect, and reads of elements
  /// without a writer.
  void adopt_list_anomalies(const ListChains& chains) {
    for (const std::uint32_t t : chains.observed) {
      out_.make_certain(t);  // even if it contradicts itself, which is then reported
    }
    out_.known_orders_ = chains.unobserved;
    bad_reads_ = chains.unexplained;
  }

  void place_repeated(const ListChains& chains) {
    std::vector<bool> certain(out_.txn_count());
    std::vector<bool> possible(out_.txn_count());
    for (std::uint32_t t = 0; t < out_.txn_count(); ++t) {
      certain[t] = out_.is_certain(t);
      possible[t] = out_.presence_[t] != Presence::kAbsent;
    }
    out_.lists_ =
        ListPlaces(history_, footprints_, chains.ambiguous, certain, possible, keep_going_);
    out_.unclear_ = out_.lists_.unclear();
    for (const std::uint32_t t : out_.lists_.impossible()) {
      if (!certain[t]) {
        out_.presence_[t] = Presence::kAbsent;
      }
    }
    for (const std::uint32_t s : out_.lists_.settled()) {
      const ListPlaces::Stand& stand = out_.lists_.stands()[s];
      if (stand.state == ListPlaces::Stand::State::kInside && !out_.is_certain(stand.txn)) {
        out_.make_certain(stand.txn, out_.lists_.lines()[stand.line].key);
      }
    }
    if (out_.lists_.is_contradictory()) {
      out_.contradiction_ = "no transactions can have appended the elements read from key " +
                            history_.shown_key(out_.lists_.contradiction());
    }
  }

  void list_reads(const ListChains& chains) {
    out_.read_begin_.reserve(out_.txn_count() + 1);
    auto link = chains.links.begin();
    for (std::uint32_t t = 0; t < out_.txn_count(); ++t) {
      out_.read_begin_.push_back(static_cast<std::uint32_t>(out_.reads_.size()));
      if (out_.presence_[t] != Presence::kAbsent) {
        for (const Touch& touch : footprints_.of({t})) {
          if (is_single_read(touch)) {
            add_read(t, touch);
          }
        }
      }
      for (; link != chains.links.end() && link->txn == t; ++link) {
        add_append(*link);
      }
    }
    out_.read_begin_.push_back(static_cast<std::uint32_t>(out_.reads_.size()));
  }

  /// Whether the touch reads, and the value read determines its possible writers.
  [[nodiscard]] bool is_single_read(const Touch& touch) const {
    return !touch.read.is_none() && !out_.lists_.is_ambiguous(touch.key);
  }

  void add_read(std::uint32_t t, const Touch& touch) {
    const auto of_key =
        std::span(out_.writes_)
            .subspan(out_.key_begin_[touch.key.index()],
                     out_.key_begin_[touch.key.index() + 1] - out_.key_begin_[touch.key.index()]);
    std::span<const FinalWrite> writes;
    if (!touch.is_unwritten) {
      writes = std::ranges::equal_range(of_key, touch.read, {}, &FinalWrite::value);
    }
    const bool is_initial = is_list_ ? touch.is_unwritten : history_.is_initial(touch.read);
    ExternalRead read = {t, touch.key};
    if (writes.size() < kManyWriters ||
        std::ranges::binary_search(writes, t, {}, &FinalWrite::txn)) {
      read.begin = list_candidates(writes, is_initial, t);
      read.count = static_cast<std::uint32_t>(out_.candidates_.size()) - read.begin;
    } else {
      auto [at, is_new] = shared_.try_emplace(&writes.front());
      if (is_new) {
        at->second.begin = list_candidates(writes, is_initial, t);
        at->second.count = static_cast<std::uint32_t>(out_.candidates_.size()) - at->second.begin;
      }
      read.begin = at->second.begin;
      read.count = at->second.count;
      read.is_shared = true;
    }
    read.is_ambiguous = read.count > 1;
    out_.reads_.push_back(read);
  }

  /// Lists the candidates of a read by `reader`. Returns where they begin in candidates_.
  std::uint32_t list_candidates(std::span<const FinalWrite> writes, bool is_initial,
                                std::uint32_t reader) {
    const auto begin = static_cast<std::uint32_t>(out_.candidates_.size());
    if (is_initial) {
      out_.candidates_.push_back(kInitialState);
    }
    for (const FinalWrite& write : writes) {
      if (write.txn != reader && out_.presence_[write.txn] != Presence::kAbsent) {
        out_.candidates_.push_back(static_cast<WriteRef>(&write - out_.writes_.data()));
      }
    }
    return begin;
  }

  void add_append(const ListChains::Link& link) {
    out_.reads_.push_back({.txn = link.txn,
                           .key = link.key,
                           .begin = static_cast<std::uint32_t>(out_.candidates_.size()),
                           .count = 1,
                           .is_append = true});
    out_.candidates_.push_back(link.is_first ? kInitialState
                                             : out_.write_of(link.previous, link.key));
  }

  /// If only one transaction can have written what a certain transaction read, it took effect.
  void force_participation() {
    std::vector<std::uint32_t> pending;
    for (std::uint32_t t = 0; t < out_.txn_count(); ++t) {
      if (out_.is_certain(t)) {
        pending.push_back(t);
      }
    }
    while (!pending.empty()) {
      const std::uint32_t t = pending.back();
      pending.pop_back();
      for (std::uint32_t r = out_.read_begin_[t]; r < out_.read_begin_[t + 1]; ++r) {
        const WriteRef writer = out_.writer_of(r);
        if (writer != kOpenWriter && writer != kInitialState &&
            !out_.is_certain(out_.writes_[writer].txn)) {
          out_.make_certain(out_.writes_[writer].txn, r);
          pending.push_back(out_.writes_[writer].txn);
        }
      }
    }
  }

  /// Drops indeterminate transactions that no read can have seen. They need not have taken effect.
  void drop_unread() {
    std::vector<bool> is_readable(out_.txn_count(), false);
    for (const WriteRef candidate : out_.candidates_) {
      if (candidate != kInitialState) {
        is_readable[out_.writes_[candidate].txn] = true;
      }
    }
    for (const ListPlaces::Place& place : out_.lists_.places()) {
      is_readable[place.txn] = is_readable[place.txn] || place.state != ListPlaces::State::kStruck;
    }
    for (std::uint32_t t = 0; t < out_.txn_count(); ++t) {
      if (out_.presence_[t] == Presence::kOptional && !is_readable[t]) {
        out_.presence_[t] = Presence::kAbsent;
      }
    }
  }

  void link_keys() {
    const Assumptions assumed = of_versions(assumptions_, history_);
    if (assumed.order_something() && !out_.lists_.empty()) {
      out_.unclear_ =
          "assumptions about keys are not supported for lists with elements that were appended "
          "more than once";
      return;
    }
    for (const KeySuccession& s : find_successions(history_, footprints_, assumed)) {
      out_.known_orders_.push_back({s.before, s.after, s.key});
    }
    out_.key_links_ = find_key_links(history_, footprints_, assumed);
    std::erase_if(out_.key_links_, [this](const KeyLink& link) {
      return out_.presence_[link.second] == Presence::kAbsent;
    });
  }

  void report_anomalies() {
    for (const Anomaly& anomaly : footprints_.internal()) {
      const TxnId txn = std::get<InternalEvidence>(anomaly.evidence).txn;
      if (history_.committed(txn)) {
        out_.anomalies_.push_back(anomaly);
      } else if (out_.is_certain(txn.value)) {
        out_.contradiction_ = "a list shows elements of a transaction that contradicts itself";
        return;
      }
    }
    for (std::uint32_t t = 0; t < out_.txn_count(); ++t) {
      if (!out_.is_certain(t)) {
        continue;
      }
      std::uint32_t r = out_.read_begin_[t];
      for (const Touch& touch : footprints_.of({t})) {
        if (is_single_read(touch) && out_.reads_[r++].count == 0) {
          bad_reads_.push_back({{t}, touch.read_mop, touch.key, touch.read});
        }
      }
    }
    // Only reads by committed transactions are evidence on their own. An indeterminate reader is a
    // contradiction: others saw it, but it cannot have taken effect.
    const bool has_unnamed = std::erase_if(bad_reads_, [this](const BadRead& read) {
                               return !history_.committed(read.reader);
                             }) > 0;
    if (has_unnamed) {
      out_.contradiction_ =
          "other transactions read from an indeterminate transaction, but no write explains one of "
          "its own reads";
    }
    if (!explain_bad_reads(history_, is_list_, bad_reads_, out_.anomalies_)) {
      out_.contradiction_ = "a read shows the write of a transaction that contradicts itself";
    }
  }

  const History& history_;
  bool is_list_;
  const Assumptions& assumptions_;
  const std::function<bool()>& keep_going_;
  OrderProblem& out_;

  /// Candidates that many reads have in common.
  struct Candidates {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
  };

  static constexpr std::size_t kManyWriters = 8;

  Footprints footprints_;
  std::unordered_map<const FinalWrite*, Candidates> shared_;  // by first write of the value
  std::vector<BadRead> bad_reads_;
};

OrderProblem::OrderProblem(const History& history, const Assumptions& assumptions,
                           const std::function<bool()>& keep_going)
    : history_(history) {
  ProblemBuilder(history, assumptions, keep_going, *this).build();
}

std::span<const KeyLink> OrderProblem::links_from(std::uint32_t read) const {
  const auto all =
      std::ranges::equal_range(key_links_, std::pair(reads_[read].txn, reads_[read].key), {},
                               [](const KeyLink& link) { return std::pair(link.first, link.key); });
  return all.empty() || all.front().first_wrote ? std::span<const KeyLink>() : std::span(all);
}

WriteRef OrderProblem::write_of(std::uint32_t txn, KeyId key) const {
  const std::span<const WriteRef> own = writes_by(txn);
  const auto at = std::lower_bound(own.begin(), own.end(), key,
                                   [this](WriteRef w, KeyId k) { return writes_[w].key < k; });
  return at != own.end() && writes_[*at].key == key ? *at : kInitialState;
}

bool OrderProblem::may_have_seen(std::uint32_t read, WriteRef writer) const {
  const std::span<const WriteRef> all = candidates(read);
  const bool may_be_initial = !all.empty() && all.front() == kInitialState;
  return writer == kInitialState
             ? may_be_initial
             : std::ranges::binary_search(all.subspan(may_be_initial ? 1 : 0), writer);
}

void OrderProblem::exclude(std::uint32_t read, WriteRef candidate) {
  ExternalRead& r = reads_[read];
  if (r.is_shared) {
    const auto begin = static_cast<std::uint32_t>(candidates_.size());
    candidates_.resize(candidates_.size() + r.count);
    std::copy_n(candidates_.begin() + r.begin, r.count, candidates_.begin() + begin);
    r.begin = begin;
    r.is_shared = false;
  }
  const auto begin = candidates_.begin() + r.begin;
  const auto at = std::find(begin, begin + r.count, candidate);
  std::move(at + 1, begin + r.count, at);
  --r.count;
}

}  // namespace elapid
