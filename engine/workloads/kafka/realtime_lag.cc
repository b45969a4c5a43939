#include "engine/workloads/kafka/realtime_lag.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/workloads/kafka/by_session_and_key.h"

namespace elapid::kafka {

namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kNothing = kNoOffset;  // before the first offset

/// The time at which a log was first known to reach an offset.
struct Growth {
  std::int64_t offset = 0;
  std::int64_t time = 0;
};

/// The time from `earlier` to `later`, or kNever if it needs more than 64 bits.
std::int64_t time_from(std::int64_t earlier, std::int64_t later) {
  std::int64_t span = 0;
  return __builtin_sub_overflow(later, earlier, &span) ? kNever : span;
}

/// The growth of each log, by key, with offsets ascending.
using Logs = std::vector<std::vector<Growth>>;

Logs growth_of_logs(const Messages& messages) {
  const History& history = messages.history();
  Logs logs(history.key_count());
  const std::vector<std::size_t> counts = messages.counts();
  for (std::size_t key = 0; key < counts.size(); ++key) {
    logs[key].reserve(counts[key]);
  }
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.status(txn) == TxnStatus::kAborted || !history.has_completion(txn)) {
      continue;
    }
    messages.each_run(txn, [&](const Run& run) {
      std::vector<Growth>& log = logs[run.key.index()];
      const std::int64_t end = log.empty() ? kNothing : log.back().offset;
      if (const std::int64_t offset = messages.greatest_offset(run); offset > end) {
        if (const auto time = history.event(txn, EventKind::kCompletion).time) {
          log.push_back({offset, *time});
        }
      }
    });
  }
  return logs;
}

/// The worst lag; of several, that of the first operation, at the key that its process knew first.
class WorstLag {
 public:
  /// `number`: the place of the key among those that the process came to know.
  void offer(const Lag& lag, std::uint32_t number) {
    if (!lag_ || lag.ns > lag_->ns ||
        (lag.ns == lag_->ns && lag.ns > 0 &&
         std::pair(lag.txn, number) < std::pair(lag_->txn, number_))) {
      lag_ = lag;
      number_ = number;
    }
  }

  [[nodiscard]] const std::optional<Lag>& get() const { return lag_; }

 private:
  std::optional<Lag> lag_;
  std::uint32_t number_ = 0;
};

/// The offset up to which a process has seen a key.
struct Progress {
  KeyId key;
  std::uint32_t number = 0;  ///< see WorstLag
  TxnId since;               ///< the operation from which on it has seen that
  std::int64_t seen = kNothing;
  std::ptrdiff_t place = 0;  ///< in the log: nothing before it is beyond `seen`
};

/// A process. While it sees no more of a key, its last poll lags most.
class Consumer {
 public:
  /// By consumer and key: the place in keys_, if that has the key.
  using Places = BySessionAndKey<std::uint32_t>;

  Consumer(SessionId session, const Logs& logs, Places& places, WorstLag& worst)
      : session_(session), logs_(logs), places_(places), worst_(worst) {}

  void subscribe() { keep({}); }

  void assign(std::span<const KeyId> keys, TxnId txn) {
    keep(keys);
    for (const KeyId key : keys) {
      see(key, kNothing, txn);
    }
  }

  void see(KeyId key, std::int64_t offset, TxnId txn) {
    std::uint32_t& place = places_.of(session_, key);
    if (place >= keys_.size() || keys_[place].key != key) {
      place = static_cast<std::uint32_t>(keys_.size());
      keys_.push_back({.key = key, .number = known_++, .since = txn, .seen = offset});
    } else if (Progress& progress = keys_[place]; offset > progress.seen) {
      judge(progress);
      progress.seen = offset;
      progress.since = txn;
    }
  }

  /// Notes a poll, after what it saw.
  void poll(TxnId txn, std::int64_t begun) {
    if (keys_.empty()) {
      return;
    }
    if (!worst_.get()) {
      worst_.offer({.txn = txn, .key = keys_.front().key, .ns = 0}, 0);
    }
    while (!polls_.empty() && polls_.back().begun < begun) {
      polls_.pop_back();
    }
    polls_.push_back({txn, begun});
  }

