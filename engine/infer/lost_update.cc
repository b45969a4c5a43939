#include "engine/infer/lost_update.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace elapid {

namespace {

/// A transaction that updated a version it had read.
struct Update {
  KeyId key;
  std::uint64_t version;  // the read's kind and payload
  TxnId txn;
  std::uint32_t mop;  // the read
};

class Collector {
 public:
  Collector(const History& history, const std::function<bool(Op read)>& ambiguous)
      : history_(history), ambiguous_(ambiguous), seen_(history.key_count()) {}

  std::vector<Update> run() {
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

  [[nodiscard]] std::uint64_t version(Op read) const {
    constexpr std::uint64_t kListBit = std::uint64_t{1} << 32;
    if (read.kind() == OpKind::kReadList) {
      return kListBit | read.list().bits();
    }
    const bool is_empty_list = has_lists_ && read.value().is_nil();
    return is_empty_list ? kListBit : read.value().bits();
  }

  const History& history_;
  const std::function<bool(Op read)>& ambiguous_;
  bool has_lists_ = std::any_of(history_.all_ops().begin(), history_.all_ops().end(),
                                [](Op op) { return op.kind() == OpKind::kAppend; });
  std::vector<Seen> seen_;  // by key, of the transaction at hand
  std::vector<Update> updates_;
};

}  // namespace

std::vector<Anomaly> lost_updates(const History& history,
                                  const std::function<bool(Op read)>& ambiguous) {
  std::vector<Update> updates = Collector(history, ambiguous).run();
  std::sort(updates.begin(), updates.end(), [](const Update& a, const Update& b) {
    return std::tie(a.key, a.version, a.txn) < std::tie(b.key, b.version, b.txn);
  });
  std::vector<Anomaly> anomalies;
  for (std::size_t begin = 0; begin < updates.size();) {
    std::size_t end = begin + 1;
    while (end < updates.size() && updates[end].key == updates[begin].key &&
           updates[end].version == updates[begin].version) {
      ++end;
    }
    if (end - begin > 1) {
      LostUpdateEvidence lost{.key = updates[begin].key, .txns = {}, .mop = updates[begin].mop};
      for (std::size_t i = begin; i < end; ++i) {
        lost.txns.push_back(updates[i].txn);
      }
      anomalies.push_back({AnomalyType::kLostUpdate, std::move(lost)});
    }
    begin = end;
  }
  return anomalies;
}

}  // namespace elapid
