#include "harness/story/schedule.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace elapid {

namespace {

using Node = std::size_t;

/// A graph of moments that stays without cycles.
class StoryGraph {
 public:
  explicit StoryGraph(std::size_t nodes) : next_(nodes), before_(nodes, 0) {}

  void must(Node from, Node to) {
    next_[from].push_back(to);
    ++before_[to];
  }

  /// Whether there was room for it.
  bool prefer(Node from, Node to) {
    if (reaches(to, from)) {
      return false;
    }
    must(from, to);
    return true;
  }

  [[nodiscard]] std::span<const Node> next(Node node) const { return next_[node]; }

  [[nodiscard]] std::size_t before(Node node) const { return before_[node]; }

 private:
  [[nodiscard]] bool reaches(Node from, Node to) const {
    std::vector<bool> is_seen(next_.size(), false);
    std::vector<Node> open = {from};
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      if (node == to) {
        return true;
      }
      for (const Node next : next_[node]) {
        if (!is_seen[next]) {
          is_seen[next] = true;
          open.push_back(next);
        }
      }
    }
    return false;
  }

  std::vector<std::vector<Node>> next_;
  std::vector<std::size_t> before_;
};

/// An operation by its place.
struct OpAt {
  TxnId txn;
  std::uint32_t mop = 0;
};

class StoryScheduler {
 public:
  StoryScheduler(const History& history, const std::vector<Step>& steps)
      : history_(history), steps_(steps), first_(number_moments(history)), graph_(first_.back()) {}

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

  /// By transaction, the number of its first moment; then how many there are.
  static std::vector<Node> number_moments(const History& history) {
    std::vector<Node> first = {0};
    for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
      first.push_back(first.back() + 1 + history.ops({t}).size() +
                      (history.has_completion({t}) ? 1U : 0U));
    }
    return first;
  }

  [[nodiscard]] Node begin(TxnId txn) const { return first_[txn.index()]; }

  [[nodiscard]] Node op(OpAt at) const { return begin(at.txn) + 1 + at.mop; }

  /// The last moment, if it is no end.
  [[nodiscard]] Node last(TxnId txn) const { return first_[txn.index() + 1] - 1; }

  [[nodiscard]] bool is_end(TxnId txn, Node node) const {
    return history_.has_completion(txn) && node == last(txn);
  }

  void add_orders() {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      for (Node node = begin({t}); node < last({t}); ++node) {
        graph_.must(node, node + 1);
      }
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

  /// What is read was written before, and committed if it ever was.
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

  /// The next write of the same key by the same transaction.
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

  /// What a list or the initial state does not show was written later.
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

  /// Transactions that overlapped still do.
  void add_overlaps() {
    for_each_pair([this](TxnId a, TxnId b) {
      const bool overlap = history_.has_completion(a) && history_.has_invocation(b) &&
                           history_.invocation_id(b) < history_.completion_id(a) && !precedes(b, a);
      if (overlap) {
        graph_.prefer(begin(b), last(a));
      }
    });
  }

  /// Stays with a transaction as long as it can go on.
  [[nodiscard]] std::vector<StoryMoment> in_order() const {
    std::vector<std::size_t> waits;
    for (Node node = 0; node < first_.back(); ++node) {
      waits.push_back(graph_.before(node));
    }
    std::vector<Node> next(first_.begin(), first_.end() - 1);  // by transaction
    std::vector<StoryMoment> order;
    std::uint32_t current = 0;
    const auto can_go_on = [&](std::uint32_t t) {
      return next[t] <= last({t}) && waits[next[t]] == 0;
    };
    while (order.size() < first_.back()) {
      if (!can_go_on(current)) {
        current = first_that(can_go_on, next);
      }
      const Node node = next[current]++;
      order.push_back(moment({current}, node));
      for (const Node later : graph_.next(node)) {
        waits[later] -= waits[later] > 0 ? 1U : 0U;
      }
    }
    return order;
  }

  /// The first transaction that can go on. Where orders contradict one another, so that none can,
  /// the first that is not at its end.
  template <class CanGoOn>
  [[nodiscard]] std::uint32_t first_that(CanGoOn can_go_on, const std::vector<Node>& next) const {
    for (std::uint32_t t = 0; t < next.size(); ++t) {
      if (can_go_on(t)) {
        return t;
      }
    }
    std::uint32_t t = 0;
    while (next[t] > last({t})) {
      ++t;
    }
    return t;
  }

  [[nodiscard]] StoryMoment moment(TxnId txn, Node node) const {
    if (node == begin(txn)) {
      return {.kind = StoryMoment::Kind::kBegin, .txn = txn};
    }
    if (is_end(txn, node)) {
      return {.kind = StoryMoment::Kind::kEnd, .txn = txn};
    }
    return {.kind = StoryMoment::Kind::kOp,
            .txn = txn,
            .mop = static_cast<std::uint32_t>(node - begin(txn) - 1)};
  }

  const History& history_;
  const std::vector<Step>& steps_;
  std::vector<Node> first_;
  StoryGraph graph_;
  std::vector<std::pair<OpAt, Op>> writes_;
};

}  // namespace

std::vector<StoryMoment> schedule(const History& history, const std::vector<Step>& steps) {
  return StoryScheduler(history, steps).run();
}

}  // namespace elapid
