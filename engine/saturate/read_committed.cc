// Read committed: T2 is visible to a read of T3 if an earlier operation of T3 read from T2 (Biswas
// and Enea, OOPSLA 2019, figure 2). Without session order this is monotonic atomic view (Bailis et
// al., "Highly Available Transactions", VLDB 2014): once something of T2 was seen, all of it is.
//
// The reads of each transaction are visited backwards, with the keys read later and the writers of
// these reads. At the first read from T2, these keys are intersected with the keys that T2 wrote,
// over the smaller side (Moldenhauer et al., "AWDIT", PLDI 2025, gives bound and matching lower
// bound). For the reads of one key, the first two different writers suffice: the edges to later
// writers follow from these by the same axiom.
#include <algorithm>

#include "engine/saturate/axioms.h"

namespace elapid {

namespace {

class ReadCommitted {
 public:
  ReadCommitted(const Observations& seen, OrderLevel level, ForcedEdges& out)
      : seen_(seen),
        level_(level),
        out_(out),
        first_reader_(seen.txn_count(), Seen::kNoTxn),
        later_(seen.history().key_count()) {}

  void run() {
    for (std::uint32_t t = 0; t < seen_.txn_count(); ++t) {
      if (seen_.is_present(t) && seen_.reads(t).size() > 1) {
        visit(t);
      }
    }
  }

 private:
  /// The writers of a key's later reads: the first two different ones.
  struct Later {
    std::uint32_t reader = Seen::kNoTxn;
    std::uint32_t first = Seen::kNoTxn;
    std::uint32_t second = Seen::kNoTxn;
  };

  void visit(std::uint32_t reader) {
    const std::span<const Seen> reads = seen_.reads(reader);
    is_first_.assign(reads.size(), false);
    for (std::size_t i = 0; i < reads.size(); ++i) {
      if (reads[i].is_of_txn() && first_reader_[reads[i].writer] != reader) {
        first_reader_[reads[i].writer] = reader;
        is_first_[i] = true;
      }
    }
    keys_.clear();
    for (std::size_t i = reads.size(); i-- > 0;) {
      if (is_first_[i]) {
        intersect(reader, reads[i].writer);
      }
      note(reader, reads[i]);
    }
  }

  void note(std::uint32_t reader, const Seen& read) {
    Later& later = later_[read.key.index()];
    if (later.reader != reader) {
      later = {reader, read.writer, Seen::kNoTxn};
      keys_.push_back(read.key);
    } else if (later.first != read.writer) {
      later.second = later.first;
      later.first = read.writer;
    }
  }

  void intersect(std::uint32_t reader, std::uint32_t visible) {
    const std::span<const KeyId> written = seen_.written(visible);
    if (written.size() <= keys_.size()) {
      for (const KeyId key : written) {
        if (later_[key.index()].reader == reader) {
          force(visible, later_[key.index()]);
        }
      }
      return;
    }
    for (const KeyId key : keys_) {
      if (std::ranges::binary_search(written, key)) {
        force(visible, later_[key.index()]);
      }
    }
  }

  void force(std::uint32_t visible, const Later& later) {
    const std::uint32_t writer = later.first != visible ? later.first : later.second;
    const bool follows_already = level_.sessions && writer != Seen::kInitial &&
                                 writer != Seen::kNoTxn && seen_.is_in_session(visible, writer);
    if (writer != Seen::kNoTxn && !follows_already) {
      out_.push_back({visible, writer});
    }
  }

  const Observations& seen_;
  OrderLevel level_;
  ForcedEdges& out_;
  std::vector<std::uint32_t> first_reader_;  // by transaction: its last reader
  std::vector<Later> later_;                 // by key
  std::vector<KeyId> keys_;                  // of later_, of the current reader
  std::vector<bool> is_first_;               // by read of the current reader
};

}  // namespace

void force_read_committed(const Observations& seen, OrderLevel level, ForcedEdges& out) {
  ReadCommitted(seen, level, out).run();
}

}  // namespace elapid
