#include "harness/story/schedule.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "engine/graph/chain_order.h"

namespace elapid {

namespace {

using Node = ChainOrder::Node;

/// An operation by its place.
struct OpAt {
  TxnId txn;
  std::uint32_t mop = 0;
};

class StoryScheduler {
 public:
  StoryScheduler(const History& history, const std::vector<Step>& steps)
      : history_(history), steps_(steps), graph_(moments(history)) {}

  std::vector<StoryMoment> run() {
    add_orders();
    if (history_.txn_count() <= kMaxTxns) {
      find_writes();
      add_reads();
      add_missed_writes();
      add_steps();
      add_overlaps();
    }
    return in_order();
  }

 private:
  static constexpr std::size_t kMaxTxns = 64;

  /// The number of moments of each transaction.
  static std::vector<std::size_t> moments(const History& history) {
    std::vector<std::size_t> counts;
    for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
      counts.push_back(1 + history.ops({t}).size() + (history.has_completion({t}) ? 1U : 0U));
    }
    return counts;
  }

  [[nodiscard]] Node begin(TxnId txn) const { return graph_.node(txn.index(), 0); }

  [[nodiscard]] Node op(OpAt at) const { return graph_.node(at.txn.index(), 1 + at.mop); }

  /// The last moment, unless it is an end.
  [[nodiscard]] Node last(TxnId txn) const { return graph_.last(txn.index()); }

