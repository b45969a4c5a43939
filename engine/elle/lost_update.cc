#include "engine/elle/lost_update.h"

#include <cstdint>
#include <span>

#include "engine/infer/lost_update.h"

namespace elapid::elle {

namespace {

/// How the current transaction touched a key.
struct Touched {
  TxnId txn;
  std::uint32_t read = 0;  // the first
  bool has_read = false;
  bool is_counted = false;
};

std::vector<VersionUpdate> updates_of(const History& history) {
  std::vector<VersionUpdate> updates;
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
  append_lost_updates(updates_of(history), out);
}

}  // namespace elapid::elle
