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
    const bool is_ok = status == TxnStatus::kCommitted;
    const bool has_failed = status == TxnStatus::kAborted;
    messages.each_run(txn, [&](const Run& run) {
      const std::uint8_t mark = !run.is_send ? (is_ok ? kPolled : 0)
                                : is_ok      ? kAcknowledged | kSent
                                : has_failed ? kRefused
                                             : kSent;
      for (const MessageId message : run.messages) {
        TxnId& first_reader = first_readers_[message.index()];
        const bool is_weaker = has(message, kAcknowledged) ? !is_ok : has_failed;
        if (run.is_send && !(has_retries && is_weaker && has(message, kSent))) {
          writers_[message.index()] = txn;
        } else if (!run.is_send && first_reader.is_none()) {
          first_reader = txn;
        }
        const bool is_again = has_retries && (mark & kSent) != 0 && has(message, kSent);
        marks_[message.index()] |= is_again ? mark | kSentAgain : mark;
        if (is_again) {
          ++send_counts_.try_emplace(message, 1).first->second;
        }
      }
    });
  }
  for (std::uint8_t& marks : marks_) {
    marks &= has_retries && (marks & kSent) != 0 ? kPolled | kAcknowledged | kSentAgain : 0xff;
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

}  // namespace elapid::kafka
