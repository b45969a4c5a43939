#include "engine/workloads/kafka/realtime_lag.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <vector>

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

/// The growth of each log, by key, with offsets and times ascending.
std::vector<std::vector<Growth>> growth_of_logs(const Messages& messages) {
  const History& history = messages.history();
  std::vector<std::vector<Growth>> logs(history.key_count());
  const std::vector<std::size_t> counts = messages.counts();
  for (std::size_t key = 0; key < counts.size(); ++key) {
    logs[key].reserve(counts[key]);
  }
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const auto time = history.event(txn, EventKind::kCompletion).time;
    if (history.status(txn) == TxnStatus::kAborted || !history.has_completion(txn) || !time) {
      continue;
    }
    messages.each_run(txn, [&](const Run& run) {
      std::vector<Growth>& log = logs[run.key.index()];
      std::int64_t end = log.empty() ? kNothing : log.back().offset;
      for (std::size_t i = 0; end < run.greatest_offset; ++i) {
        if (const std::int64_t offset = messages.offset(run, i); offset > end) {
          end = offset;
          log.push_back({offset, *time});
        }
      }
    });
  }
  return logs;
}

/// The offset up to which a process has seen a key, and the time at which the log was known to go
/// on.
struct Progress {
  KeyId key;
  std::int64_t seen = kNothing;
  std::optional<std::int64_t> expired = {};  ///< kNever: unknown; nothing: not computed
  std::ptrdiff_t place = 0;                  ///< in the log: entries before it are seen
};

class Consumer {
 public:
  explicit Consumer(const std::vector<std::vector<Growth>>& logs) : logs_(logs) {}

  void subscribe() { keys_.clear(); }

  void assign(std::span<const KeyId> keys) {
    std::erase_if(keys_, [&](const Progress& progress) {
      return std::ranges::find(keys, progress.key) == keys.end();
    });
    for (const KeyId key : keys) {
      see(key, kNothing);
    }
  }

  void see(KeyId key, std::int64_t offset) {
    auto known = std::ranges::find(keys_, key, &Progress::key);
    if (known == keys_.end()) {
      known = keys_.insert(known, {.key = key});
    }
    if (offset > known->seen) {
      known->seen = offset;
      known->expired.reset();
    }
  }

  [[nodiscard]] std::span<const Progress> keys() {
    for (Progress& progress : keys_) {
      if (!progress.expired) {
        progress.expired = expiry(progress);
      }
    }
    return keys_;
  }

 private:
  /// When the log was known to go beyond the offset seen. That place is mostly near the last one.
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

  const std::vector<std::vector<Growth>>& logs_;
  std::vector<Progress> keys_;
};

/// Applies what the operation shows to the consumer.
void follow(const Messages& messages, TxnId txn, Consumer& consumer) {
  switch (messages.function(txn)) {
    case Function::kSubscribe:
      consumer.subscribe();
      return;
    case Function::kAssign:
      consumer.assign(messages.assigned(txn));
      return;
    case Function::kPoll:
    case Function::kTxn:
      for (const KeyId key : messages.found_empty(txn)) {
        consumer.see(key, kNothing);
      }
      messages.each_run(txn, [&](const Run& run) {
        if (!run.is_send || run.greatest_offset != kNoOffset) {
          consumer.see(run.key, run.greatest_offset);
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
  const std::vector<std::vector<Growth>> logs = growth_of_logs(messages);
  std::vector<Consumer> consumers(history.session_count(), Consumer(logs));
  std::optional<Lag> worst;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (!history.committed(txn)) {
      continue;
    }
    Consumer& consumer = consumers[history.session(txn).index()];
    follow(messages, txn, consumer);
    const Function function = messages.function(txn);
    const auto begun = history.event(txn, EventKind::kInvocation).time;
    if ((function != Function::kPoll && function != Function::kTxn) || !begun) {
      continue;
    }
    for (const Progress& progress : consumer.keys()) {
      const std::int64_t lag = time_from(std::min(*progress.expired, *begun), *begun);
      if (!worst || lag > worst->ns) {
        worst = Lag{.txn = txn, .key = progress.key, .ns = lag};
      }
    }
  }
  return worst;
}

}  // namespace elapid::kafka
