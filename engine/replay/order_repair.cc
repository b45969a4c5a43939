#include "engine/replay/order_repair.h"

#include <algorithm>
#include <span>
#include <utility>

namespace elapid::replay {

using rows::ColumnId;
using rows::Field;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

namespace {

/// The runs after which the repair gives up: in all, and without fewer failures than the least so
/// far.
constexpr std::size_t kMostRuns = 40;
constexpr std::size_t kInVain = 12;

/// The number of events and edges to look at for cycles, as a multiple of all.
constexpr std::uint64_t kLookedAt = 5;

/// Whether the operation replaces the row's version, or what it holds in the column.
bool overwrites(const rows::Rows& rows, const RowOp& op, KeyId row, ColumnId column) {
  if (op.is_read()) {
    return false;
  }
  const bool is_of_row =
      op.has_predicate()
          ? std::ranges::find(rows.shown(op), row, &ShownRow::row) != rows.shown(op).end()
          : op.row == row;
  const bool is_end = op.ends_rows();
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
  moments_.emplace(history, draft_);
}

/// The committed transactions, and those that one of them read from.
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

/// Finds an order with all edges. In a draft with times, drops supposed edges that close a cycle.
/// False if there is no order.
bool OrderRepair::sort() {
  if (draft_.sort()) {
    return true;
  }
  if (draft_.has_times()) {
    moments_->forget();
    is_contradictory_ = !draft_.sort();
  } else {
    is_contradictory_ = !has_supposed_;
  }
  return draft_.has_times() && !is_contradictory_;
}

bool OrderRepair::run(ReplayBudget& budget) {
  std::size_t in_vain = 0;
  for (std::size_t runs = 0; runs < kMostRuns && in_vain < kInVain; ++runs, ++in_vain) {
    const std::uint64_t cost = history_.op_count() + 1;
    if (budget.work < cost || (budget.keep_going && !budget.keep_going())) {
      return false;
    }
    budget.work -= cost;
    if (!sort()) {
      return false;
    }
    const OrderTrial trial(history_, draft_, takes_part_, beginning_);
    if (trial.is_right()) {
      order_ = events();
      return true;
    }
    const std::size_t failures = trial.failed().size() + trial.overlaps().size();
    if (failures < failures_) {
      failures_ = failures;
      nearest_ = events();
      in_vain = 0;
    }
    if (!(draft_.has_times() ? moments_->repair(trial) : repair(trial))) {
      return false;
    }
  }
  return false;
}

/// Adds edges for the misfits of the trial. False if none can be added.
bool OrderRepair::repair(const OrderTrial& trial) {
  std::vector<Remedy> choices;
  bool has_only = false;
  const auto take = [&](const Remedy& remedy) {
    if (remedy.is_only) {
      draft_.add(remedy.edge.first, remedy.edge.second);
      has_only = true;
    } else {
      choices.push_back(remedy);
    }
  };
  for (const Misfit& misfit : trial.misfits()) {
    if (const auto found = remedy(trial, misfit)) {
      take(*found);
    }
  }
  for (const Overlap& overlap : trial.overlaps()) {
    take(remedy(overlap));
  }
  return has_only || choose(choices);
}

/// Finds an edge that puts the transaction where it finds the row as it did, nearest to its place.
std::optional<OrderRepair::Remedy> OrderRepair::remedy(const OrderTrial& trial,
                                                       const Misfit& misfit) const {
  const std::span<const RowVersion> versions = trial.versions(misfit.row);
  const std::uint32_t looked = draft_.position(draft_.start(misfit.txn));
  const auto agrees = [&](const RowVersion& version) {
    return version.writer != misfit.txn && trial.agrees(*misfit.op, misfit.row, version.state);
  };
  std::size_t behind = 1;
  while (behind < versions.size() && versions[behind].at < looked) {
    ++behind;
  }
  std::size_t before = behind;  // one after the nearest that agrees, if any
  while (before > 0 && !agrees(versions[before - 1])) {
    --before;
  }
  while (behind < versions.size() && !agrees(versions[behind])) {
    ++behind;
  }
  const OrderDraft::Vertex start = draft_.start(misfit.txn);
  const auto commit = [&](std::size_t version) { return draft_.commit(versions[version].writer); };
  const bool has_later = behind < versions.size();
  std::optional<OrderDraft::Edge> later;
  if (has_later) {
    later = {commit(behind), start};
  }
  if (before > 0 && before < versions.size() && versions[before].writer != misfit.txn) {
    const OrderDraft::Edge earlier = {start, commit(before)};
    const bool is_from_beginning = before == 1;
    if (!later && !is_from_beginning) {
      later = {commit(before), commit(before - 1)};
    }
    return Remedy{earlier, later, !later};
  }
  if (!later) {
    return std::nullopt;
  }
  const bool is_only = before == 0 && std::ranges::none_of(versions.subspan(behind + 1), agrees);
  return Remedy{*later, {}, is_only};
}

OrderRepair::Remedy OrderRepair::remedy(const Overlap& overlap) const {
  return {{draft_.commit(overlap.first), draft_.start(overlap.second)},
          OrderDraft::Edge{draft_.commit(overlap.second), draft_.start(overlap.first)}};
}

/// Adds edges that close no cycle. First come remedies with only one possible edge. If there are
/// none, each remedy gets its nearest edge. False if no edge is added.
bool OrderRepair::choose(const std::vector<Remedy>& remedies) {
  IncrementalOrder order(draft_.vertex_count(), draft_.edges(), draft_.order());
  bool has_new = false;
  const auto add = [&](OrderDraft::Edge edge) {
    const bool is_possible = order.insert(edge.first, edge.second);
    if (is_possible) {
      draft_.add(edge.first, edge.second);
    }
    has_new = has_new || is_possible;
    return is_possible;
  };
  const auto is_possible = [&](OrderDraft::Edge edge) {
    return !order.reaches(edge.second, edge.first);
  };
  const std::uint64_t most = kLookedAt * (draft_.vertex_count() + draft_.edges().size());
  for (const Remedy& remedy : remedies) {
    if (!remedy.otherwise || (has_new && order.work() > most)) {
      continue;
    }
    const bool is_first_possible = is_possible(remedy.edge);
    if (is_first_possible != is_possible(*remedy.otherwise)) {
      add(is_first_possible ? remedy.edge : *remedy.otherwise);
    }
  }
  if (has_new) {
    return true;
  }
  has_supposed_ = true;
  for (const Remedy& remedy : remedies) {
    if (!add(remedy.edge) && remedy.otherwise) {
      add(*remedy.otherwise);
    }
  }
  return has_new;
}

}  // namespace elapid::replay
