#include "engine/workloads/kafka/fates.h"

namespace elapid::kafka {

Fates::Fates(const Messages& messages)
    : writers_(messages.count()),
      first_readers_(messages.count()),
      is_polled_(messages.count()),
      is_acknowledged_(messages.count()),
      is_refused_(messages.count()),
      has_committed_(messages.history().txn_count()) {
  const History& history = messages.history();
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const TxnStatus status = history.status(txn);
    const bool is_ok = status == TxnStatus::kCommitted;
    messages.each(txn, [&](const Sight& sight) {
      const std::size_t m = sight.message.index();
      if (sight.is_send) {
        writers_[m] = txn;
        is_acknowledged_[m] = is_acknowledged_[m] || is_ok;
        is_refused_[m] = is_refused_[m] || status == TxnStatus::kAborted;
      } else {
        first_readers_[m] = first_readers_[m].is_none() ? txn : first_readers_[m];
        is_polled_[m] = is_polled_[m] || is_ok;
      }
    });
  }
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    bool shows = history.committed(txn);
    if (history.status(txn) == TxnStatus::kIndeterminate) {
      messages.each(txn, [&](const Sight& sight) {
        shows = shows || (sight.is_send && is_polled_[sight.message.index()]);
      });
    }
    has_committed_[txn.index()] = shows;
  }
}

}  // namespace elapid::kafka
