#include "engine/elle/register_ops.h"

namespace elapid::elle {

namespace {

/// The operations of a completion that counts.
std::span<const Op> possible_ops(const History& history, TxnId txn) {
  const bool is_possible =
      history.has_completion(txn) && history.status(txn) != TxnStatus::kAborted;
  return is_possible ? history.ops(txn) : std::span<const Op>();
}

}  // namespace

RegisterOps::RegisterOps(const History& history) {
  constexpr std::uint32_t kUntouched = 0xffffffffU;
  std::vector<std::uint32_t> entry_of(history.key_count(), kUntouched);  // by key
  const auto value_of = [initial = history.info().initial](Op op) {
    return op.value() == initial ? ValueId::nil() : op.value();
  };
  begin_.reserve(history.txn_count() + 1);
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::uint32_t begin = begin_.back();
    for (const Op op : possible_ops(history, {t})) {
      std::uint32_t& entry = entry_of[op.key().index()];
      const bool is_first = entry == kUntouched || entry < begin;
      if (is_first) {
        entry = static_cast<std::uint32_t>(ops_.size());
        ops_.push_back({.key = op.key()});
      }
      const bool is_external = is_first || !history.values().truthy(history.key_value(op.key()));
      if (op.is_write()) {
        ops_[entry].write = value_of(op);
      } else if (is_external && history.committed({t})) {
        ops_[entry].read = value_of(op);
      }
    }
    begin_.push_back(static_cast<std::uint32_t>(ops_.size()));
  }
}

}  // namespace elapid::elle
