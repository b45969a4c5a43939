#include "engine/saturate/likely_writers.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>

#include "engine/saturate/causal_chains.h"
#include "engine/solve/turns.h"

namespace elapid {

namespace {

constexpr std::uint32_t kNoWriter = Seen::kNoTxn;

/// What a read makes visible beside those before the writer in its session: at once the writer and
/// what it saw, or the writer only for later transactions of the session.
enum class Spread : std::uint8_t { kAll, kLater };

/// A causally consistent execution while it grows, or one that keeps PRAM.
class CausalExecution {
 public:
  CausalExecution(const Observations& seen, Spread spread, const std::function<bool()>& keep_going)
      : seen_(seen),
        spread_(spread),
        keep_going_(keep_going),
        chains_(CausalChains::of_sessions(seen)),
        session_before_(seen.session_predecessors()),
        turn_(turns(seen.history())),
        place_(seen.txn_count(), kNoWriter),
        likely_(seen.ambiguous().size(), kNoWriter) {}

  LikelyWriters run() {
    constexpr std::size_t kMaxClockBytes = std::size_t{64} << 20;
    const std::size_t clocks = std::size_t{seen_.txn_count()} * chains_.count();
    if (clocks * sizeof(std::uint32_t) > kMaxClockBytes) {
      return std::move(likely_);
    }
    past_.assign(clocks, 0);
    placed_.resize(seen_.value_count());
    waiting_for_value_.resize(seen_.value_count());
    list_writers();
    for (std::uint32_t t = 0; t < seen_.txn_count(); ++t) {
      if (seen_.is_present(t)) {
        const std::uint32_t before = session_before_[t];
        before == kNoWriter ? ready_.emplace(turn_[t], t) : waiting_for_txn_[before].push_back(t);
      }
    }
    place_all();
    return std::move(likely_);
  }

 private:
  static constexpr std::uint32_t kTxnsBetweenQuestions = 1024;

  struct Write {
    std::uint32_t rank = 0;  // of the writer in its chain
    std::uint32_t txn = 0;
  };

  /// The writes of one key in one chain.
  struct Group {
    std::uint32_t chain = 0;
    std::vector<Write> writes = {};
  };

  void list_writers() {
    writers_.resize(seen_.history().key_count());
    values_of_.resize(seen_.txn_count());
    for (std::uint32_t chain = 0; chain < chains_.count(); ++chain) {
      for (const std::uint32_t txn : chains_.members(chain)) {
        for (const KeyId key : seen_.written(txn)) {
          std::vector<Group>& groups = writers_[key.index()];
          if (groups.empty() || groups.back().chain != chain) {
            groups.push_back({.chain = chain});
          }
          groups.back().writes.push_back({chains_.place(txn), txn});
        }
      }
    }
    for (std::uint32_t value = 0; value < seen_.value_count(); ++value) {
      for (const std::uint32_t writer : seen_.writers_of(value)) {
        if (writer == Seen::kInitial) {
          placed_[value].push_back(writer);
        } else {
          values_of_[writer].push_back(value);
        }
      }
    }
  }

  void place_all() {
    for (std::uint32_t steps = 0; !ready_.empty(); ++steps) {
      if (steps % kTxnsBetweenQuestions == 0 && keep_going_ && !keep_going_()) {
        return;
      }
      const std::uint32_t txn = ready_.top().second;
      ready_.pop();
      if (serve(txn)) {
        put(txn);
      }
    }
  }

  [[nodiscard]] std::span<std::uint32_t> past(std::uint32_t txn) {
    return std::span(past_).subspan(std::size_t{txn} * chains_.count(), chains_.count());
  }

  /// Whether more is visible now.
  bool read_from(std::uint32_t writer, std::span<std::uint32_t> past_of_reader) {
    if (spread_ == Spread::kAll) {
      see(writer, past_of_reader);
      return true;
    }
    std::uint32_t& seen = past_of_reader[chains_.of(writer)];
    const bool is_more = seen < chains_.place(writer);
    seen = std::max(seen, chains_.place(writer));
    return is_more;
  }

  void see(std::uint32_t txn, std::span<std::uint32_t> past_of_reader) {
    const std::span<const std::uint32_t> other = past(txn);
    for (std::size_t i = 0; i < other.size(); ++i) {
      past_of_reader[i] = std::max(past_of_reader[i], other[i]);
    }
  }

  /// The last visible writer of the key in the order, or kNoWriter.
  [[nodiscard]] std::uint32_t last_visible(KeyId key, std::span<const std::uint32_t> past) const {
    std::uint32_t last = kNoWriter;
    for (const Group& group : writers_[key.index()]) {
      const auto end = std::ranges::lower_bound(group.writes, past[group.chain], {}, &Write::rank);
      if (end != group.writes.begin()) {
        const std::uint32_t txn = (end - 1)->txn;
        last = last == kNoWriter || place_[txn] > place_[last] ? txn : last;
      }
    }
    return last;
  }

  /// Finds writers for all reads of the transaction. If a read has none, the transaction waits for
  /// a writer that would serve it, if any is left.
  bool serve(std::uint32_t txn) {
    const std::span<std::uint32_t> now = past(txn);
    std::ranges::fill(now, 0);
    if (session_before_[txn] != kNoWriter) {
      see(session_before_[txn], now);
    }
    const std::span<const Seen> reads = seen_.reads(txn);
    for (std::uint32_t i = 0; i < reads.size(); ++i) {
      if (seen_.find_ambiguous(seen_.first_read(txn) + i) == nullptr && reads[i].is_of_txn()) {
        if (place_[reads[i].writer] == kNoWriter) {
          waiting_for_txn_[reads[i].writer].push_back(txn);
          return false;
        }
        read_from(reads[i].writer, now);
      }
    }
    return serve_ambiguous(txn, now);
  }

