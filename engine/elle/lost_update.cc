#include "engine/elle/lost_update.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>

namespace elapid::elle {

namespace {

/// A transaction that read a version of a key and then wrote the key.
struct Update {
  KeyId key;
  std::uint64_t version;  // the read's kind and payload
  TxnId txn;
  std::uint32_t mop;  // the read
};

/// Of a key in the transaction at hand.
struct Touched {
  TxnId txn;
  std::uint32_t read = 0;  // the first
  bool has_read = false;
  bool is_counted = false;
};

std::uint64_t version_read(Op read) {
  constexpr std::uint64_t kListBit = std::uint64_t{1} << 32;
  return read.kind() == OpKind::kReadList ? kListBit | read.list().bits() : read.value().bits();
}

std::vector<Update> updates_of(const History& history) {
  std::vector<Update> updates;
  std::vector<Touched> touched(history.key_count());
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::span<const Op> ops =
        history.committed({t}) ? history.ops({t}) : std::span<const Op>();
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      Touched& of_key = touched[ops[mop].key().index()];
      if (of_key.txn != TxnId{t}) {
        of_key = {{t}};
      }
      if (ops[mop].is_read() && !of_key.has_read) {
        of_key.has_read = true;
        of_key.read = mop;
      } else if (ops[mop].is_write() && of_key.has_read && !of_key.is_counted) {
        of_key.is_counted = true;
        updates.push_back({ops[mop].key(), version_read(ops[of_key.read]), {t}, of_key.read});
      }
    }
  }
  return updates;
}

}  // namespace

void find_lost_updates(const History& history, std::vector<Anomaly>& out) {
  std::vector<Update> updates = updates_of(history);
  std::sort(updates.begin(), updates.end(), [](const Update& a, const Update& b) {
    return std::tie(a.key, a.version, a.txn) < std::tie(b.key, b.version, b.txn);
  });
  for (auto first = updates.begin(); first != updates.end();) {
    const auto end = std::find_if(first, updates.end(), [first](const Update& update) {
      return update.key != first->key || update.version != first->version;
    });
    if (end - first > 1) {
      LostUpdateEvidence lost{.key = first->key, .txns = {}, .mop = first->mop};
      std::for_each(first, end, [&lost](const Update& update) { lost.txns.push_back(update.txn); });
      out.push_back({AnomalyType::kLostUpdate, std::move(lost)});
    }
    first = end;
  }
}

}  // namespace elapid::elle
