// Read atomic: T2 is visible to T3 if T3 read from it or, where the level has session order, T2
// comes before T3 in a session (Biswas and Enea, OOPSLA 2019, figure 2; without sessions: Cerone,
// Bernardi and Gotsman, CONCUR 2015).
//
// Of a session's earlier writers of a key, an edge from the last one suffices. For a transaction
// that was read from, its written keys are intersected with the reader's read keys, over the
// smaller side (Moldenhauer et al., "AWDIT", PLDI 2025).
#include <algorithm>

#include "engine/saturate/axioms.h"

namespace elapid {

namespace {

class ReadAtomic {
 public:
  ReadAtomic(const Observations& seen, ForcedEdges& out)
      : seen_(seen),
        out_(out),
        reader_of_(seen.txn_count(), Seen::kNoTxn),
        source_(seen.history().key_count()) {}

  void force_by_reads() {
    for (std::uint32_t t = 0; t < seen_.txn_count(); ++t) {
      if (seen_.is_present(t) && seen_.reads(t).size() > 1) {
        visit(t);
      }
    }
  }

  void force_by_sessions() {
    const History& history = seen_.history();
    std::vector<LastWriter> last(history.key_count());
    for (std::uint32_t s = 0; s < history.session_count(); ++s) {
      const std::span<const TxnId> session = history.session_txns({s});
      for (std::size_t i = 0; i < session.size(); ++i) {
        const TxnId txn = session[i];
        if (i + kAhead < session.size()) {
          __builtin_prefetch(seen_.reads(session[i + kAhead].value).data());
          __builtin_prefetch(seen_.written(session[i + kAhead].value).data());
        }
        if (!seen_.is_present(txn.value)) {
          continue;
        }
        for (const Seen& read : seen_.reads(txn.value)) {
          const LastWriter& before = last[read.key.index()];
          if (before.session == s && before.txn != read.writer) {
            out_.push_back({before.txn, read.writer});
          }
        }
        if (history.committed(txn)) {  // an indeterminate one may take effect later
          for (const KeyId key : seen_.written(txn.value)) {
            last[key.index()] = {s, txn.value};
          }
        }
      }
    }
  }

 private:
  struct LastWriter {
    std::uint32_t session = Seen::kNoTxn;
    std::uint32_t txn = Seen::kNoTxn;
  };

  /// The transaction from which the current reader read a key.
  struct Source {
    std::uint32_t reader = Seen::kNoTxn;
    std::uint32_t writer = Seen::kNoTxn;
  };

  static constexpr std::uint32_t kAhead = 4;  // transactions

  void visit(std::uint32_t reader) {
    const std::span<const Seen> reads = seen_.reads(reader);
    prefetch_written(reader + kAhead);
    for (const Seen& read : reads) {
      source_[read.key.index()] = {reader, read.writer};
    }
    for (const Seen& read : reads) {
      if (read.is_of_txn() && reader_of_[read.writer] != reader) {
        reader_of_[read.writer] = reader;
        intersect(reader, read.writer, reads);
      }
    }
  }

  /// Prefetches what the writers wrote, since these lie anywhere in the history.
  void prefetch_written(std::uint32_t reader) const {
    if (reader >= seen_.txn_count()) {
      return;
    }
    for (const Seen& read : seen_.reads(reader)) {
      if (read.is_of_txn()) {
        __builtin_prefetch(seen_.written(read.writer).data());
      }
    }
  }

  void intersect(std::uint32_t reader, std::uint32_t visible, std::span<const Seen> reads) {
    const std::span<const KeyId> written = seen_.written(visible);
    if (written.size() <= reads.size()) {
      for (const KeyId key : written) {
        const Source& source = source_[key.index()];
        if (source.reader == reader && source.writer != visible) {
          out_.push_back({visible, source.writer});
        }
      }
      return;
    }
    for (const Seen& read : reads) {
      if (read.writer != visible && std::ranges::binary_search(written, read.key)) {
        out_.push_back({visible, read.writer});
      }
    }
  }

  const Observations& seen_;
  ForcedEdges& out_;
  std::vector<std::uint32_t> reader_of_;  // by transaction: its last reader
  std::vector<Source> source_;            // by key
};

}  // namespace

void force_read_atomic(const Observations& seen, OrderLevel level, ForcedEdges& out) {
  ReadAtomic axiom(seen, out);
  axiom.force_by_reads();
  if (level.sessions) {
    axiom.force_by_sessions();
  }
}

}  // namespace elapid
