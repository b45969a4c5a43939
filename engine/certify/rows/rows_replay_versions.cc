// Operations that may have concerned old versions: at repeatable read, read committed and read
// atomic.
#include <algorithm>
#include <utility>
#include "engine/certify/operations/matching.h"

#include "engine/certify/rows/rows_replay.h"

namespace elapid::certify {

using rows::Known;
using rows::RowOp;
using rows::ShownRow;

std::set<TxnId> RowsReplay::unseen_by(TxnId txn) const {
  std::set<TxnId> unseen;
  const auto reads = reads_.find(txn);
  for (const ReadFrom& read : reads == reads_.end() ? std::vector<ReadFrom>() : reads->second) {
    const auto versions = versions_.find(read.key);
    bool is_later = false;
    for (const auto& [writer, after] :
         versions == versions_.end() ? Versions() : versions->second) {
      if (is_later) {
        unseen.insert(writer);
      }
      is_later = is_later || writer == read.writer;
    }
  }
  return unseen;
}

std::optional<std::string> RowsReplay::hide_unseen(TxnId txn) {
  const std::set<TxnId> unseen = unseen_by(txn);
  const TxnId initial = history_.info().initial_txn;
  if (unseen.contains(initial) && history_.committed(initial)) {
    return name(txn) + " does not see the beginning";
  }
  for (const auto& [row, versions] : unseen.empty() ? decltype(versions_)() : versions_) {
    const auto last =
        std::ranges::find_if(versions.rbegin(), versions.rend(),
                             [&](const auto& one) { return !unseen.contains(one.first); });
    if (last != versions.rbegin()) {
      hidden_[row] = versions.back().second;
      live_.set(row, last->second);
    }
  }
  return std::nullopt;
}

void RowsReplay::show_all() {
  for (auto& [row, content] : hidden_) {
    live_.set(row, std::move(content));
  }
  hidden_.clear();
}

void RowsReplay::note_versions(TxnId txn, const RowChanges& changes) {
  for (const auto& [row, after] : changes) {
    Versions& versions = versions_[row];
    if (versions.empty()) {
      const LiveRow* before = live_.find(row);
      versions.emplace_back(TxnId::none(),
                            before != nullptr ? std::optional(*before) : std::nullopt);
    }
    versions.emplace_back(txn, after);
  }
}

void RowsReplay::remember(TxnId txn, const RowChanges& changes) {
  const bool is_first = txn == history_.info().initial_txn && history_.committed(txn);
  for (const auto& [row, after] : changes) {
    std::vector<std::optional<LiveRow>>& versions = past_[row];
    if (versions.empty() && !is_first) {
      const LiveRow* before = live_.find(row);
      versions.push_back(before != nullptr ? std::optional(*before) : std::nullopt);
    }
    versions.push_back(after);
  }
}

bool RowsReplay::is_match(const RowOp& op, KeyId row, const LiveRow* content) const {
  return content != nullptr && (!op.has_predicate() || live_.is_match(op, row, *content));
}

bool RowsReplay::has_fitting_version(const RowOp& op, KeyId row, const ShownRow* shown,
                                     const RowChanges& changes) const {
  const auto fits = [&](const LiveRow* content) {
    return shown == nullptr ? !is_match(op, row, content)
                            : is_match(op, row, content) && agrees(op, *shown, *content);
  };
  return has_version(row, changes, fits);
}

bool RowsReplay::is_beyond(const RowOp& op, KeyId row) const {
  const std::span<const ShownRow> shown = rows_.shown(op);
  const auto number = [&](KeyId key) { return history_.values().as_integer(rows_.key(key)); };
  return op.first > 0 && shown.size() == op.first &&
         std::ranges::all_of(shown,
                             [&](const ShownRow& one) { return number(one.row) < number(row); });
}

bool RowsReplay::by_old_versions(const RowOp& op, RowChanges& changes) const {
  if (op.known == Known::kNothing && op.is_read()) {
    return true;
  }
  if (op.finds_unnamed()) {
    return op.known == Known::kBag ? may_find_bag(op, changes) : may_count(op, changes);
  }
  std::set<KeyId> shown;
  for (const ShownRow& row : rows_.shown(op)) {
    shown.insert(row.row);
    const bool is_possible = op.is_read() || seen(row.row, changes) != nullptr;
    if (!is_possible || !has_fitting_version(op, row.row, &row, changes)) {
      return false;
    }
  }
  // A row that does not match as it is needs no older version.
  for (const KeyId row : matching(op, changes)) {
    if (!shown.contains(row) && !is_beyond(op, row) &&
        !has_fitting_version(op, row, nullptr, changes)) {
      return false;
    }
  }
  for (const KeyId row : op.is_read() ? std::set<KeyId>() : shown) {
    write(op, row, changes);
  }
  return true;
}

bool RowsReplay::write_taken(const RowOp& op, const std::set<KeyId>& taken,
                             RowChanges& changes) const {
  const bool is_count =
      op.known == Known::kNothing ||
      (op.known == Known::kCount ? taken.size() == op.count
                                 : op.known == Known::kAny && taken.empty() == (op.count == 0));
  if (!is_count || op.first > 0) {
    return false;
  }
  for (const KeyId row : taken) {
    if (!rows_.is_row(row) || seen(row, changes) == nullptr || !may_be(op, row, changes, true)) {
      return false;
    }
  }
  for (const KeyId row : matching(op, changes)) {
    if (!taken.contains(row) && !may_be(op, row, changes, false)) {
      return false;
    }
  }
  return write_all(op, {taken.begin(), taken.end()}, changes);
}

bool RowsReplay::may_be(const RowOp& op, KeyId row, const RowChanges& changes,
                        bool is_found) const {
  return has_version(
      row, changes, [&](const LiveRow* content) { return is_match(op, row, content) == is_found; });
}

std::set<KeyId> RowsReplay::rows_so_far(const RowOp& op, const RowChanges& changes) const {
  std::set<KeyId> rows;
  live_.each_near(op, [&](KeyId row, const LiveRow& /*content*/) { rows.insert(row); });
  for (const auto& [row, versions] : past_) {
    rows.insert(row);
  }
  for (const auto& [row, after] : changes) {
    rows.insert(row);
  }
  return rows;
}

bool RowsReplay::may_count(const RowOp& op, const RowChanges& changes) const {
  std::size_t sure = 0;
  std::size_t possible = 0;
  for (const KeyId row : rows_so_far(op, changes)) {
    const bool may_match = may_be(op, row, changes, true);
    possible += may_match ? 1U : 0U;
    sure += may_match && !may_be(op, row, changes, false) ? 1U : 0U;
  }
  const bool is_exact = op.known == Known::kCount && (op.first == 0 || op.count < op.first);
  return op.count <= possible && (!is_exact || sure <= op.count);
}

bool RowsReplay::may_find_bag(const RowOp& op, const RowChanges& changes) const {
  const std::span<const ShownRow> shown = rows_.shown(op);
  if (op.first > 0 && shown.size() == op.first) {
    return false;  // not of this kind of proof
  }
  std::vector<std::vector<std::size_t>> items;  // of rows that must have been found
  std::vector<std::vector<std::size_t>> holders(shown.size());
  std::size_t number = 0;
  for (const KeyId row : rows_so_far(op, changes)) {
    std::vector<std::size_t> like;
    for (std::size_t item = 0; item < shown.size(); ++item) {
      if (has_fitting_version(op, row, &shown[item], changes)) {
        like.push_back(item);
        holders[item].push_back(number);
      }
    }
    ++number;
    if (!may_be(op, row, changes, false)) {
      items.push_back(std::move(like));
    }
  }
  return can_be_matched(items, shown.size()) && can_be_matched(holders, number);
}

}  // namespace elapid::certify
