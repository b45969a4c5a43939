#include "tests/property/naive_timestamps.h"

#include <algorithm>
#include <array>
#include <utility>

namespace elapid {

namespace {

bool is_write(const TinyMop& mop) {
  return !mop.is_read();
}

bool ends_in(const Contents& list, const Contents& end) {
  return list.size() >= end.size() && std::equal(end.rbegin(), end.rend(), list.rbegin());
}

}  // namespace

bool is_initial(const TimedHistory& history, const Contents& shown) {
  return history.model == Workload::kRwRegister &&
         (shown.empty() || (history.initial && shown == Contents{*history.initial}));
}

bool NaiveTimestamps::writes(std::size_t txn) const {
  return std::ranges::any_of(txns_[txn].mops, is_write);
}

bool NaiveTimestamps::writes(std::size_t txn, char key) const {
  return std::ranges::any_of(txns_[txn].mops,
                             [&](const TinyMop& mop) { return is_write(mop) && mop.key == key; });
}

bool NaiveTimestamps::is_placed(std::size_t t) const {
  const TimedTxn& txn = txns_[t];
  const bool has_commit = txn.commit || (!writes(t) && txn.start);
  return txn.status == TxnStatus::kCommitted && has_commit && (serial_ || txn.start);
}

bool NaiveTimestamps::has_placed_writes(std::size_t txn) const {
  return txns_[txn].status != TxnStatus::kAborted && txns_[txn].commit && writes(txn);
}

bool NaiveTimestamps::is_maybe(std::size_t txn) const {
  return txns_[txn].status != TxnStatus::kAborted && writes(txn) && !txns_[txn].commit;
}

bool NaiveTimestamps::maybe_wrote(char key, std::int64_t value) const {
  for (std::size_t t = 0; t < txns_.size(); ++t) {
    for (const TinyMop& mop : txns_[t].mops) {
      if (is_maybe(t) && is_write(mop) && mop.key == key && mop.values.front() == value) {
        return true;
      }
    }
  }
  return false;
}

std::int64_t NaiveTimestamps::commit(std::size_t txn) const {
  return txns_[txn].commit ? *txns_[txn].commit : *txns_[txn].start;
}

std::int64_t NaiveTimestamps::point(std::size_t txn) const {
  return serial_ ? commit(txn) : std::min(commit(txn), txns_[txn].start.value_or(commit(txn)));
}

bool NaiveTimestamps::is_instant(std::size_t txn) const {
  return serial_ ? txns_[txn].start && *txns_[txn].start >= commit(txn) : point(txn) == commit(txn);
}

/// Whether the writer's commit comes before the reader's reads.
bool NaiveTimestamps::is_seen(std::size_t writer, std::size_t reader) const {
  if (commit(writer) != point(reader)) {
    return commit(writer) < point(reader);
  }
  const bool reads_whole = serial_ && !is_instant(reader);
  return !reads_whole && (!is_instant(writer) || !is_instant(reader));
}

/// Whether the order of two transactions is undefined.
bool NaiveTimestamps::is_tied(std::size_t writer, std::size_t reader) const {
  const bool is_at_once = serial_ || (is_instant(reader) && is_instant(writer));
  return is_at_once && commit(writer) == point(reader) && is_instant(writer) == is_instant(reader);
}

std::optional<Contents> NaiveTimestamps::expected(std::size_t reader, char key) const {
  using Place = std::pair<std::int64_t, bool>;
  std::vector<std::pair<Place, std::size_t>> versions;
  for (std::size_t w = 0; w < txns_.size(); ++w) {
    if (w == reader || !has_placed_writes(w) || !writes(w, key)) {
      continue;
    }
    if (is_tied(w, reader)) {
      return std::nullopt;
    }
    if (is_seen(w, reader)) {
      versions.push_back({{commit(w), is_instant(w)}, w});
    }
  }
  std::ranges::sort(versions);
  Contents contents;
  bool is_list = false;
  for (const auto& [place, w] : versions) {
    for (const TinyMop& mop : txns_[w].mops) {
      if (is_write(mop) && mop.key == key) {
        is_list = mop.kind == OpKind::kAppend;
        contents = is_list ? contents : Contents();
        contents.push_back(mop.values.front());
      }
    }
  }
  for (std::size_t i = is_list || versions.size() < 2 ? 0 : versions.size() - 2;
       i + 1 < versions.size(); ++i) {
    if (versions[i].first == versions[i + 1].first) {
      return std::nullopt;
    }
  }
  return contents;
}

std::string NaiveTimestamps::origin(std::size_t reader, std::size_t at) const {
  constexpr std::array<const char*, 7> kNames = {"before",  "uncommitted", "after",  "intermediate",
                                                 "aborted", "own-future",  "nowhere"};
  const TinyMop& read = txns_[reader].mops[at];
  std::size_t best = read.values.empty() || is_initial(history_, read.values) ? 0 : 6;
  for (std::size_t w = 0; w < txns_.size(); ++w) {
    const std::vector<TinyMop>& mops = txns_[w].mops;
    for (std::size_t m = 0; m < mops.size(); ++m) {
      if (!is_write(mops[m]) || mops[m].key != read.key || mops[m].values != read.values) {
        continue;
      }
      const bool is_final = std::none_of(
          mops.begin() + static_cast<std::ptrdiff_t>(m) + 1, mops.end(),
          [&](const TinyMop& later) { return is_write(later) && later.key == read.key; });
      const std::size_t found = w == reader                                           ? 5
                                : txns_[w].status == TxnStatus::kAborted              ? 4
                                : is_maybe(w)                                         ? 1
                                : !is_final                                           ? 3
                                : commit(w) <= point(reader)                          ? 0
                                : txns_[w].start.value_or(commit(w)) <= point(reader) ? 1
                                                                                      : 2;
      best = std::min(best, found);
    }
  }
  return kNames.at(best);
}

/// Whether some elements or values that have no place in time, and without which it is what was
/// wanted, are in what was shown.
bool NaiveTimestamps::is_explained(char key, const Contents& shown, const Contents& wanted) const {
  for (std::size_t left_out = 1; left_out < std::size_t{1} << shown.size(); ++left_out) {
    Contents certain;
    bool may_be_there = true;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if ((left_out >> i & 1) == 0) {
        certain.push_back(shown[i]);
      } else {
        may_be_there = may_be_there && maybe_wrote(key, shown[i]);
      }
    }
    if (may_be_there && certain == wanted) {
      return true;
    }
  }
  return false;
}

