#include "adapter/follow/certainty.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/rows/rows.h"
#include "engine/rows/text.h"

namespace elapid {

namespace {

class FactFinder {
 public:
  explicit FactFinder(const History& history)
      : history_(history), first_unwritten_(history.key_count(), kNone) {}

  PrefixFacts find() {
    const HistoryInfo& info = history_.info();
    facts_.has_event_order = info.has_real_time && !info.is_session_trace;
    if (info.rows) {
      facts_.has_rows = true;
      find_row_writes(*info.rows);
      return facts_;
    }
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
    return !history_.is_initial(value) && !written_.contains(name(key, value));
  }

  void find_writes() {
    for (const Op op : history_.all_ops()) {
      if (op.is_write()) {
        facts_.has_writes = true;
        const bool is_first = written_.insert(name(op.key(), op.value())).second;
        const bool is_initial = op.kind() == OpKind::kWrite && history_.is_initial(op.value());
        facts_.repeats_values |= is_initial || !is_first;
      }
    }
    for (TxnId txn{0}; txn.value < history_.txn_count(); ++txn.value) {
      facts_.lacks_invocations |=
          facts_.has_event_order && history_.has_completion(txn) && !history_.has_invocation(txn);
      if (const auto invoked = history_.differing_invocation(txn)) {
        facts_.changes_operations |= history_.status(txn) != TxnStatus::kAborted;
        note_invoked(*invoked);
      }
    }
  }

  static std::size_t count_writes(const rows::Rows& rows, std::span<const Op> ops) {
    return static_cast<std::size_t>(
        std::ranges::count_if(ops, [&](Op op) { return !rows.op(op).is_read(); }));
  }

  /// The writes as they were invoked: operations of the reader that belong to no transaction.
  [[nodiscard]] std::unordered_set<std::string, SeededHash> invoked_writes(
      const rows::Rows& rows) const {
    std::vector<bool> is_done(rows.ops().size());
    for (const Op op : history_.all_ops()) {
      is_done[static_cast<std::size_t>(op.value().as_integer())] = true;
    }
    std::unordered_set<std::string, SeededHash> invoked;
    for (std::size_t i = 0; i < is_done.size(); ++i) {
      if (!is_done[i] && !rows.ops()[i].is_read()) {
        const ValueId number = ValueId::integer(static_cast<std::int64_t>(i));
        invoked.insert(rows::text_as_asked(history_, {OpKind::kRow, KeyId{0}, number}));
      }
    }
    return invoked;
  }

  void find_row_writes(const rows::Rows& rows) {
    const auto invoked = invoked_writes(rows);
    for (TxnId txn{0}; txn.value < history_.txn_count(); ++txn.value) {
      const std::span<const Op> ops = history_.ops(txn);
      const std::size_t writes = count_writes(rows, ops);
      facts_.has_writes |= writes > 0;
      if (txn == history_.info().initial_txn || history_.status(txn) == TxnStatus::kAborted) {
        continue;
      }
      if (!history_.has_completion(txn)) {
        facts_.changes_operations |= ops.empty();  // its operations are still unknown
      } else if (writes > 0) {
        const auto differing = history_.differing_invocation(txn);
        facts_.changes_operations |=
            !history_.has_invocation(txn) ||
            (differing && count_writes(rows, *differing) != writes) ||
            !std::ranges::all_of(ops, [&](Op op) {
              return rows.op(op).is_read() || invoked.contains(rows::text_as_asked(history_, op));
            });
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
    EventId oldest_open = EventId::none();  // greater than every event
    EventId last_reader = {0};
    for (TxnId txn{0}; txn.value < history_.txn_count(); ++txn.value) {
      if (!history_.has_completion(txn)) {
        oldest_open = std::min(oldest_open, history_.invocation_id(txn));
      } else if (history_.status(txn) != TxnStatus::kAborted && reads_unwritten(txn)) {
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

bool demands_real_time(Model level) {
  const std::optional<OrderLevel> order = order_level(level);
  return level == Model::kLinearizable || (order && order->real_time);
}

/// Whether no later transaction comes before one that has completed.
bool has_real_time(Model level, const PrefixFacts& facts) {
  return facts.has_event_order && !facts.lacks_invocations && demands_real_time(level);
}

/// Whether the history does what it is trusted to do, whatever real time tells.
bool is_trusted(Model level, const PrefixFacts& facts) {
  return !facts.changes_operations && (!facts.repeats_values || has_real_time(level, facts));
}

}  // namespace

PrefixFacts facts_of(const History& history) {
  return FactFinder(history).find();
}

bool keeps_trust(Model level, const PrefixFacts& facts) {
  return is_trusted(level, facts) && !(facts.lacks_invocations && demands_real_time(level));
}

bool is_certain(Model level, const PrefixFacts& facts) {
  const ModelSet models = ModelSet{level};
  const bool forbids_aborted = prohibited(models, {}).test(AnomalyType::kG1a);
  if (!facts.has_writes || !forbids_aborted || !is_trusted(level, facts)) {
    return false;
  }
  const bool values_tell = !facts.has_rows && !facts.repeats_values && !facts.reads_unwritten;
  return values_tell || (has_real_time(level, facts) && !facts.unwritten_is_recent);
}

}  // namespace elapid