  /// The choice of one read can make a writer visible that another read passed over. That read then
  /// chooses again.
  bool serve_ambiguous(std::uint32_t txn, std::span<std::uint32_t> now) {
    const std::span<const Seen> reads = seen_.reads(txn);
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (std::uint32_t i = 0; i < reads.size(); ++i) {
        const auto* open = seen_.find_ambiguous(seen_.first_read(txn) + i);
        const std::uint32_t visible = last_visible(reads[i].key, now);
        if (open == nullptr) {
          if (visible != kNoWriter &&
              (!reads[i].is_of_txn() || place_[visible] > place_[reads[i].writer])) {
            return false;  // passed over: no later choice helps
          }
          continue;
        }
        const std::uint32_t writer = first_from(open->value, visible);
        if (writer == kNoWriter) {
          waiting_for_value_[open->value].push_back(txn);
          return false;
        }
        likely_[static_cast<std::size_t>(open - seen_.ambiguous().data())] = writer;
        if (writer != visible && writer != Seen::kInitial) {
          has_changed = read_from(writer, now) || has_changed;
        }
      }
    }
    return true;
  }

  /// The first writer of the value in the order that does not come before `visible`.
  [[nodiscard]] std::uint32_t first_from(std::uint32_t value, std::uint32_t visible) const {
    const std::vector<std::uint32_t>& writers = placed_[value];
    const auto first = std::ranges::lower_bound(
        writers, visible == kNoWriter ? 0 : place_[visible] + 1, {},
        [this](std::uint32_t writer) { return writer == Seen::kInitial ? 0 : place_[writer] + 1; });
    return first == writers.end() ? kNoWriter : *first;
  }

  /// Of a transaction that was served.
  template <class Visit>
  void each_source(std::uint32_t txn, Visit visit) const {
    const std::span<const Seen> reads = seen_.reads(txn);
    for (std::uint32_t i = 0; i < reads.size(); ++i) {
      const auto* open = seen_.find_ambiguous(seen_.first_read(txn) + i);
      const std::uint32_t writer =
          open == nullptr ? reads[i].writer
                          : likely_[static_cast<std::size_t>(open - seen_.ambiguous().data())];
      if (writer < Seen::kSeveral) {
        visit(writer);
      }
    }
  }

  /// At the end of the order.
  void put(std::uint32_t txn) {
    place_[txn] = next_place_++;
    const auto make_visible = [&](std::uint32_t writer) {
      std::uint32_t& seen = past(txn)[chains_.of(writer)];
      seen = std::max(seen, chains_.place(writer) + 1);
    };
    make_visible(txn);
    if (spread_ == Spread::kLater) {
      each_source(txn, make_visible);
    }
    const auto wake = [this](std::vector<std::uint32_t>& waiting) {
      for (const std::uint32_t t : waiting) {
        ready_.emplace(turn_[t], t);
      }
      waiting.clear();
    };
    for (const std::uint32_t value : values_of_[txn]) {
      placed_[value].push_back(txn);
      wake(waiting_for_value_[value]);
    }
    const auto waiting = waiting_for_txn_.find(txn);
    if (waiting != waiting_for_txn_.end()) {
      wake(waiting->second);
      waiting_for_txn_.erase(waiting);
    }
  }

  using Turn = std::pair<std::uint32_t, std::uint32_t>;  // and the transaction

  const Observations& seen_;
  Spread spread_;
  const std::function<bool()>& keep_going_;
  CausalChains chains_;
  std::vector<std::uint32_t> session_before_;  // by transaction
  std::vector<std::uint32_t> turn_;            // by transaction
  std::vector<std::uint32_t> place_;           // by transaction, in the order
  std::uint32_t next_place_ = 0;
  std::vector<std::uint32_t> past_;                    // clocks by transaction
  std::vector<std::vector<Group>> writers_;            // by key
  std::vector<std::vector<std::uint32_t>> values_of_;  // by transaction: left by it
  std::vector<std::vector<std::uint32_t>> placed_;     // by value: writers in the order
  std::vector<std::vector<std::uint32_t>> waiting_for_value_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> waiting_for_txn_;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> ready_;
  LikelyWriters likely_;
};

}  // namespace

LikelyWriters latest_writers(const Observations& seen) {
  LikelyWriters likely;
  likely.reserve(seen.ambiguous().size());
  for (const Observations::Ambiguous& open : seen.ambiguous()) {
    const std::span<const std::uint32_t> writers = seen.writers_of(open.value);
    auto at = std::ranges::lower_bound(writers, open.txn);
    while (at != writers.begin() && !seen.is_present(*(at - 1))) {
      --at;
    }
    const bool may_be_initial = writers.back() == Seen::kInitial;
    likely.push_back(at != writers.begin() ? *(at - 1)
                     : may_be_initial      ? Seen::kInitial
                                           : kNoWriter);
  }
  return likely;
}

LikelyWriters causal_writers(const Observations& seen, const std::function<bool()>& keep_going) {
  return CausalExecution(seen, Spread::kAll, keep_going).run();
}

LikelyWriters pram_writers(const Observations& seen, const std::function<bool()>& keep_going) {
  return CausalExecution(seen, Spread::kLater, keep_going).run();
}

bool choose_all(const LikelyWriters& writers, Observations& seen) {
  const std::span<const Observations::Ambiguous> open = seen.ambiguous();
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (seen.is_present(open[i].txn) && writers[i] == kNoWriter) {
      return false;
    }
    seen.choose(open[i].place, writers[i]);
  }
  return true;
}

}  // namespace elapid
