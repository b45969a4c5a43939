#include "harness/generate/store/stored_table.h"

#include <algorithm>
#include <iterator>

namespace elapid {

namespace {

bool is_between(std::int64_t number, const PlainRowOp& op) {
  return number >= op.low && number <= op.high;
}

bool is_matched(const PlainRowOp& op, std::int64_t key, const RowContents& row) {
  if (!row.is_alive) {
    return false;
  }
  switch (op.by) {
    case PlainRowsBy::kRow:
    case PlainRowsBy::kKeys:
      return is_between(key, op);
    case PlainRowsBy::kGroup:
      return row.group == op.group;
    case PlainRowsBy::kValues:
      return is_between(row.value, op);
    case PlainRowsBy::kValuesOfGroup:
      return row.group == op.group && is_between(row.value, op);
  }
  return false;
}

}  // namespace

RowContents StoredTable::row(std::int64_t key, const SeesCommit& sees) const {
  const auto found = rows_.find(key);
  if (found == rows_.end()) {
    return {};
  }
  const auto& versions = found->second;
  const auto seen = std::find_if(versions.rbegin(), versions.rend(),
                                 [&](const Version& version) { return sees(version.commit); });
  return seen == versions.rend() ? RowContents() : seen->contents;
}

std::vector<std::int64_t> StoredTable::candidates(const PlainRowOp& op) const {
  if (op.by == PlainRowsBy::kGroup || op.by == PlainRowsBy::kValuesOfGroup) {
    const auto group = by_group_.find(op.group);
    return group == by_group_.end()
               ? std::vector<std::int64_t>()
               : std::vector<std::int64_t>(group->second.begin(), group->second.end());
  }
  const bool is_by_key = op.by == PlainRowsBy::kKeys;
  auto row = is_by_key ? rows_.lower_bound(op.low) : rows_.begin();
  std::vector<std::int64_t> keys;
  for (; row != rows_.end() && (!is_by_key || row->first <= op.high); ++row) {
    keys.push_back(row->first);
  }
  return keys;
}

CommitId StoredTable::last_commit(std::int64_t key) const {
  const auto found = rows_.find(key);
  return found == rows_.end() ? 0 : found->second.back().commit;
}

void StoredTable::write(std::int64_t key, CommitId commit, const RowContents& contents) {
  rows_[key].push_back({commit, contents});
  by_group_[contents.group].insert(key);
  overwritten_.emplace_back(commit, key);
}

void StoredTable::prune(CommitId horizon) {
  for (; !overwritten_.empty() && overwritten_.front().first <= horizon; overwritten_.pop_front()) {
    const std::int64_t key = overwritten_.front().second;
    const auto row = rows_.find(key);
    if (row == rows_.end()) {
      continue;
    }
    auto& versions = row->second;
    const auto later = std::find_if(versions.begin(), versions.end(), [&](const Version& version) {
      return version.commit > horizon;
    });
    if (later - versions.begin() > 1) {
      versions.erase(versions.begin(), later - 1);
    }
    if (versions.size() == 1 && !versions.front().contents.is_alive &&
        versions.front().commit <= horizon) {
      by_group_[versions.front().contents.group].erase(key);
      rows_.erase(row);
    }
  }
}

std::size_t StoredTable::version_count() const {
  std::size_t count = 0;
  for (const auto& [key, versions] : rows_) {
    count += versions.size();
  }
  return count;
}

bool RowWork::carry_out(const StoredTable& table, const PlainRowOp& op, const SeesCommit& sees,
                        std::vector<std::int64_t>& found) {
  const auto seen = [&](std::int64_t key) {
    const auto own = changes_.find(key);
    return own == changes_.end() ? table.row(key, sees) : own->second.now;
  };
  const auto begin = static_cast<std::ptrdiff_t>(found.size());
  if (op.kind == PlainRowKind::kInsert) {
    const RowContents before = seen(op.key);
    if (before.is_alive) {
      return false;
    }
    change(op.key, before, {true, op.group, op.value, op.unique});
  } else {
    std::vector<std::int64_t> keys = table.candidates(op);
    std::ranges::transform(changes_, std::back_inserter(keys),
                           [](const auto& own) { return own.first; });
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const std::int64_t key : keys) {
      const RowContents row = seen(key);
      if (!is_matched(op, key, row)) {
        continue;
      }
      if (op.kind == PlainRowKind::kRead) {
        found.insert(found.end(), {key, row.group, row.value, row.unique});
        continue;
      }
      found.push_back(key);
      change(key, row,
             op.kind == PlainRowKind::kUpdate ? RowContents{true, row.group, op.value, op.unique}
                                              : RowContents{.group = row.group});
    }
  }
  steps_.push_back({op, {found.begin() + begin, found.end()}});
  return true;
}

void RowWork::change(std::int64_t key, const RowContents& from, const RowContents& to) {
  changes_.try_emplace(key, Change{.needs_row = from.is_alive}).first->second.now = to;
}

bool RowWork::is_repeatable(const StoredTable& table, const SeesCommit& sees) const {
  RowWork again;
  std::vector<std::int64_t> found;
  return std::ranges::all_of(steps_,
                             [&](const Step& step) {
                               found.clear();
                               return again.carry_out(table, step.op, sees, found) &&
                                      found == step.found;
                             }) &&
         again.changes_ == changes_;
}

bool RowWork::fits(const StoredTable& table, const SeesCommit& sees) const {
  return std::ranges::all_of(changes_, [&](const auto& change) {
    return table.row(change.first, sees).is_alive == change.second.needs_row;
  });
}

}  // namespace elapid
