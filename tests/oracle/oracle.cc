#include "tests/oracle/oracle.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace elapid {

namespace {

/// By key: the elements of a list; of a register its value, or nothing before the first write.
using State = std::vector<std::vector<ValueId>>;

enum class Progress : std::uint8_t { kWaiting, kStarted, kCommitted };

/// What a transaction met of a key, by the number of the version: 0 is the initial state.
struct Meeting {
  TxnId txn;
  KeyId key;
  std::size_t version = 0;
  bool is_write = false;
  friend auto operator<=>(const Meeting&, const Meeting&) = default;
};

/// All that matters of an execution so far for what can follow.
struct Situation {
  std::vector<Progress> progress;  // by transaction
  State state;
  std::vector<std::size_t> versions = {};  // by key; under assumptions about keys
  std::vector<Meeting> meetings = {};
  std::set<std::pair<std::size_t, std::vector<ValueId>>> past = {};  // states that keys had
  friend auto operator<=>(const Situation&, const Situation&) = default;
};

void write(Op op, State& state) {
  std::vector<ValueId>& value = state[op.key().index()];
  if (op.kind() == OpKind::kAppend) {
    value.push_back(op.value());
  } else if (op.kind() == OpKind::kWrite) {
    value.assign(1, op.value());
  }
}

class Executions {
 public:
  Executions(const History& history, const TxnLevels& levels, const Assumptions& assumptions)
      : history_(history), levels_(levels), assumptions_(assumptions) {
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      if (history.status(txn) != TxnStatus::kAborted) {
        txns_.push_back(txn);
      }
    }
  }

  [[nodiscard]] bool any() {
    Situation first = {std::vector(history_.txn_count(), Progress::kWaiting),
                       State(history_.key_count()),
                       std::vector<std::size_t>(history_.key_count(), 0)};
    remember(first);
    return can_finish(first);
  }

 private:
  /// Whether all committed transactions commit in some continuation. As deep as there are events.
  bool can_finish(const Situation& now) {
    if (binds_keys() && !keeps_key_orders(now)) {
      return false;
    }
    if (is_finished(now)) {
      return true;
    }
    if (!visited_.insert(now).second) {
      return false;
    }
    const auto free = std::find_if(txns_.begin(), txns_.end(), [&](TxnId txn) {
      return !binds_keys() && hinders_no_other(txn, now) && is_possible(txn, now);
    });
    if (free != txns_.end()) {
      return can_finish(after(*free, now));
    }
    return std::any_of(txns_.begin(), txns_.end(), [&](TxnId txn) {
      return is_possible(txn, now) && can_finish(after(txn, now));
    });
  }

  /// Whether the transaction's next event may as well come at once as later: what follows a start
  /// that keeps no other from starting, or a commit of no writes, was possible before it.
  [[nodiscard]] bool hinders_no_other(TxnId txn, const Situation& now) const {
    const bool is_start_of_prefix =
        visibility(txn) == Visibility::kPrefix && now.progress[txn.index()] == Progress::kWaiting;
    return is_start_of_prefix || std::ranges::none_of(ops(txn), &Op::is_write);
  }

  [[nodiscard]] bool is_finished(const Situation& now) const {
    return std::all_of(txns_.begin(), txns_.end(), [&](TxnId txn) {
      return now.progress[txn.index()] == Progress::kCommitted || !history_.committed(txn);
    });
  }

  /// Whether the next event may be the transaction's next.
  [[nodiscard]] bool is_possible(TxnId txn, const Situation& now) const {
    switch (now.progress[txn.index()]) {
      case Progress::kWaiting:
        return may_start(txn, now) && reads_agree(txn, now) &&
               (has_two_events(visibility(txn)) || may_commit(txn, now));
      case Progress::kStarted:
        return may_commit(txn, now);
      default:
        return false;
    }
  }

  [[nodiscard]] Situation after(TxnId txn, const Situation& now) const {
    Situation next = now;
    Progress& progress = next.progress[txn.index()];
    const bool commits = !has_two_events(visibility(txn)) || progress == Progress::kStarted;
    progress = commits ? Progress::kCommitted : Progress::kStarted;
    if (binds_keys()) {
      meet(txn, now.progress[txn.index()] == Progress::kWaiting, commits, next);
    }
    for (const Op op : commits ? ops(txn) : std::span<const Op>()) {
      write(op, next.state);
    }
    remember(next);
    return next;
  }

  [[nodiscard]] Visibility visibility(TxnId txn) const { return levels_.of(txn).visibility; }

  /// Only reads that may be of any former state need to know these.
  void remember(Situation& now) const {
    const bool is_needed =
        levels_.any([](OrderLevel level) { return level.visibility == Visibility::kNothing; });
    for (std::size_t key = 0; key < now.state.size() && is_needed; ++key) {
      now.past.emplace(key, now.state[key]);
    }
  }

  [[nodiscard]] bool may_start(TxnId txn, const Situation& now) const {
    return std::none_of(txns_.begin(), txns_.end(), [&](TxnId other) {
      const Progress progress = now.progress[other.index()];
      const bool is_in_vain =  // neither could commit any more
          progress == Progress::kStarted && visibility(txn) == Visibility::kSnapshot &&
          visibility(other) == Visibility::kSnapshot && write_same_key(other, txn);
      return is_in_vain || (progress != Progress::kCommitted && must_precede(other, txn));
    });
  }