void NaiveTimestamps::judge_reads(std::size_t t, bool with_origins, std::set<std::string>& found,
                                  bool& doubt) const {
  const std::vector<TinyMop>& mops = txns_[t].mops;
  for (std::size_t m = 0; m < mops.size(); ++m) {
    if (!mops[m].is_read()) {
      continue;
    }
    const char key = mops[m].key;
    const Contents& shown = mops[m].values;
    std::optional<Contents> own;  // what earlier operations say
    Contents appended;            // before any read
    bool has_own = false;
    for (std::size_t e = 0; e < m; ++e) {
      if (mops[e].key != key) {
        continue;
      }
      has_own = has_own || is_write(mops[e]);
      if (mops[e].kind == OpKind::kAppend) {
        (own ? *own : appended).push_back(mops[e].values.front());
      } else {
        own = mops[e].values;
      }
    }
    const std::string name = std::to_string(t) + " " + std::to_string(m);
    const bool is_other_name = own && *own != shown && !has_own && is_initial(history_, *own) &&
                               is_initial(history_, shown);
    if ((own && !is_other_name) || !ends_in(shown, appended)) {
      if (!own || *own != shown) {
        found.insert("int " + name);
      }
      continue;
    }
    std::optional<Contents> wanted = expected(t, key);
    if (!wanted) {
      doubt = true;
      continue;
    }
    wanted->insert(wanted->end(), appended.begin(), appended.end());
    if (*wanted == shown || (wanted->empty() && is_initial(history_, shown))) {
      continue;
    }
    const auto without_own = [&](const Contents& contents) {
      return Contents(contents.begin(),
                      contents.end() - static_cast<std::ptrdiff_t>(appended.size()));
    };
    const bool is_list = mops[m].kind == OpKind::kReadList;
    if (is_explained(key, without_own(shown), is_list ? without_own(*wanted) : Contents())) {
      doubt = true;
    } else {
      found.insert("ext " + name + (with_origins ? " " + origin(t, m) : ""));
    }
  }
}

/// NOCONFLICT once for each key, SESSION and real time for `b` behind `a`.
void NaiveTimestamps::judge_pairs(std::size_t a, std::size_t b,
                                  std::set<std::string>& found) const {
  const std::string name = std::to_string(std::min(a, b)) + " " + std::to_string(std::max(a, b));
  const bool overlap = !serial_ && has_placed_writes(a) && has_placed_writes(b) &&
                       commit(a) > point(b) && commit(b) > point(a);
  for (const TinyMop& mop : txns_[a].mops) {
    if (overlap && is_write(mop) && writes(b, mop.key)) {
      found.insert("noconflict " + name + " " + mop.key);
    }
  }
  const auto has_place = [&](std::size_t t) { return is_placed(t) || has_placed_writes(t); };
  const auto comes_first = [&](std::size_t t) {
    return has_place(t) && txns_[t].status == TxnStatus::kCommitted;
  };
  if (!comes_first(a) || !has_place(b)) {
    return;
  }
  const bool is_crossed = serial_ && commit(a) == point(b) && is_instant(a) && !is_instant(b);
  if (commit(a) <= point(b) && !is_crossed) {
    return;
  }
  bool is_next = a < b && txns_[a].session == txns_[b].session;
  for (std::size_t t = a + 1; t < b; ++t) {
    is_next = is_next && !(txns_[t].session == txns_[a].session && comes_first(t));
  }
  if (is_next) {
    found.insert("session " + name);
  }
  if (txns_[a].real_time && txns_[a].real_time->second < txns_[b].real_time->first) {
    found.insert("real-time " + std::to_string(b));
  }
}

std::set<std::string> NaiveTimestamps::violations(bool with_origins) const {
  std::set<std::string> found;
  bool doubt = false;
  for (std::size_t t = 0; t < txns_.size(); ++t) {
    const TimedTxn& txn = txns_[t];
    if (txn.status == TxnStatus::kCommitted && txn.start && txn.commit &&
        *txn.start > *txn.commit) {
      found.insert("start-after-commit " + std::to_string(t));
    }
    if (is_placed(t)) {
      judge_reads(t, with_origins, found, doubt);
    }
    for (std::size_t other = 0; other < txns_.size(); ++other) {
      if (other != t) {
        judge_pairs(other, t, found);
      }
    }
  }
  return found;
}

bool NaiveTimestamps::has_doubt() const {
  std::set<std::string> found;
  bool doubt = false;
  for (std::size_t t = 0; t < txns_.size(); ++t) {
    if (txns_[t].status == TxnStatus::kCommitted && !is_placed(t)) {
      return true;
    }
    if (is_placed(t)) {
      judge_reads(t, false, found, doubt);
    }
  }
  return doubt;
}

}  // namespace elapid
