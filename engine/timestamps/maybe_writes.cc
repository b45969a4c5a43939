#include "engine/timestamps/maybe_writes.h"

#include <algorithm>

namespace elapid {

MaybeWrites::MaybeWrites(const History& history, const Timeline& timeline) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (timeline.placement({t}) != Placement::kUnknown) {
      continue;
    }
    for (const Op op : history.ops({t})) {
      if (op.is_write()) {
        writes_.push_back(packed(op.key(), op.value()));
      }
    }
  }
  std::ranges::sort(writes_);
}

bool MaybeWrites::contains(KeyId key, ValueId value) const {
  return std::ranges::binary_search(writes_, packed(key, value));
}

}  // namespace elapid