  /// No other transaction that writes one of its keys is on its way at a level that forbids it.
  [[nodiscard]] bool may_commit(TxnId txn, const Situation& now) const {
    return std::none_of(txns_.begin(), txns_.end(), [&](TxnId other) {
      return other != txn && now.progress[other.index()] == Progress::kStarted &&
             visibility(other) == Visibility::kSnapshot && write_same_key(other, txn);
    });
  }

  [[nodiscard]] bool must_precede(TxnId a, TxnId b) const {
    if (a == b || !history_.committed(a)) {
      return false;
    }
    const bool in_session = history_.session(a) == history_.session(b) && a < b;
    const bool in_real_time = history_.info().has_real_time && history_.has_invocation(b) &&
                              history_.completion_id(a) < history_.invocation_id(b);
    return a == history_.info().initial_txn || (levels_.of(b).sessions && in_session) ||
           (levels_.of(b).real_time && in_real_time);
  }

  [[nodiscard]] bool write_same_key(TxnId a, TxnId b) const {
    return std::ranges::any_of(ops(a), [&](Op mine) {
      return mine.is_write() && std::ranges::any_of(ops(b), [&](Op other) {
               return other.is_write() && other.key() == mine.key();
             });
    });
  }

  [[nodiscard]] bool reads_agree(TxnId txn, const Situation& now) const {
    if (visibility(txn) != Visibility::kNothing) {
      return reads_agree_with(txn, now.state);
    }
    return std::ranges::all_of(ops(txn), [&](Op op) {
      return !op.is_read() || std::ranges::any_of(now.past, [&](const auto& former) {
        return former.first == op.key().index() && read_agrees(txn, op, former.second);
      });
    });
  }

  [[nodiscard]] bool reads_agree_with(TxnId txn, State state) const {
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
      return std::ranges::equal(history_.elements(read), expected);
    }
    if (read.value().is_nil() && !history_.committed(txn)) {
      return true;
    }
    if (expected.empty()) {
      return read.value().is_nil() || read.value() == history_.info().initial;
    }
    return expected == std::vector{read.value()};
  }

  [[nodiscard]] std::span<const Op> ops(TxnId txn) const { return history_.ops(txn); }

  [[nodiscard]] bool binds_keys() const {
    return assumptions_.sequential_keys || assumptions_.linearizable_keys ||
           !assumptions_.transaction_order.empty();
  }

  /// Notes the versions that the transaction meets in this event: of each key the first read before
  /// any write, and what it writes. A read of a list shows what was there before its own appends.
  void meet(TxnId txn, bool starts, bool commits, Situation& next) const {
    std::set<KeyId> met;
    for (const Op op : starts ? ops(txn) : std::span<const Op>()) {
      const bool is_known = !op.is_read() || !op.value().is_nil() || history_.committed(txn);
      if (op.kind() != OpKind::kAppend && is_known && met.insert(op.key()).second && op.is_read()) {
        next.meetings.push_back({txn, op.key(), next.versions[op.key().index()], false});
      }
    }
    met.clear();
    for (const Op op : commits ? ops(txn) : std::span<const Op>()) {
      if (op.is_write() && met.insert(op.key()).second) {
        next.meetings.push_back({txn, op.key(), ++next.versions[op.key().index()], true});
      }
    }
    std::ranges::sort(next.meetings);
  }

  [[nodiscard]] bool keeps_key_orders(const Situation& now) const {
    return std::ranges::all_of(now.meetings, [&](const Meeting& a) {
      return std::ranges::all_of(now.meetings, [&](const Meeting& b) {
        if (a.key != b.key || a.txn == b.txn) {
          return true;
        }
        const bool is_older = b.is_write ? b.version <= a.version : b.version < a.version;
        return !is_older || !(precedes_on_keys(a.txn, b.txn) ||
                              (a.is_write && b.is_write && precedes_as_given(a.txn, b.txn)));
      });
    });
  }

  [[nodiscard]] bool precedes_on_keys(TxnId a, TxnId b) const {
    const bool in_session = history_.session(a) == history_.session(b) && a < b;
    const bool in_real_time = history_.info().has_real_time && history_.has_invocation(b) &&
                              history_.committed(a) &&
                              history_.completion_id(a) < history_.invocation_id(b);
    return history_.committed(a) && ((assumptions_.sequential_keys && in_session) ||
                                     (assumptions_.linearizable_keys && in_real_time));
  }

  [[nodiscard]] bool precedes_as_given(TxnId a, TxnId b) const {
    const auto place = [this](TxnId txn) {
      const auto found =
          std::ranges::find(assumptions_.transaction_order, history_.representative(txn).index,
                            [](const auto& entry) { return entry.first; });
      return found == assumptions_.transaction_order.end() || !history_.committed(txn)
                 ? std::nullopt
                 : std::optional(found->second);
    };
    return place(a) && place(b) && *place(a) < *place(b);
  }

  const History& history_;
  TxnLevels levels_;
  Assumptions assumptions_;
  std::vector<TxnId> txns_;  // those that may commit
  std::set<Situation> visited_;
};

}  // namespace

bool holds(const History& history, const TxnLevels& levels, const Assumptions& assumptions) {
  return Executions(history, levels, assumptions).any();
}

}  // namespace elapid
