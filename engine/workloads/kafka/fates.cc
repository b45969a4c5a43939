#include "engine/workloads/kafka/fates.h"

#include <algorithm>

namespace elapid::kafka {

Fates::Fates(const Messages& messages, bool has_retries)
    : writers_(messages.count()),
      first_readers_(messages.count()),
      marks_(messages.count()),
      has_committed_(messages.history().txn_count()) {
  const History& history = messages.history();
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const TxnStatus status = history.status(txn);
    messages.each_run(txn, [&](const Run& run) {
      run.is_send ? send(run, txn, status, has_retries)
                  : poll(run, txn, status == TxnStatus::kCommitted);
    });
  }
  for (std::uint8_t& marks : marks_) {
    marks &= has_retries && (marks & kSent) != 0 ? 0xff - kRefused : 0xff;
  }
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    bool shows = history.committed(txn);
    if (history.status(txn) == TxnStatus::kIndeterminate) {
      messages.each_run(txn, [&](const Run& run) {
        shows = shows || (run.is_send && std::ranges::any_of(run.messages, [&](MessageId message) {
                            return is_polled(message) && !is_sent_again(message);
                          }));
      });
    }
    has_committed_[txn.index()] = shows;
  }
}

inline void Fates::send(const Run& run, TxnId txn, TxnStatus status, bool has_retries) {
  const bool is_ok = status == TxnStatus::kCommitted;
  const bool has_failed = status == TxnStatus::kAborted;
  const std::uint8_t mark = is_ok        ? kTried | kAcknowledged | kSent
                            : has_failed ? kTried | kRefused
                                         : kTried | kSent;
  for (const MessageId message : run.messages) {
    const bool is_weaker = has(message, kAcknowledged) ? !is_ok : has_failed;
    if (!(has_retries && is_weaker && has(message, kSent))) {
      writers_[message.index()] = txn;
    }
    const bool is_again = has_retries && (mark & kSent) != 0 && has(message, kSent);
    marks_[message.index()] |= is_again ? mark | kSentAgain : mark;
    if (is_again) {
      ++send_counts_.try_emplace(message, 1).first->second;
    }
  }
}

inline void Fates::poll(const Run& run, TxnId txn, bool is_ok) {
  const std::uint8_t mark = (is_ok ? kPolled : 0) | (run.offsets == nullptr ? kShown : 0);
  const std::span<std::uint8_t> marks = marks_;
  const std::span<TxnId> first_readers = first_readers_;
  for (const MessageId message : run.messages) {
    marks[message.index()] |= mark;
    if (first_readers[message.index()].is_none()) {
      first_readers[message.index()] = txn;
    }
  }
}

}  // namespace elapid::kafka
