#include "engine/infer/lost_update.h"

#include <algorithm>
#include <tuple>

namespace elapid {

namespace {

constexpr std::uint64_t kListBit = std::uint64_t{1} << 32;

class Collector {
 public:
  Collector(const History& history, const std::function<bool(Op read)>& ambiguous)
      : history_(history), ambiguous_(ambiguous), seen_(history.key_count()) {}

  std::vector<VersionUpdate> run() {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (history_.committed({t})) {
        collect({t});
      }
    }
    return std::move(updates_);
  }

 private:
  enum class Phase : std::uint8_t { kUntouched, kRead, kDone };

  struct Seen {
    std::uint32_t txn = TxnId::none().value;
    std::uint32_t mop = 0;
    Phase phase = Phase::kUntouched;
  };

  void collect(TxnId txn) {
    const std::span<const Op> ops = history_.ops(txn);
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      const Op op = ops[mop];
      Seen& seen = seen_[op.key().index()];
      if (seen.txn != txn.value) {
        seen = {txn.value, mop, Phase::kUntouched};
      }
      if (op.is_read() && seen.phase == Phase::kUntouched) {
        seen.mop = mop;
        seen.phase = Phase::kRead;
      } else if (op.is_write()) {
        if (seen.phase == Phase::kRead && !ambiguous_(ops[seen.mop])) {
          updates_.push_back({op.key(), version(ops[seen.mop]), txn, seen.mop});
        }
        seen.phase = Phase::kDone;
      }
    }
  }

  /// The initial state has two names: of registers nil too, of lists nil and the empty list.
  [[nodiscard]] std::uint64_t version(Op read) const {
    if (read.kind() == OpKind::kReadList || !history_.is_initial(read.value())) {
      return version_read(read);
    }
    return has_lists_ ? kListBit : ValueId::nil().bits();
  }

  const History& history_;
  const std::function<bool(Op read)>& ambiguous_;
  bool has_lists_ = history_.has_lists();
  std::vector<Seen> seen_;  // by key, of the transaction at hand
  std::vector<VersionUpdate> updates_;
};

}  // namespace

std::uint64_t version_read(Op read) {
  return read.kind() == OpKind::kReadList ? kListBit | read.list().bits() : read.value().bits();
}

void append_lost_updates(std::vector<VersionUpdate> updates, std::vector<Anomaly>& out) {
  std::ranges::sort(updates, {}, [](const VersionUpdate& update) {
    return std::tuple(update.key, update.version, update.txn);
  });
  for (auto first = updates.begin(); first != updates.end();) {
    const auto end = std::find_if(first, updates.end(), [first](const VersionUpdate& update) {
      return update.key != first->key || update.version != first->version;
    });
    if (end - first > 1) {
      LostUpdateEvidence lost{.key = first->key, .txns = {}, .mop = first->mop};
      for (auto update = first; update != end; ++update) {
        lost.txns.push_back(update->txn);
      }
      out.push_back({AnomalyType::kLostUpdate, std::move(lost)});
    }
    first = end;
  }
}

std::vector<Anomaly> lost_updates(const History& history,
                                  const std::function<bool(Op read)>& ambiguous) {
  std::vector<Anomaly> anomalies;
  append_lost_updates(Collector(history, ambiguous).run(), anomalies);
  return anomalies;
}

}  // namespace elapid