  void finish() {
    std::ranges::for_each(keys_, [this](Progress& key) { judge(key); });
  }

 private:
  struct Poll {
    TxnId txn;
    std::int64_t begun = 0;
  };

  /// Offers the worst lag of the key while it was seen so far and no further.
  void judge(Progress& progress) {
    const auto last = std::ranges::lower_bound(polls_, progress.since, {}, &Poll::txn);
    if (last != polls_.end()) {
      const std::int64_t from = std::min(expiry(progress), last->begun);
      worst_.offer({.txn = last->txn, .key = progress.key, .ns = time_from(from, last->begun)},
                   progress.number);
    }
  }

  /// Forgets all but these keys.
  void keep(std::span<const KeyId> keys) {
    std::vector<Progress> known = std::exchange(keys_, {});
    for (Progress& progress : known) {
      if (std::ranges::find(keys, progress.key) != keys.end()) {
        places_.of(session_, progress.key) = static_cast<std::uint32_t>(keys_.size());
        keys_.push_back(progress);
      } else {
        judge(progress);
      }
    }
  }

  /// When the log was known to go beyond what was seen; kNever if that is not known. The place is
  /// mostly near the last one.
  [[nodiscard]] std::int64_t expiry(Progress& progress) const {
    const std::vector<Growth>& log = logs_[progress.key.index()];
    auto from = log.begin() + progress.place;
    std::ptrdiff_t step = 1;
    for (; step < log.end() - from && from[step].offset <= progress.seen; step *= 2) {
      from += step;
    }
    const auto to = from + std::min(step, log.end() - from);
    const auto next = std::ranges::upper_bound(from, to, progress.seen, {}, &Growth::offset);
    progress.place = next - log.begin();
    return next == log.end() ? kNever : next->time;
  }

  SessionId session_;
  const Logs& logs_;
  Places& places_;
  WorstLag& worst_;
  std::vector<Progress> keys_;
  std::uint32_t known_ = 0;
  std::vector<Poll> polls_;  // each began later than those after it, or with them
};

/// Applies what the operation shows to the consumer.
void follow(const Messages& messages, TxnId txn, Consumer& consumer) {
  switch (messages.function(txn)) {
    case Function::kSubscribe:
      consumer.subscribe();
      return;
    case Function::kAssign:
      consumer.assign(messages.assigned(txn), txn);
      return;
    case Function::kPoll:
    case Function::kTxn:
      for (const KeyId key : messages.found_empty(txn)) {
        consumer.see(key, kNothing, txn);
      }
      messages.each_run(txn, [&](const Run& run) {
        const std::int64_t greatest = messages.greatest_offset(run);
        if (!run.is_send || greatest != kNoOffset) {
          consumer.see(run.key, greatest, txn);
        }
      });
      return;
    default:
      return;
  }
}

}  // namespace

std::optional<Lag> worst_realtime_lag(const Messages& messages) {
  const History& history = messages.history();
  const Logs logs = growth_of_logs(messages);
  WorstLag worst;
  Consumer::Places places(history);
  std::vector<Consumer> consumers;
  consumers.reserve(history.session_count());
  for (SessionId session{0}; session.index() < history.session_count(); ++session.value) {
    consumers.emplace_back(session, logs, places, worst);
  }
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (!history.committed(txn)) {
      continue;
    }
    Consumer& consumer = consumers[history.session(txn).index()];
    follow(messages, txn, consumer);
    const Function function = messages.function(txn);
    if (function != Function::kPoll && function != Function::kTxn) {
      continue;
    }
    if (const auto begun = history.event(txn, EventKind::kInvocation).time) {
      consumer.poll(txn, *begun);
    }
  }
  std::ranges::for_each(consumers, &Consumer::finish);
  return worst.get();
}

}  // namespace elapid::kafka
