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

/// The number of commits to search for the moment with the fewest differences.
constexpr std::size_t kNear = 40;

}  // namespace

NearestMoment::NearestMoment(const History& history, const OrderDraft& draft,
                             const OrderTrial& trial)
    : history_(history), draft_(draft), trial_(trial) {}

/// Whether the rows, one by one, determine what the transaction finds.
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
      return false;  // the rows that it wrote depend on its place
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
      fewest = different;
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

/// Moves the cursor in front of the commit before it.
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

/// Moves the cursor behind the commit after it.
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

/// The number of rows that differ there, plus one if the moment is before
/// OrderTrial::first_start().
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
  const std::uint32_t there = moment.position;
  const Window window = moment.fits ? std::minmax({now, there}) : Window{there, there};
  Moment::Edges known;
  (void)edges({now, now}, now, false, moment.known);
  moment.edges = edges(window, there, false, known);
  moment.otherwise =
      moment.fits ? edges({now, now}, now, true, known) : edges(window, there, true, known);
}

/// The version that agrees and is nearest to the position. If the version at the position does not
/// agree, `otherwise` asks for the nearest on the other side, and the window grows up to the
/// version. Nothing if none agrees.
std::optional<std::size_t> NearestMoment::agreeing_version(const Sight& sight,
                                                           std::uint32_t position, bool otherwise,
                                                           Window& window,
                                                           Moment::Edges& known) const {
  const std::span<const RowVersion> versions = trial_.versions(sight.second);
  std::size_t behind = 1;
  while (behind < versions.size() && versions[behind].at < position) {
    ++behind;
  }
  if (agrees(sight, behind - 1)) {
    return behind - 1;
  }
  std::size_t before = behind - 1;  // the first of the preceding ones that do not agree
  while (before > 0 && !agrees(sight, before - 1)) {
    --before;
  }
  while (behind < versions.size() && !agrees(sight, behind)) {
    ++behind;
  }
  const bool has_earlier = before > 0;
  const bool has_later = behind < versions.size();
  if (!has_earlier && !has_later) {
    return std::nullopt;
  }
  const OrderDraft::Vertex start = draft_.start(txn_);
  if (!has_later && before == 1) {
    known.emplace_back(start, draft_.commit(versions[before].writer));
  } else if (!has_earlier &&
             std::ranges::none_of(std::views::iota(behind + 1, versions.size()),
                                  [&](std::size_t later) { return agrees(sight, later); })) {
    known.emplace_back(draft_.commit(versions[behind].writer), start);
  }
  const bool is_earlier_nearer = !has_later || (has_earlier && position - versions[before].at <=
                                                                   versions[behind].at - position);
  const bool takes_earlier = is_earlier_nearer != (otherwise && has_earlier && has_later);
  const std::uint32_t end = versions[takes_earlier ? before : behind].at;
  window = {std::min(window.first, end), std::max(window.second, end)};
  return takes_earlier ? before - 1 : behind;
}

bool NearestMoment::agrees(const Sight& sight, std::size_t version) const {
  const RowVersion& one = trial_.versions(sight.second)[version];
  return one.writer != txn_ && trial_.agrees(*ops_[sight.first], sight.second, one.state);
}

/// Edges that put the transaction between the commits, within the window, after which its rows
/// begin to agree and those after which they agree no longer.
Moment::Edges NearestMoment::edges(Window window, std::uint32_t position, bool otherwise,
                                   Moment::Edges& known) const {
  std::vector<std::pair<Sight, std::size_t>> agreeing;
  for (const Sight& sight : sights_) {
    const Known shows = ops_[sight.first]->known;
    if (shows == Known::kCount || shows == Known::kAny) {
      continue;
    }
    const auto version = agreeing_version(sight, position, otherwise, window, known);
    if (!version) {
      return {};
    }
    agreeing.emplace_back(sight, *version);
  }
  Moment::Edges edges;
  const auto is_within = [&](const RowVersion& version) {
    return version.at >= window.first && version.at <= window.second && version.writer != txn_;
  };
  for (const auto& [sight, version] : agreeing) {
    const std::span<const RowVersion> versions = trial_.versions(sight.second);
    std::size_t first = version;
    while (first > 0 && agrees(sight, first - 1)) {
      --first;
    }
    std::size_t end = version + 1;
    while (end < versions.size() && agrees(sight, end)) {
      ++end;
    }
    if (first > 0 && is_within(versions[first])) {
      edges.emplace_back(draft_.commit(versions[first].writer), draft_.start(txn_));
    }
    if (end < versions.size() && is_within(versions[end])) {
      edges.push_back(edge_to(versions[end].writer, sight.second));
    }
  }
  add_earlier_writers(window.first, edges);
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

/// The edge to the writer that ends the row's version. If the transaction writes this row, too, one
/// of the two commits before the other starts.
OrderDraft::Edge NearestMoment::edge_to(TxnId writer, KeyId row) const {
  const auto is_it = [&](const auto& own) { return own.first == row; };
  const bool is_own = draft_.has_two_events() && std::ranges::any_of(own_writes_, is_it);
  return is_own ? OrderDraft::Edge{draft_.commit(txn_), draft_.start(writer)}
                : OrderDraft::Edge{draft_.start(txn_), draft_.commit(writer)};
}

/// For snapshots: edges from the previous writers of the transaction's own rows, from the position
/// on.
void NearestMoment::add_earlier_writers(std::uint32_t position, Moment::Edges& edges) const {
  for (const auto& [row, op] : own_writes_) {
    const std::span<const RowVersion> versions = trial_.versions(row);
    const auto own = std::ranges::find(versions, txn_, &RowVersion::writer);
    if (draft_.has_two_events() && own != versions.end() && own - versions.begin() > 1 &&
        (own - 1)->at >= position) {
      edges.emplace_back(draft_.commit((own - 1)->writer), draft_.start(txn_));
    }
  }
}

}  // namespace elapid::replay