  void add_orders() {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      const TxnId initial = history_.info().initial_txn;
      if (!initial.is_none() && initial != TxnId{t}) {
        graph_.must(last(initial), begin({t}));
      }
    }
    for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
      const std::span<const TxnId> txns = history_.session_txns({s});
      for (std::size_t i = 1; i < txns.size(); ++i) {
        const bool follow =
            history_.info().is_session_trace || history_.has_completion(txns[i - 1]);
        if (follow) {
          graph_.must(last(txns[i - 1]), begin(txns[i]));
        }
      }
    }
    for_each_pair([this](TxnId a, TxnId b) {
      if (precedes(a, b)) {
        graph_.must(last(a), begin(b));
      }
    });
  }

  template <class Visit>
  void for_each_pair(Visit visit) const {
    if (!history_.info().has_real_time || history_.txn_count() > kMaxTxns * kMaxTxns) {
      return;
    }
    for (std::uint32_t a = 0; a < history_.txn_count(); ++a) {
      for (std::uint32_t b = 0; b < history_.txn_count(); ++b) {
        if (a != b) {
          visit(TxnId{a}, TxnId{b});
        }
      }
    }
  }

  [[nodiscard]] bool precedes(TxnId a, TxnId b) const {
    return history_.has_completion(a) && history_.has_invocation(b) &&
           history_.completion_id(a) < history_.invocation_id(b) &&
           (history_.info().is_session_trace || history_.status(a) != TxnStatus::kIndeterminate);
  }

  void find_writes() {
    for_each_op([this](OpAt at, Op op) {
      if (op.is_write()) {
        writes_.emplace_back(at, op);
      }
    });
  }

  template <class Visit>
  void for_each_op(Visit visit) const {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      const std::span<const Op> ops = history_.ops({t});
      for (std::uint32_t m = 0; m < ops.size(); ++m) {
        visit(OpAt{{t}, m}, ops[m]);
      }
    }
  }

  [[nodiscard]] bool knows_result(OpAt at, Op op) const {
    return op.kind() == OpKind::kReadList ||
           (op.kind() == OpKind::kRead && (history_.committed(at.txn) || !op.value().is_nil()));
  }

  [[nodiscard]] bool shows(Op read, Op write) const {
    if (read.key() != write.key()) {
      return false;
    }
    if (read.kind() == OpKind::kReadList) {
      return std::ranges::find(history_.elements(read), write.value()) !=
             history_.elements(read).end();
    }
    return read.value() == write.value();
  }

  /// A read comes after the write that it saw, and after its commit if there is one.
  void add_reads() {
    for_each_op([this](OpAt reader, Op read) {
      for (const auto& [writer, write] : writes_) {
        if (writer.txn == reader.txn || !knows_result(reader, read) || !shows(read, write)) {
          continue;
        }
        const std::optional<Node> next = next_write(writer, write);
        const bool is_final =
            history_.committed(writer.txn) && !(next && read.kind() == OpKind::kRead);
        const bool is_after_commit = is_final && graph_.prefer(last(writer.txn), op(reader));
        if (!is_after_commit) {
          graph_.prefer(op(writer), op(reader));
          graph_.prefer(op(reader), next.value_or(last(writer.txn)));
        }
      }
    });
  }

  /// The transaction's next write of the same key.
  [[nodiscard]] std::optional<Node> next_write(OpAt writer, Op write) const {
    const std::span<const Op> ops = history_.ops(writer.txn);
    for (std::uint32_t m = writer.mop + 1; m < ops.size(); ++m) {
      if (ops[m].is_write() && ops[m].key() == write.key()) {
        return op({writer.txn, m});
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_initial(Op read) const {
    if (read.kind() != OpKind::kRead) {
      return false;
    }
    const ValueId initial = history_.info().initial;
    if (!initial.is_none()) {
      return read.value() == initial || read.value().is_nil();
    }
    const TxnId first = history_.info().initial_txn;
    return !first.is_none() &&
           std::ranges::any_of(history_.ops(first), [&](Op op) { return shows(read, op); });
  }

  /// A write that a list or the initial state does not show came later.
  void add_missed_writes() {
    for_each_op([this](OpAt reader, Op read) {
      for (const auto& [writer, write] : writes_) {
        const bool is_missed = read.key() == write.key() && !shows(read, write) &&
                               (read.kind() == OpKind::kReadList || is_initial(read));
        if (writer.txn != reader.txn && knows_result(reader, read) && is_missed) {
          add_missed(op(reader), writer);
        }
      }
    });
  }

  void add_missed(Node read, OpAt writer) {
    if (!graph_.prefer(read, op(writer))) {
      graph_.prefer(read, last(writer.txn));
    }
  }

  void add_steps() {
    for (const Step& step : steps_) {
      if (step.from_mop < 0 || step.to_mop < 0) {
        continue;
      }
      const OpAt from = {step.from, static_cast<std::uint32_t>(step.from_mop)};
      const OpAt to = {step.to, static_cast<std::uint32_t>(step.to_mop)};
      if (step.relation == Relation::kRw) {
        add_missed(op(from), to);
      } else if (step.relation == Relation::kWw &&
                 !(history_.committed(step.from) && graph_.prefer(last(step.from), op(to)))) {
        graph_.prefer(op(from), op(to));
      }
    }
  }

  /// Transactions that overlapped must overlap in the schedule too.
  void add_overlaps() {
    for_each_pair([this](TxnId a, TxnId b) {
      const bool overlap = history_.has_completion(a) && history_.has_invocation(b) &&
                           history_.invocation_id(b) < history_.completion_id(a) && !precedes(b, a);
      if (overlap) {
        graph_.prefer(begin(b), last(a));
      }
    });
  }

  [[nodiscard]] std::vector<StoryMoment> in_order() const {
    std::vector<StoryMoment> order;
    for (const auto [chain, place] : graph_.in_order()) {
      order.push_back(moment({static_cast<std::uint32_t>(chain)}, place));
    }
    return order;
  }

  [[nodiscard]] StoryMoment moment(TxnId txn, std::size_t place) const {
    if (place == 0) {
      return {.kind = StoryMoment::Kind::kBegin, .txn = txn};
    }
    if (history_.has_completion(txn) && begin(txn) + place == last(txn)) {
      return {.kind = StoryMoment::Kind::kEnd, .txn = txn};
    }
    return {
        .kind = StoryMoment::Kind::kOp, .txn = txn, .mop = static_cast<std::uint32_t>(place - 1)};
  }

  const History& history_;
  const std::vector<Step>& steps_;
  ChainOrder graph_;
  std::vector<std::pair<OpAt, Op>> writes_;
};

}  // namespace

std::vector<StoryMoment> schedule(const History& history, const std::vector<Step>& steps) {
  return StoryScheduler(history, steps).run();
}

}  // namespace elapid
