#include "engine/evidence/version_reasons.h"

#include <algorithm>
#include <utility>

namespace elapid {
namespace {

/// Puts the operations of preferred transactions in front; returns how many there are.
std::size_t prefer(std::span<const TxnId> preferred, std::vector<OpRef>& ops) {
  const auto others = std::ranges::stable_partition(
      ops, [&](OpRef op) { return std::ranges::find(preferred, op.txn) != preferred.end(); });
  return ops.size() - others.size();
}

}  // namespace

VersionReasons::VersionReasons(const History& history, const Assumptions& assumptions)
    : history_(history), assumptions_(assumptions) {
  std::ranges::sort(assumptions_.transaction_order);
}

std::optional<VersionReason> VersionReasons::find(KeyId key, ValueId before, ValueId after,
                                                  std::span<const TxnId> preferred) {
  if (touches_.empty()) {
    collect();
  }
  std::vector<OpRef> earlier = that_left(key, before);
  std::vector<OpRef> later = that_met(key, after);
  const std::size_t preferred_count = prefer(preferred, earlier);
  prefer(preferred, later);
  const Firsts firsts = firsts_of(earlier);
  earlier.resize(preferred_count);
  for (const OpRef second : later) {
    std::vector<OpRef> candidates = earlier;
    candidates.push_back(firsts.of_session[history_.session(second.txn).index()]);
    candidates.push_back(firsts.completed);
    candidates.push_back(firsts.placed);
    for (const OpRef first : candidates) {
      if (const auto source = order_of(first, second)) {
        return VersionReason{.source = *source, .earlier = first, .later = second};
      }
    }
  }
  return within_one(key, before, after);
}

void VersionReasons::collect() {
  touches_.resize(history_.key_count());
  for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
    if (history_.status(txn) != TxnStatus::kAborted) {
      note(txn);
    }
  }
}

void VersionReasons::note(TxnId txn) {
  const std::span<const Op> ops = history_.ops(txn);
  for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
    std::vector<Touch>& of_key = touches_[ops[mop].key().index()];
    const bool is_first = of_key.empty() || of_key.back().txn != txn;
    if (is_first) {
      of_key.push_back({.txn = txn});
    }
    if (ops[mop].kind() == OpKind::kWrite) {
      of_key.back().write = mop;
    } else if (is_first && ops[mop].kind() == OpKind::kRead && history_.committed(txn)) {
      of_key.back().read = mop;
    }
  }
}

bool VersionReasons::is_initial(KeyId key, ValueId value) {
  if (!initial_written_) {
    initial_written_.emplace(history_.key_count(), false);
    for (const Op op : history_.all_ops()) {
      if (op.is_write() && history_.is_initial(op.value())) {
        (*initial_written_)[op.key().index()] = true;
      }
    }
  }
  return history_.is_initial(value) && !(*initial_written_)[key.index()];
}

bool VersionReasons::shows(TxnId txn, std::optional<std::uint32_t> mop, ValueId version) {
  if (!mop) {
    return false;
  }
  const Op op = history_.ops(txn)[*mop];
  return op.value() == version ||
         (is_initial(op.key(), op.value()) && is_initial(op.key(), version));
}

/// The operations of committed transactions behind which the key held the version.
std::vector<OpRef> VersionReasons::that_left(KeyId key, ValueId version) {
  std::vector<OpRef> found;
  for (const Touch& touch : touches_[key.index()]) {
    const std::optional<std::uint32_t> last = touch.write ? touch.write : touch.read;
    if (history_.committed(touch.txn) && shows(touch.txn, last, version)) {
      found.push_back({touch.txn, *last});
    }
  }
  return found;
}

/// The operations that read the version or wrote it.
std::vector<OpRef> VersionReasons::that_met(KeyId key, ValueId version) {
  std::vector<OpRef> found;
  for (const Touch& touch : touches_[key.index()]) {
    for (const std::optional<std::uint32_t> mop : {touch.read, touch.write}) {
      if (shows(touch.txn, mop, version)) {
        found.push_back({touch.txn, *mop});
      }
    }
  }
  return found;
}

/// The earliest of `left`. Each later operation that follows one of `left` follows one of these.
VersionReasons::Firsts VersionReasons::firsts_of(std::span<const OpRef> left) const {
  Firsts firsts = {.of_session = std::vector<OpRef>(history_.session_count())};
  const auto keep = [](OpRef op, OpRef& first, auto value_of) {
    if (first.txn.is_none() || value_of(op) < value_of(first)) {
      first = op;
    }
  };
  for (const OpRef op : left) {
    keep(op, firsts.of_session[history_.session(op.txn).index()], [](OpRef of) { return of.txn; });
    keep(op, firsts.completed, [&](OpRef of) { return history_.completion_id(of.txn); });
    if (place(op)) {
      keep(op, firsts.placed, [&](OpRef of) { return place(of); });
    }
  }
  return firsts;
}

/// The place that the order of transactions gives to this write.
std::optional<std::int64_t> VersionReasons::place(OpRef write) const {
  if (!history_.committed(write.txn) || !history_.ops(write.txn)[write.mop].is_write()) {
    return std::nullopt;
  }
  const auto& order = assumptions_.transaction_order;
  const std::int64_t index = history_.representative(write.txn).index;
  const auto found =
      std::ranges::lower_bound(order, index, {}, &std::pair<std::int64_t, std::int64_t>::first);
  return found != order.end() && found->first == index ? std::optional(found->second)
                                                       : std::nullopt;
}

std::optional<VersionSource> VersionReasons::order_of(OpRef first, OpRef second) const {
  if (first.txn.is_none() || first.txn == second.txn) {
    return std::nullopt;
  }
  if (assumptions_.sequential_keys && first.txn < second.txn &&
      history_.session(first.txn) == history_.session(second.txn)) {
    return VersionSource::kSequentialKeys;
  }
  if (assumptions_.linearizable_keys && history_.info().has_real_time &&
      history_.has_invocation(second.txn) &&
      history_.completion_id(first.txn) < history_.invocation_id(second.txn)) {
    return VersionSource::kLinearizableKeys;
  }
  const auto before = place(first);
  const auto after = place(second);
  return before && after && *before < *after ? std::optional(VersionSource::kTransactionOrder)
                                             : std::nullopt;
}

/// A transaction that read the one version and wrote the other.
std::optional<VersionReason> VersionReasons::within_one(KeyId key, ValueId before, ValueId after) {
  for (const Touch& touch : touches_[key.index()]) {
    if (assumptions_.wfr_keys && history_.committed(touch.txn) &&
        shows(touch.txn, touch.read, before) && shows(touch.txn, touch.write, after)) {
      return VersionReason{.source = VersionSource::kWfrKeys,
                           .earlier = {touch.txn, *touch.read},
                           .later = {touch.txn, *touch.write}};
    }
  }
  return std::nullopt;
}

}  // namespace elapid
