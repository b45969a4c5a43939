#include "adapter/source/contention.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/rows/rows.h"

namespace elapid {
namespace {

bool takes_part(const History& history, TxnId txn) {
  return history.committed(txn) && txn != history.info().initial_txn;
}

bool may_have_written(const History& history, TxnId txn) {
  return history.status(txn) != TxnStatus::kAborted && txn != history.info().initial_txn;
}

/// The events at which a transaction begins and ends.
struct Lifetime {
  EventId begin;
  EventId end;
};

std::vector<Lifetime> lifetimes(const History& history) {
  std::vector<Lifetime> all;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (takes_part(history, txn) && history.has_invocation(txn)) {
      all.push_back({history.invocation_id(txn), history.completion_id(txn)});
    }
  }
  std::ranges::sort(all, {}, &Lifetime::begin);
  return all;
}

/// The number of transactions that overlap another one. Those belong to several sessions, since a
/// session runs its transactions one after the other.
std::size_t count_overlapping(const std::vector<Lifetime>& by_begin) {
  std::size_t count = 0;
  EventId latest_end{0};
  for (std::size_t i = 0; i < by_begin.size(); ++i) {
    const bool with_earlier = i > 0 && by_begin[i].begin < latest_end;
    const bool with_later = i + 1 < by_begin.size() && by_begin[i + 1].begin < by_begin[i].end;
    count += std::size_t{with_earlier || with_later};
    latest_end = std::max(latest_end, by_begin[i].end);
  }
  return count;
}

/// A session that wrote a value to a key.
struct Writer {
  KeyId key;
  std::uint32_t value = 0;  // ValueId::bits()
  SessionId session;
  friend auto operator<=>(const Writer&, const Writer&) = default;
};

/// The sessions that wrote each value, each once.
class Writers {
 public:
  explicit Writers(const History& history) {
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      if (!may_have_written(history, txn)) {
        continue;
      }
      for (const Op op : history.ops(txn)) {
        if (op.is_write()) {
          all_.push_back({op.key(), op.value().bits(), history.session(txn)});
        }
      }
    }
    std::ranges::sort(all_);
    const auto repeated = std::ranges::unique(all_);
    all_.erase(repeated.begin(), repeated.end());
  }

  /// Whether other sessions, and not this one, wrote the value to the key.
  [[nodiscard]] bool is_of_others(KeyId key, ValueId value, SessionId session) const {
    const auto first = std::ranges::lower_bound(all_, Writer{key, value.bits(), SessionId{0}});
    const bool is_written =
        first != all_.end() && first->key == key && first->value == value.bits();
    return is_written && !std::ranges::binary_search(all_, Writer{key, value.bits(), session});
  }

  /// Counts the keys that were written, and those of them that several sessions wrote.
  void count_keys(Contention& found) const {
    for (auto key = all_.begin(); key != all_.end();) {
      const auto next =
          std::find_if(key, all_.end(), [&](const Writer& other) { return other.key != key->key; });
      ++found.written_keys;
      found.keys_of_many_writers += std::size_t{std::any_of(
          key, next, [&](const Writer& other) { return other.session != key->session; })};
      key = next;
    }
  }

 private:
  std::vector<Writer> all_ = {};
};

/// The version that a read saw, by its last value; none() for the empty list.
ValueId last_seen(const History& history, Op read) {
  if (read.kind() == OpKind::kReadList) {
    const std::span<const ValueId> elements = history.elements(read);
    return elements.empty() ? ValueId::none() : elements.back();
  }
  return read.value();
}

void count_reads(const History& history, const Writers& writers, Contention& found) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (!takes_part(history, txn)) {
      found.aborted += std::size_t{history.status(txn) == TxnStatus::kAborted};
      found.indeterminate += std::size_t{history.status(txn) == TxnStatus::kIndeterminate};
      continue;
    }
    ++found.committed;
    for (const Op op : history.ops(txn)) {
      if (op.kind() == OpKind::kRead || op.kind() == OpKind::kReadList) {
        ++found.reads;
        const ValueId seen = last_seen(history, op);
        found.reads_of_others += std::size_t{
            !seen.is_none() && writers.is_of_others(op.key(), seen, history.session(txn))};
      }
    }
  }
}

