#include "adapter/follow/certainty.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

namespace elapid {

namespace {

class FactFinder {
 public:
  explicit FactFinder(const History& history)
      : history_(history), first_unwritten_(history.key_count(), kNone) {}

  PrefixFacts find() {
    const HistoryInfo& info = history_.info();
    facts_.has_event_order = info.has_real_time && !info.is_session_trace;
    find_writes();
    for (std::uint32_t key = 0; key < history_.key_count(); ++key) {
      const auto trunk = history_.trunk({key});
      const auto unwritten = std::ranges::find_if(
          trunk, [&](ValueId element) { return is_unwritten({key}, element); });
      if (unwritten != trunk.end()) {
        first_unwritten_[key] = static_cast<std::uint32_t>(unwritten - trunk.begin());
      }
    }
    find_reads();
    return facts_;
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  static std::uint64_t name(KeyId key, ValueId value) {
    return std::uint64_t{key.value} << 32 | value.bits();
  }

  [[nodiscard]] bool is_unwritten(KeyId key, ValueId value) const {
    const bool is_initial = value.is_nil() || value == history_.info().initial;
    return !is_initial && !written_.contains(name(key, value));
  }

  void find_writes() {
    for (const Op op : history_.all_ops()) {
      if (op.is_write()) {
        facts_.has_writes = true;
        facts_.repeats_values |= !written_.insert(name(op.key(), op.value())).second;
      }
    }
    for (TxnId txn{0}; txn.value < history_.txn_count(); ++txn.value) {
      if (const auto invoked = history_.differing_invocation(txn)) {
        facts_.changes_operations |= history_.status(txn) != TxnStatus::kAborted;
        note_invoked(*invoked);
      }
    }
  }

  void note_invoked(std::span<const Op> ops) {
    for (const Op op : ops) {
      if (op.is_write()) {
        written_.insert(name(op.key(), op.value()));
      }
    }
  }

  void find_reads() {
    EventId oldest_open = EventId::none();  // which is larger than any
    EventId last_reader = {0};
    for (TxnId txn{0}; txn.value < history_.txn_count(); ++txn.value) {
      if (!history_.has_completion(txn)) {
        oldest_open = std::min(oldest_open, history_.invocation_id(txn));
      } else if (history_.committed(txn) && reads_unwritten(txn)) {
        facts_.reads_unwritten = true;
        last_reader = std::max(last_reader, history_.completion_id(txn));
      }
    }
    facts_.unwritten_is_recent = facts_.reads_unwritten && oldest_open < last_reader;
  }

  [[nodiscard]] bool reads_unwritten(TxnId txn) const {
    return std::ranges::any_of(history_.ops(txn), [this](Op op) {
      if (op.kind() != OpKind::kReadList) {
        return op.kind() == OpKind::kRead && is_unwritten(op.key(), op.value());
      }
      if (op.list().is_prefix()) {
        return op.list().length() > first_unwritten_[op.key().index()];
      }
      return std::ranges::any_of(history_.elements(op),
                                 [&](ValueId element) { return is_unwritten(op.key(), element); });
    });
  }

  const History& history_;
  PrefixFacts facts_;
  std::unordered_set<std::uint64_t, SeededHash> written_;
  std::vector<std::uint32_t> first_unwritten_;  // by key: place in its trunk
};

}  // namespace

PrefixFacts facts_of(const History& history) {
  return FactFinder(history).find();
}

bool is_certain(Model level, const PrefixFacts& facts) {
  const ModelSet models = ModelSet{level};
  const bool forbids_aborted = prohibited(models, {}).test(AnomalyType::kG1a);
  if (!facts.has_writes || facts.changes_operations || !forbids_aborted) {
    return false;
  }
  const std::optional<OrderLevel> order = order_level(level);
  const bool has_real_time = facts.has_event_order && order && order->real_time;
  return (!facts.repeats_values && !facts.reads_unwritten) ||
         (has_real_time && !facts.unwritten_is_recent);
}

}  // namespace elapid
