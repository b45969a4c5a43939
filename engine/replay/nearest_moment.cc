#include "engine/replay/nearest_moment.h"

#include <algorithm>
#include <cstdlib>
#include <ranges>
#include <span>

namespace elapid::replay {

using rows::Known;
using rows::RowOp;
using rows::ShownRow;

namespace {

/// Commits, within which lies the moment where least differs.
constexpr std::size_t kNear = 40;

}  // namespace

NearestMoment::NearestMoment(const History& history, const OrderDraft& draft,
                             const OrderTrial& trial)
    : history_(history), draft_(draft), trial_(trial) {}

/// Whether what the transaction finds follows from rows one by one.
bool NearestMoment::prepare(TxnId txn) {
  const rows::Rows& rows = *history_.info().rows;
  txn_ = txn;
  ops_.clear();
  own_writes_.clear();
  sights_.clear();
  for (const Op number : history_.ops(txn)) {
    const RowOp& op = rows.op(number);
    if (!OrderTrial::has_deviation(op)) {
      return false;
    }
    if (!op.is_read() && !op.has_predicate()) {
      own_writes_.emplace_back(op.row, ops_.size());
    } else if (!op.is_read() && lists_all_rows(op)) {
      for (const ShownRow& shown : rows.shown(op)) {
        own_writes_.emplace_back(shown.row, ops_.size());
      }
    } else if (!op.is_read() && op.count > 0) {
      return false;  // what it wrote depends on where it stands
    }
    ops_.push_back(&op);
  }
  return true;
}

std::optional<Moment> NearestMoment::find(TxnId txn, std::size_t farthest) {
  if (!prepare(txn)) {
    return std::nullopt;
  }
  const OrderDraft::Vertex start = draft_.start(txn);
  const auto [least, most] = draft_.room(start);
  Cursor back;
  back.position = draft_.position(start);
  back.write = trial_.writes_before(back.position);
  const std::span<const std::int32_t> deviations = trial_.deviations(txn);
  back.deviations.assign(deviations.begin(), deviations.end());
  back.deviations.resize(ops_.size(), 0);
  Cursor on = back;
  Moment best = {.position = back.position};
  std::uint64_t fewest = differences(back);
  std::size_t steps = 0;
  const auto look_at = [&](const Cursor& cursor) {
    const std::uint64_t different = differences(cursor);
    if (!cursor.is_at_end && different < fewest && (different == 0 || steps < kNear)) {
      fewest = differences(cursor);
      best.position = cursor.position;
    }
  };
  for (; steps < farthest && fewest > 0; ++steps) {
    step_back(back, least);
    look_at(back);
    if (fewest > 0) {
      step_on(on, most);
      look_at(on);
    }
    if (back.is_at_end && on.is_at_end) {
      break;
    }
  }
  best.fits = fewest == 0;
  if (!best.fits || !draft_.is_snapshot(start)) {
    hold(best);
  }
  return best;
}

/// In front of the commit before it.
void NearestMoment::step_back(Cursor& cursor, std::uint32_t least) {
  if (cursor.write == 0 || trial_.version(cursor.write - 1).at < least) {
    cursor.is_at_end = true;
    return;
  }
  cursor.position = trial_.version(cursor.write - 1).at;
  while (cursor.write > 0 && trial_.version(cursor.write - 1).at == cursor.position) {
    const auto [row, version] = trial_.writes()[--cursor.write];
    change(cursor, row, trial_.versions(row)[version], trial_.versions(row)[version - 1]);
  }
}

/// Behind the commit after it.
void NearestMoment::step_on(Cursor& cursor, std::uint32_t most) {
  const std::size_t end = trial_.writes().size();
  if (cursor.write == end || trial_.version(cursor.write).at >= most) {
    cursor.is_at_end = true;
    return;
  }
  const std::uint32_t at = trial_.version(cursor.write).at;
  cursor.position = at + 1;
  for (; cursor.write < end && trial_.version(cursor.write).at == at; ++cursor.write) {
    const auto [row, version] = trial_.writes()[cursor.write];
    change(cursor, row, trial_.versions(row)[version - 1], trial_.versions(row)[version]);
  }
}

void NearestMoment::change(Cursor& cursor, KeyId row, const RowVersion& from,
                           const RowVersion& to) {
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    const auto is_own = [&](const auto& write) { return write.first == row && write.second < i; };
    const std::int32_t change =
        trial_.deviation(*ops_[i], row, to.state) - trial_.deviation(*ops_[i], row, from.state);
    if (change != 0 && std::ranges::none_of(own_writes_, is_own)) {
      cursor.deviations[i] += change;
      sights_.emplace_back(i, row);
    }
  }
}

