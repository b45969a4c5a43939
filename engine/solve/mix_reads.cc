#include "engine/solve/mix_reads.h"

#include <algorithm>

namespace elapid {

namespace {

ReadRules rules_of(OrderLevel level) {
  ReadRules rules = read_rules(level);
  rules.repeatable_if_written = level.visibility == Visibility::kCursor;
  return rules;
}

/// The reads of values that their transaction writes too, after it read them. If other
/// transactions wrote none of these values, no transaction left them behind.
class OwnLaterWrites {
 public:
  explicit OwnLaterWrites(const History& history) : history_(history) {}

  void add_to(TxnId txn, std::span<const OthersRead> reads, std::vector<ReadAt>& suspects) {
    written_.clear();
    for (const Op op : history_.ops(txn)) {
      if (op.is_write()) {
        written_.push_back(packed(op.key(), op.value()));
      }
    }
    std::ranges::sort(written_);
    for (const OthersRead& read : reads) {
      if (std::ranges::binary_search(written_, packed(read.key, read.value))) {
        suspects.push_back({txn, read.mop});
      }
    }
  }

 private:
  const History& history_;
  std::vector<std::uint64_t> written_;  // by the current transaction
};

}  // namespace

MixReads::MixReads(const History& history, const TxnLevels& levels)
    : is_contradictory_(history.txn_count(), false) {
  begin_.reserve(history.txn_count() + 1);
  TxnReader reader(history);
  OwnLaterWrites own(history);
  std::vector<ReadAt> suspects;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.status(txn) != TxnStatus::kAborted && !levels.reads_anything(txn)) {
      reader.read(txn, rules_of(levels.of(txn)));
      reads_.insert(reads_.end(), reader.reads().begin(), reader.reads().end());
      if (reader.contradiction()) {
        is_contradictory_[txn.index()] = true;
        if (history.committed(txn)) {
          anomalies_.push_back({AnomalyType::kInternal, *reader.contradiction()});
        }
      }
      for (const std::uint32_t mop : reader.tolerated()) {
        suspects.push_back({txn, mop});
      }
      own.add_to(txn, reader.reads(), suspects);
    }
    begin_.push_back(count());
  }
  has_odd_reads_ = reader.has_odd_reads();
  find_impossible(history, suspects);
}

void MixReads::find_impossible(const History& history, std::span<const ReadAt> suspects) {
  std::vector<BadRead> bad = impossible_reads(history, history.has_lists(), suspects);
  std::erase_if(bad, [&](const BadRead& read) {
    const bool is_open = !history.committed(read.reader);
    is_contradictory_[read.reader.index()] = is_contradictory_[read.reader.index()] || is_open;
    return is_open;
  });
  has_unnamed_ = !explain_bad_reads(history, history.has_lists(), bad, anomalies_);
}

}  // namespace elapid
