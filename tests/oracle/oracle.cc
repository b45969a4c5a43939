#include "tests/oracle/oracle.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace elapid {

namespace {

/// By key: the elements of a list; of a register its value, or nothing while it is nil.
using State = std::vector<std::vector<ValueId>>;

/// Looks for a commit order of a fixed set of transactions.
class CommitOrders {
 public:
  CommitOrders(const History& history, OracleLevel level, std::vector<TxnId> txns)
      : history_(history), level_(level), txns_(std::move(txns)) {
    states_.emplace_back(history.key_count());
  }

  /// Whether the transactions committed so far can be followed by all others. As deep as there are
  /// transactions.
  bool can_finish() {
    if (committed_.size() == txns_.size()) {
      return true;
    }
    for (const TxnId txn : txns_) {
      if (is_committed(txn) || !can_commit(txn)) {
        continue;
      }
      committed_.push_back(txn);
      states_.push_back(states_.back());
      for (const Op op : ops(txn)) {
        write(op, states_.back());
      }
      if (can_finish()) {
        return true;
      }
      committed_.pop_back();
      states_.pop_back();
    }
    return false;
  }

 private:
  /// What the transaction did: as it completed, or, where that is not certain, as it was invoked.
  [[nodiscard]] std::span<const Op> ops(TxnId txn) const {
    const auto invoked = history_.differing_invocation(txn);
    return invoked && !history_.committed(txn) ? *invoked : history_.ops(txn);
  }

  [[nodiscard]] bool is_committed(TxnId txn) const {
    return std::find(committed_.begin(), committed_.end(), txn) != committed_.end();
  }

  /// Whether `txn` may commit next: some snapshot explains its reads.
  [[nodiscard]] bool can_commit(TxnId txn) const {
    for (std::size_t seen = 0; seen <= committed_.size(); ++seen) {
      if (is_snapshot(txn, seen) && reads_agree(txn, states_[seen])) {
        return true;
      }
    }
    return false;
  }

  /// Whether `txn` may see the first `seen` commits only.
  [[nodiscard]] bool is_snapshot(TxnId txn, std::size_t seen) const {
    if (level_.snapshot == OracleSnapshot::kLatest && seen < committed_.size()) {
      return false;
    }
    const std::span<const TxnId> visible = std::span(committed_).first(seen);
    const std::span<const TxnId> missed = std::span(committed_).subspan(seen);
    const auto is_visible = [&](TxnId other) {
      return std::find(visible.begin(), visible.end(), other) != visible.end();
    };
    return std::all_of(
               txns_.begin(), txns_.end(),
               [&](TxnId other) { return !must_precede(other, txn) || is_visible(other); }) &&
           std::none_of(missed.begin(), missed.end(),
                        [&](TxnId other) { return write_same_key(other, txn); });
  }

  [[nodiscard]] bool must_precede(TxnId a, TxnId b) const {
    if (a == b || !history_.committed(a)) {
      return false;
    }
    if (a == history_.info().initial_txn || level_.order == OracleOrder::kNone) {
      return a == history_.info().initial_txn;
    }
    if (level_.order == OracleOrder::kSession) {
      return history_.session(a) == history_.session(b) && a < b;
    }
    return history_.has_invocation(b) && history_.completion_id(a) < history_.invocation_id(b);
  }

  [[nodiscard]] bool write_same_key(TxnId a, TxnId b) const {
    for (const Op mine : ops(a)) {
      for (const Op other : ops(b)) {
        if (mine.is_write() && other.is_write() && mine.key() == other.key()) {
          return true;
        }
      }
    }
    return false;
  }

  [[nodiscard]] bool reads_agree(TxnId txn, State state) const {
    for (const Op op : ops(txn)) {
      if (op.is_read() && !read_agrees(txn, op, state[op.key().index()])) {
        return false;
      }
      write(op, state);
    }
    return true;
  }

  [[nodiscard]] bool read_agrees(TxnId txn, Op read, const std::vector<ValueId>& expected) const {
    if (read.kind() == OpKind::kReadList) {
      const std::span<const ValueId> elements = history_.elements(read);
      return std::equal(elements.begin(), elements.end(), expected.begin(), expected.end());
    }
    if (read.value().is_nil()) {
      return expected.empty() || !history_.committed(txn);
    }
    if (read.value() == history_.info().initial && expected.empty()) {
      return true;
    }
    return expected == std::vector{read.value()};
  }

  static void write(Op op, State& state) {
    std::vector<ValueId>& value = state[op.key().index()];
    if (op.kind() == OpKind::kAppend) {
      value.push_back(op.value());
    } else if (op.kind() == OpKind::kWrite) {
      value.assign(1, op.value());
    }
  }

  const History& history_;
  OracleLevel level_;
  std::vector<TxnId> txns_;
  std::vector<TxnId> committed_;
  std::vector<State> states_;  // after the first 0, 1, ... commits
};

std::vector<TxnId> txns_of(const History& history, TxnStatus status) {
  std::vector<TxnId> txns;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.status({t}) == status) {
      txns.push_back({t});
    }
  }
  return txns;
}

}  // namespace

bool holds(const History& history, OracleLevel level) {
  const std::vector<TxnId> certain = txns_of(history, TxnStatus::kCommitted);
  const std::vector<TxnId> possible = txns_of(history, TxnStatus::kIndeterminate);
  for (std::size_t subset = 0; subset < std::size_t{1} << possible.size(); ++subset) {
    std::vector<TxnId> txns = certain;
    for (std::size_t i = 0; i < possible.size(); ++i) {
      if ((subset >> i & 1) != 0) {
        txns.push_back(possible[i]);
      }
    }
    if (CommitOrders(history, level, std::move(txns)).can_finish()) {
      return true;
    }
  }
  return false;
}

}  // namespace elapid
