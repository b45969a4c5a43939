#include "engine/workloads/kafka/realtime_lag.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/int_map.h"

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
struct Logs {
  std::vector<std::vector<Growth>> by_key;
  bool have_ascending_times = true;
};

Logs growth_of_logs(const Messages& messages) {
  const History& history = messages.history();
  std::vector<std::vector<Growth>> logs(history.key_count());
  bool do_times_ascend = true;
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
          do_times_ascend = do_times_ascend && (log.empty() || log.back().time <= *time);
          log.push_back({offset, *time});
        }
      }
    });
  }
  return {std::move(logs), do_times_ascend};
}

/// The offset up to which a process has seen a key, and the time at which the log was known to go
/// on.
struct Progress {
  KeyId key;
  std::int64_t seen = kNothing;
  bool has_advanced = true;  ///< since `expired` was found: it may be later now
  std::int64_t expired = std::numeric_limits<std::int64_t>::min();  ///< kNever: that is not known
  std::ptrdiff_t place = 0;  ///< in the log: nothing before it is beyond `seen`
};

/// The order of keys, by their numbers. One that has advanced expires then, or later, if the times
/// of logs ascend.
struct Later {
  const std::vector<Progress>& keys;

  bool operator()(std::uint32_t a, std::uint32_t b) const {
    return std::pair(keys[a].expired, a) > std::pair(keys[b].expired, b);
  }
};

class Consumer {
 public:
  explicit Consumer(const Logs& logs) : logs_(logs) {}

  void subscribe() { keep({}); }

  void assign(std::span<const KeyId> keys) {
    keep(keys);
    for (const KeyId key : keys) {
      see(key, kNothing);
    }
  }

  void see(KeyId key, std::int64_t offset) {
    const auto fresh = static_cast<std::uint32_t>(keys_.size());
    const std::uint32_t number = number_.find_or_add(key.value, fresh);
    if (number == fresh) {
      add({.key = key});
    }
    Progress& known = keys_[number];
    if (offset > known.seen) {
      known.seen = offset;
      known.has_advanced = true;
    }
  }

  /// The key that expired first; of several, or if all expire after `time`, the one that the
  /// consumer knew first. Null if it knows none.
  [[nodiscard]] const Progress* oldest(std::int64_t time) {
    if (keys_.empty()) {
      return nullptr;
    }
    const Progress& first = logs_.have_ascending_times ? first_by_queue() : first_of_all();
    return first.expired < time ? &first : keys_.data();
  }

 private:
  const Progress& first_by_queue() {
    while (keys_[queue_.front()].has_advanced) {
      std::ranges::pop_heap(queue_, Later{keys_});
      update(keys_[queue_.back()]);
      std::ranges::push_heap(queue_, Later{keys_});
    }
    return keys_[queue_.front()];
  }

  const Progress& first_of_all() {
    for (Progress& progress : keys_) {
      update(progress);
    }
    return *std::ranges::min_element(keys_, {}, &Progress::expired);
  }

  void update(Progress& progress) const {
    if (progress.has_advanced) {
      progress.expired = expiry(progress);
      progress.has_advanced = false;
    }
  }

  /// Forgets all but these keys.
  void keep(std::span<const KeyId> keys) {
    const std::vector<Progress> known = std::exchange(keys_, {});
    number_ = {};
    queue_.clear();
    for (const Progress& progress : known) {
      if (std::ranges::find(keys, progress.key) != keys.end()) {
        number_.find_or_add(progress.key.value, static_cast<std::uint32_t>(keys_.size()));
        add(progress);
      }
    }
  }

  void add(const Progress& progress) {
    queue_.push_back(static_cast<std::uint32_t>(keys_.size()));
    keys_.push_back(progress);
    std::ranges::push_heap(queue_, Later{keys_});
  }

  /// When the log was known to go beyond what was seen. That place is mostly near the last one.
  [[nodiscard]] std::int64_t expiry(Progress& progress) const {
    const std::vector<Growth>& log = logs_.by_key[progress.key.index()];
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

  const Logs& logs_;
  std::vector<Progress> keys_;
  IntMap number_;  // of a key
  std::vector<std::uint32_t>
      queue_;  // numbers of keys, a heap: the one that expired first in front
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
  const Logs logs = growth_of_logs(messages);
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
    if (const Progress* oldest = consumer.oldest(*begun)) {
      const std::int64_t lag = time_from(std::min(oldest->expired, *begun), *begun);
      if (!worst || lag > worst->ns) {
        worst = Lag{.txn = txn, .key = oldest->key, .ns = lag};
      }
    }
  }
  return worst;
}

}  // namespace elapid::kafka
