#include "engine/replay/order_repair.h"

#include <algorithm>
#include <span>
#include <unordered_set>
#include <utility>

#include "engine/replay/nearest_moment.h"

namespace elapid::replay {

using rows::ColumnId;
using rows::Field;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

namespace {

/// Runs after which it is given up: in all, and without fewer failures than there ever were.
constexpr std::size_t kMostRuns = 40;
constexpr std::size_t kInVain = 12;

/// Events and edges looked at for what contradicts what is known, in terms of all there are.
constexpr std::uint64_t kLookedAt = 5;

/// Commits looked at for moments that fit, in terms of all there are, and for each transaction.
constexpr std::size_t kMomentsLookedAt = 50;

/// Whether the operation replaces the row's version, or what it holds in the column.
bool overwrites(const rows::Rows& rows, const RowOp& op, KeyId row, ColumnId column) {
  if (op.is_read()) {
    return false;
  }
  const bool is_of_row =
      op.has_predicate()
          ? std::ranges::find(rows.shown(op), row, &ShownRow::row) != rows.shown(op).end()
          : op.row == row;
  const bool is_end = op.kind == RowOpKind::kDelete || op.kind == RowOpKind::kPredicateDelete;
  return is_of_row &&
         (is_end || column.is_none() ||
          std::ranges::find(rows.written(op), column, &Field::column) != rows.written(op).end());
}

}  // namespace

OrderRepair::OrderRepair(const History& history, OrderLevel level, RowContents beginning)
    : history_(history),
      beginning_(std::move(beginning)),
      needs_(history),
      takes_part_(those_needed(history, needs_)),
      draft_(history, level, takes_part_) {
  add_what_is_shown();
}

/// Those that committed, and those that one of them read from.
std::vector<bool> OrderRepair::those_needed(const History& history, const Needs& needs) {
  std::vector<bool> needed(history.txn_count(), false);
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.committed(txn)) {
      needed[txn.index()] = true;
      needs.each_need(
          txn, [&](std::uint32_t /*number*/, TxnId writer) { needed[writer.index()] = true; });
    }
  }
  return needed;
}

void OrderRepair::add_what_is_shown() {
  const rows::Rows& rows = *history_.info().rows;
  std::vector<TxnId> overwriter(needs_.count(), TxnId::none());
  for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
    needs_.each_need(txn, [&](std::uint32_t number, TxnId writer) {
      draft_.add(draft_.commit(writer), draft_.start(txn));
      const bool does = std::ranges::any_of(history_.ops(txn), [&](Op op) {
        return overwrites(rows, rows.op(op), needs_.row(number), needs_.column(number));
      });
      overwriter[number] = does ? txn : overwriter[number];
    });
  }
  for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
    needs_.each_need(txn, [&](std::uint32_t number, TxnId /*writer*/) {
      if (const TxnId next = overwriter[number]; !next.is_none() && next != txn) {
        draft_.add(draft_.start(txn), draft_.commit(next));
      }
    });
  }
}

std::vector<OrderEvent> OrderRepair::events() const {
  std::vector<OrderEvent> events;
  for (const OrderDraft::Vertex vertex : draft_.order()) {
    if (takes_part_[draft_.event(vertex).txn.index()]) {
      events.push_back(draft_.event(vertex));
    }
  }
  return events;
}

bool OrderRepair::run(ReplayBudget& budget) {
  std::size_t in_vain = 0;
  for (std::size_t runs = 0; runs < kMostRuns && in_vain < kInVain; ++runs, ++in_vain) {
    const std::uint64_t cost = history_.op_count() + 1;
    if (budget.work < cost || (budget.keep_going && !budget.keep_going())) {
      return false;
    }
    budget.work -= cost;
    if (!draft_.sort()) {
      is_contradictory_ = !has_supposed_;
      return false;
    }
    const OrderTrial trial(history_, draft_, takes_part_, beginning_);
    if (trial.is_right()) {
      order_ = events();
      return true;
    }
    const std::size_t failures = trial.failed().size() + trial.overlaps().size();
    if (getenv("DBG")) {
      fprintf(stderr, "run %zu two %d failed %zu misfits %zu overlaps %zu\n", runs,
              (int)draft_.has_two_events(), trial.failed().size(), trial.misfits().size(),
              trial.overlaps().size());
    }
    if (failures < failures_) {
      failures_ = failures;
      nearest_ = events();
      in_vain = 0;
    }
    if (!repair(trial)) {
      return false;
    }
  }
  return false;
}

/// Puts snapshots where they fit, and holds what fits nowhere where least differs; false if nothing
/// can be done.
bool OrderRepair::repair(const OrderTrial& trial) {
  std::vector<TxnId> failed(trial.failed().begin(), trial.failed().end());
  for (const Overlap& overlap : trial.overlaps()) {
    failed.push_back(overlap.second);
  }
  std::ranges::sort(failed, {}, [this](TxnId txn) { return draft_.position(draft_.start(txn)); });
  failed.erase(std::unique(failed.begin(), failed.end()), failed.end());
  const std::size_t farthest =
      std::max<std::size_t>(100, kMomentsLookedAt * history_.txn_count() / failed.size());
  NearestMoment moments(history_, draft_, trial);
  std::vector<Moment> held;
  bool has_new = false;
  for (const TxnId txn : failed) {
    std::optional<Moment> moment = moments.find(txn, farthest);
    if (!moment) {
      continue;
    }
    if (moment->fits && draft_.is_snapshot(draft_.start(txn))) {
      draft_.place(draft_.start(txn), moment->position);
      has_new = true;
    } else {
      held.push_back(*std::move(moment));
    }
  }
  if (getenv("DBG")) {
    fprintf(stderr, "   failed %zu held %zu\n", failed.size(), held.size());
  }
  return hold(held) || has_new;
}

/// Adds the edges of those that contradict nothing.
bool OrderRepair::hold(const std::vector<Moment>& moments) {
  if (moments.empty()) {
    return false;
  }
  IncrementalOrder order(draft_.vertex_count(), draft_.edges(), draft_.order());
  bool has_new = false;
  std::unordered_set<TxnId> moved;
  const auto is_moved = [&](const OrderDraft::Edge& edge) {
    return moved.contains(draft_.event(edge.first).txn) ||
           moved.contains(draft_.event(edge.second).txn);
  };
  const auto add = [&](const Moment::Edges& edges) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (!order.insert(edges[i].first, edges[i].second)) {
        for (; i > 0; --i) {
          order.remove_last();
        }
        return false;
      }
    }
    for (const auto& [from, to] : edges) {
      draft_.add(from, to);
      moved.insert({draft_.event(from).txn, draft_.event(to).txn});
    }
    has_new = has_new || !edges.empty();
    return true;
  };
  has_supposed_ = true;
  const std::uint64_t most = kLookedAt * (draft_.vertex_count() + draft_.edges().size());
  for (const Moment& moment : moments) {
    if (has_new && order.work() > most) {
      break;
    }
    if (std::ranges::none_of(moment.edges, is_moved) && !add(moment.edges)) {
      add(moment.otherwise);
    }
  }
  return has_new;
}

}  // namespace elapid::replay
