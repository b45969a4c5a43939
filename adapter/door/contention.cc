#include "adapter/door/contention.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

namespace elapid {
namespace {

bool takes_part(const History& history, TxnId txn) {
  return history.committed(txn) && txn != history.info().initial_txn;
}

/// From a transaction's invocation to its completion, as places in the history.
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

/// A session's own transactions follow one another, so that those which overlap are of several.
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

/// That a session wrote a value to a key.
struct Writer {
  KeyId key;
  std::uint32_t value = 0;  // ValueId::bits()
  SessionId session;
  friend auto operator<=>(const Writer&, const Writer&) = default;
};

/// Who wrote what, each once.
class Writers {
 public:
  explicit Writers(const History& history) {
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      if (history.status(txn) == TxnStatus::kAborted || txn == history.info().initial_txn) {
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

  /// Whether sessions wrote the value to the key, and this one is not among them.
  [[nodiscard]] bool is_of_others(KeyId key, ValueId value, SessionId session) const {
    const auto first = std::ranges::lower_bound(all_, Writer{key, value.bits(), SessionId{0}});
    const bool is_written =
        first != all_.end() && first->key == key && first->value == value.bits();
    return is_written && !std::ranges::binary_search(all_, Writer{key, value.bits(), session});
  }

  /// Keys, and those of them that several sessions wrote.
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

/// The version that a read saw, by the value that was written last; none() for the empty list.
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

/// Adds a complaint if there are fewer than demanded.
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
  const Writers writers(history);
  writers.count_keys(found);
  count_reads(history, writers, found);
  return found;
}

std::string why_vacuous(const Contention& found, const LeastContention& least) {
  std::vector<std::string> complaints;
  if (found.overlapping) {
    demand(least.overlapping, *found.overlapping, found.committed,
           "no transaction overlaps another session's", "transactions overlap others", complaints);
  }
  demand(least.keys_of_many_writers, found.keys_of_many_writers, found.written_keys,
         "no key has several writers", "keys have several writers", complaints);
  demand(least.reads_of_others, found.reads_of_others, found.reads,
         "no read saw another session's write", "reads saw others' writes", complaints);
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
  const std::string overlapping = found.overlapping
                                      ? fmt::format("{} of {} transactions overlap others, ",
                                                    *found.overlapping, found.committed)
                                      : "";
  return fmt::format("{}{} of {} keys have several writers, {} of {} reads saw others' writes",
                     overlapping, found.keys_of_many_writers, found.written_keys,
                     found.reads_of_others, found.reads);
}

}  // namespace elapid
