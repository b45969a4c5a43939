#include "engine/timestamps/maybe_writes.h"

#include <algorithm>
#include <span>

namespace elapid {

namespace {

std::uint64_t packed(KeyId key, ValueId value) {
  return std::uint64_t{key.value} << 32 | value.bits();
}

}  // namespace

MaybeWrites::MaybeWrites(const History& history, const Timeline& timeline) {
  const auto add = [this](std::span<const Op> ops) {
    for (const Op op : ops) {
      if (op.is_write()) {
        writes_.push_back(packed(op.key(), op.value()));
      }
    }
  };
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (timeline.placement({t}) != Placement::kUnknown) {
      continue;
    }
    add(history.ops({t}));
    if (const auto invoked = history.differing_invocation({t})) {
      add(*invoked);
    }
  }
  std::ranges::sort(writes_);
}

bool MaybeWrites::contains(KeyId key, ValueId value) const {
  return std::ranges::binary_search(writes_, packed(key, value));
}

}  // namespace elapid