/// The contention of a history of rows. Only a value that a single session writes to a column
/// identifies the writer of a row that a read shows.
class RowContention {
 public:
  RowContention(const History& history, Contention& found)
      : history_(history), rows_(*history.info().rows), found_(found) {
    for_each_op(false, [this](SessionId session, const rows::RowOp& op) {
      if (!op.is_read()) {
        if (!op.has_predicate()) {
          note(owners_[op.row.value], session);
        }
        for (const rows::Field& field : rows_.written(op)) {
          note(writers_[{field.column.value, field.value.bits()}], session);
        }
      }
    });
    for_each_op(true, [this](SessionId session, const rows::RowOp& op) { look(session, op); });
    found_.written_keys = owners_.size();
    for (const auto& [row, owner] : owners_) {
      found_.keys_of_many_writers += std::size_t{owner.session == kMany};
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~0U;
  static constexpr std::uint32_t kMany = kNone - 1;

  struct Only {
    std::uint32_t session = kNone;
  };

  static void note(Only& only, SessionId session) {
    only.session = only.session == kNone || only.session == session.value ? session.value : kMany;
  }

  template <class Do>
  void for_each_op(bool only_committed, Do&& act) {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (only_committed ? takes_part(history_, txn) : may_have_written(history_, txn)) {
        for (const Op op : history_.ops(txn)) {
          act(history_.session(txn), rows_.op(op));
        }
      }
    }
  }

  /// Counts a read once, however many rows it found.
  void look(SessionId session, const rows::RowOp& op) {
    if (!op.is_read()) {
      return;
    }
    ++found_.reads;
    bool is_of_others = false;
    for (const rows::ShownRow& row : rows_.shown(op)) {
      for (const rows::Field& field : rows_.fields(row)) {
        const auto writer = writers_.find({field.column.value, field.value.bits()});
        if (writer != writers_.end() && writer->second.session != kMany) {
          is_of_others |= writer->second.session != session.value;
          note(owners_[row.row.value], {writer->second.session});
        }
      }
    }
    found_.reads_of_others += std::size_t{is_of_others};
  }

  const History& history_;
  const rows::Rows& rows_;
  Contention& found_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Only> writers_ = {};  // by column and value
  std::map<std::uint32_t, Only> owners_ = {};  // of written rows, by KeyId
};

/// Adds a complaint if fewer were found than demanded.
void demand(std::size_t least, std::size_t found, std::size_t of, std::string_view none,
            std::string_view some, std::vector<std::string>& complaints) {
  if (found >= least) {
    return;
  }
  const std::string demanded =
      least > 1 ? fmt::format(" (at least {} are demanded)", least) : std::string();
  complaints.push_back(
      (found == 0 ? std::string(none) : fmt::format("{} of {} {}", found, of, some)) + demanded);
}

}  // namespace

Contention contention(const History& history) {
  Contention found;
  if (history.info().has_real_time) {
    found.overlapping = count_overlapping(lifetimes(history));
  }
  const Workload workload = history.workload();
  found.knows_values = workload.has_levels() || workload == Workload::kCasRegister;
  const Writers writers(history);
  writers.count_keys(found);
  count_reads(history, writers, found);
  if (history.info().rows != nullptr) {
    RowContention(history, found);
  }
  return found;
}

std::string why_vacuous(const Contention& found, const LeastContention& least) {
  std::vector<std::string> complaints;
  if (found.overlapping) {
    demand(least.overlapping, *found.overlapping, found.committed,
           "no transaction overlaps another session's", "transactions overlap others", complaints);
  }
  if (found.knows_values) {
    demand(least.keys_of_many_writers, found.keys_of_many_writers, found.written_keys,
           "no key has several writers", "keys have several writers", complaints);
    demand(least.reads_of_others, found.reads_of_others, found.reads,
           "no read saw another session's write", "reads saw others' writes", complaints);
  }
  const std::size_t all = found.committed + found.aborted + found.indeterminate;
  if (found.committed * 100 < least.committed_percent * all) {
    complaints.push_back(fmt::format("{} of {} transactions committed (at least {} % are demanded)",
                                     found.committed, all, least.committed_percent));
  }
  return fmt::format("{}", fmt::join(complaints, "; "));
}

std::string fates_text(const Contention& found) {
  const std::size_t all = found.committed + found.aborted + found.indeterminate;
  const auto percent = [&](std::size_t part) {
    return all == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
  };
  return fmt::format("{:.1f} % aborted, {:.1f} % indeterminate", percent(found.aborted),
                     percent(found.indeterminate));
}

std::string contention_text(const Contention& found) {
  std::vector<std::string> figures;
  if (found.overlapping) {
    figures.push_back(
        fmt::format("{} of {} transactions overlap others", *found.overlapping, found.committed));
  }
  if (found.knows_values) {
    figures.push_back(fmt::format("{} of {} keys have several writers", found.keys_of_many_writers,
                                  found.written_keys));
    figures.push_back(
        fmt::format("{} of {} reads saw others' writes", found.reads_of_others, found.reads));
  }
  return fmt::format("{}", fmt::join(figures, ", "));
}

}  // namespace elapid