/// How many rows differ there; one more if a row was written that the transaction writes after it.
std::uint64_t NearestMoment::differences(const Cursor& cursor) const {
  std::uint64_t sum = cursor.position < trial_.first_start(txn_) ? 1 : 0;
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    const bool is_any = ops_[i]->known == Known::kAny;
    sum += is_any ? ((cursor.deviations[i] == 0) != (ops_[i]->count == 0) ? 1U : 0U)
                  : static_cast<std::uint64_t>(std::abs(cursor.deviations[i]));
  }
  return sum;
}

void NearestMoment::hold(Moment& moment) {
  for (const Misfit& misfit : trial_.misfits(txn_)) {
    const auto op = std::ranges::find(ops_, misfit.op);
    sights_.emplace_back(op - ops_.begin(), misfit.row);
  }
  std::ranges::sort(sights_);
  sights_.erase(std::unique(sights_.begin(), sights_.end()), sights_.end());
  const std::uint32_t now = draft_.position(draft_.start(txn_));
  (void)edges(now, now, false, moment.known);
  Moment::Edges known;
  const std::uint32_t from = moment.fits ? now : moment.position;
  moment.edges = edges(from, moment.position, false, known);
  moment.otherwise =
      moment.fits ? edges(now, now, true, known) : edges(from, moment.position, true, known);
}

Moment::Edges NearestMoment::edges(std::uint32_t from, std::uint32_t position, bool otherwise,
                                   Moment::Edges& known) const {
  std::pair<std::uint32_t, std::uint32_t> window = std::minmax({from, position});
  std::vector<std::pair<KeyId, Versions>> intervals;
  const OrderDraft::Vertex start = draft_.start(txn_);
  for (const auto& [i, row] : sights_) {
    const RowOp& op = *ops_[i];
    if (op.known == Known::kCount || op.known == Known::kAny) {
      continue;
    }
    const std::span<const RowVersion> versions = trial_.versions(row);
    const auto agrees = [&, row = row](std::size_t version) {
      return versions[version].writer != txn_ && trial_.agrees(op, row, versions[version].state);
    };
    std::size_t behind = 1;
    while (behind < versions.size() && versions[behind].at < position) {
      ++behind;
    }
    const std::size_t now = behind - 1;
    std::size_t chosen = now;
    if (!agrees(now)) {
      std::size_t left = now;
      while (left > 0 && !agrees(left - 1)) {
        --left;
      }
      while (behind < versions.size() && !agrees(behind)) {
        ++behind;
      }
      const bool has_left = left > 0;
      const bool has_right = behind < versions.size();
      if (!has_left && !has_right) {
        return {};
      }
      if (!has_right && left == 1) {
        known.emplace_back(start, draft_.commit(versions[left].writer));
      } else if (!has_left &&
                 std::ranges::none_of(std::views::iota(behind + 1, versions.size()), agrees)) {
        known.emplace_back(draft_.commit(versions[behind].writer), start);
      }
      const bool is_left_nearer = !has_right || (has_left && position - versions[left].at <=
                                                                 versions[behind].at - position);
      const bool takes_left = is_left_nearer != (otherwise && has_left && has_right);
      chosen = takes_left ? left - 1 : behind;
      const std::uint32_t end = takes_left ? versions[left].at : versions[behind].at;
      window = {std::min(window.first, end), std::max(window.second, end)};
    }
    Versions interval = {chosen, chosen + 1};
    while (interval.first > 0 && agrees(interval.first - 1)) {
      --interval.first;
    }
    while (interval.end < versions.size() && agrees(interval.end)) {
      ++interval.end;
    }
    intervals.emplace_back(row, interval);
  }
  Moment::Edges edges;
  const auto is_within = [&](const RowVersion& version) {
    return version.at >= window.first && version.at <= window.second && version.writer != txn_;
  };
  for (const auto& [row, interval] : intervals) {
    const std::span<const RowVersion> versions = trial_.versions(row);
    if (interval.first > 0 && is_within(versions[interval.first])) {
      edges.emplace_back(draft_.commit(versions[interval.first].writer), start);
    }
    if (interval.end < versions.size() && is_within(versions[interval.end])) {
      const TxnId writer = versions[interval.end].writer;
      const bool is_own =
          draft_.has_two_events() && std::ranges::find(own_writes_, row, [](const auto& own) {
                                       return own.first;
                                     }) != own_writes_.end();
      edges.push_back(is_own ? OrderDraft::Edge{draft_.commit(txn_), draft_.start(writer)}
                             : OrderDraft::Edge{start, draft_.commit(writer)});
    }
  }
  for (const auto& [row, op] : own_writes_) {
    const std::span<const RowVersion> versions = trial_.versions(row);
    const auto own = std::ranges::find(versions, txn_, &RowVersion::writer);
    if (draft_.has_two_events() && own != versions.end() && own - versions.begin() > 1 &&
        (own - 1)->at >= window.first) {
      edges.emplace_back(draft_.commit((own - 1)->writer), start);
    }
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

}  // namespace elapid::replay
