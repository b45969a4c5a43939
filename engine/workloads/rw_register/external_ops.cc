#include "engine/workloads/rw_register/external_ops.h"

namespace elapid {

ExternalOps::ExternalOps(const History& history) {
  constexpr std::uint32_t kUntouched = 0xffffffffU;
  std::vector<std::uint32_t> entry_of(history.key_count(),
                                      kUntouched);  // by key, of the transaction at hand
  begin_.reserve(history.txn_count() + 1);
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::uint32_t begin = begin_.back();
    for (const Op op : history.ops({t})) {
      std::uint32_t& entry = entry_of[op.key().index()];
      if (entry == kUntouched || entry < begin) {
        entry = static_cast<std::uint32_t>(ops_.size());
        ExternalOp& external = ops_.emplace_back(ExternalOp{.key = op.key()});
        const bool unknown = op.value().is_nil() && !history.committed({t});
        if (op.kind() == OpKind::kRead && !unknown) {
          external.read = op.value();
        }
      }
      if (op.kind() == OpKind::kWrite) {
        ops_[entry].write = op.value();
      }
    }
    begin_.push_back(static_cast<std::uint32_t>(ops_.size()));
  }
}

}  // namespace elapid
