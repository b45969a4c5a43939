#include "engine/certify/anomalies/register_versions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <tuple>

#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/participants.h"

namespace elapid::certify {

RegisterVersions::RegisterVersions(const History& history, const Assumptions& assumptions,
                                   const Writers& writers, const std::vector<bool>& trusted)
    : history_(history),
      assumptions_(assumptions),
      writers_(writers),
      trusted_(trusted),
      places_(assumptions.transaction_order) {
  std::ranges::sort(places_);
  if (!assumptions.sequential_keys && !assumptions.linearizable_keys) {
    return;
  }
  std::vector<TxnId> last_reader(history.key_count());
  std::vector<TxnId> last_writer(history.key_count());
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (trusted[t]) {
      index_transaction({t}, last_reader, last_writer);
    }
  }
  const auto rank = [&history](const Write& showing) {
    return std::tuple(showing.key, showing.value, history.session(showing.txn), showing.txn);
  };
  std::ranges::sort(showings_, {}, rank);
}

/// `last_reader` and `last_writer`: by key, the last transaction that was indexed as its reader or
/// writer.
void RegisterVersions::index_transaction(TxnId txn, std::vector<TxnId>& last_reader,
                                         std::vector<TxnId>& last_writer) {
  const std::span<const Op> ops = history_.ops(txn);
  for (const Op op : ops) {
    if (!op.is_read() && !op.is_write()) {
      continue;
    }
    const bool is_first = std::exchange(last_reader[op.key().index()], txn) != txn;
    if (is_first && is_answered(history_, txn, op)) {
      showings_.push_back({op.key(), version(op.key(), op.value()), txn});
    }
  }
  for (const Op op : std::views::reverse(ops)) {
    if (op.is_write() && std::exchange(last_writer[op.key().index()], txn) != txn) {
      showings_.push_back({op.key(), op.value(), txn});
    }
  }
}

bool RegisterVersions::is_assumed(VersionSource source) const {
  switch (source) {
    case VersionSource::kInitialState:
      return true;
    case VersionSource::kTransactionOrder:
      return !places_.empty();
    case VersionSource::kWfrKeys:
      return assumptions_.wfr_keys;
    case VersionSource::kSequentialKeys:
      return assumptions_.sequential_keys;
    case VersionSource::kLinearizableKeys:
      return assumptions_.linearizable_keys;
  }
  return false;
}

bool RegisterVersions::precedes(KeyId key, ValueId before, ValueId after) const {
  constexpr std::array kSources = {VersionSource::kInitialState, VersionSource::kTransactionOrder,
                                   VersionSource::kWfrKeys, VersionSource::kSequentialKeys,
                                   VersionSource::kLinearizableKeys};
  return std::ranges::any_of(
      kSources, [&](VersionSource source) { return precedes(key, before, after, source); });
}

bool RegisterVersions::precedes(KeyId key, ValueId before, ValueId after,
                                VersionSource source) const {
  const bool is_first = source == VersionSource::kInitialState;
  before = version(key, before);
  after = version(key, after);
  if (before == after || !is_assumed(source) || is_ambiguous(key, before) ||
      (!is_first && is_ambiguous(key, after))) {
    return false;
  }
  switch (source) {
    case VersionSource::kInitialState:
      return before == initial(key) && !writers_.another(history_.info().initial_txn, key, before);
      // else it may be a later version
    case VersionSource::kTransactionOrder:
      return in_transaction_order(key, before, after);
    case VersionSource::kWfrKeys:
      return follows_read(key, before, after);
    case VersionSource::kSequentialKeys:
      return in_session_order(key, before, after);
    case VersionSource::kLinearizableKeys:
      return in_real_time(key, before, after);
  }
  return false;
}

bool RegisterVersions::is_ambiguous(KeyId key, ValueId value) const {
  const auto writers = std::ranges::count_if(writers_.of(key, value), [this](const Write& write) {
    return history_.status(write.txn) != TxnStatus::kAborted;
  });
  return !assumptions_.elle_compat && writers > (history_.is_initial(value) ? 0 : 1);
}

/// The value of the key before its first write, or the one that a recorded initial transaction
/// left.
ValueId RegisterVersions::initial(KeyId key) const {
  const TxnId initial_txn = history_.info().initial_txn;
  return initial_txn.is_none() ? history_.info().initial
                               : last_write(history_.ops(initial_txn), key);
}

/// One name for a version: nil that no transaction left behind is the initial value. Nothing is
/// renamed if transactions wrote either name.
ValueId RegisterVersions::version(KeyId key, ValueId value) const {
  const ValueId initial = history_.info().initial;
  const bool is_other_name = value.is_nil() && !initial.is_nil() && !initial.is_none() &&
                             !is_ambiguous(key, value) && !is_ambiguous(key, initial);
  return is_other_name ? initial : value;
}

std::span<const Write> RegisterVersions::showing(KeyId key, ValueId value) const {
  return std::ranges::equal_range(showings_, std::pair(key, value), {}, [](const Write& showing) {
    return std::pair(showing.key, showing.value);
  });
}

bool RegisterVersions::follows_read(KeyId key, ValueId before, ValueId after) const {
  return std::ranges::any_of(writers_.of(key, after), [&](const Write& write) {
    return trusted_[write.txn.index()] && last_write(history_.ops(write.txn), key) == after &&
           version(key, external_read(history_, write.txn, key)) == before;
  });
}

/// Merges the two versions' transactions session by session: the first that shows `before` against
/// all that show `after`.
bool RegisterVersions::in_session_order(KeyId key, ValueId before, ValueId after) const {
  const std::span<const Write> earlier = showing(key, before);
  const std::span<const Write> later = showing(key, after);
  auto first = earlier.begin();
  auto second = later.begin();
  while (first != earlier.end() && second != later.end()) {
    const SessionId first_session = history_.session(first->txn);
    const SessionId second_session = history_.session(second->txn);
    if (first_session < second_session) {
      ++first;
    } else if (second_session < first_session || second->txn <= first->txn) {
      ++second;
    } else {
      return true;
    }
  }
  return false;
}

bool RegisterVersions::in_real_time(KeyId key, ValueId before, ValueId after) const {
  EventId earliest_end = EventId::none();
  for (const Write& showing : showing(key, before)) {
    if (history_.committed(showing.txn)) {
      earliest_end = std::min(earliest_end, history_.completion_id(showing.txn));
    }
  }
  return history_.info().has_real_time &&
         std::ranges::any_of(showing(key, after), [&](const Write& showing) {
           return history_.has_invocation(showing.txn) &&
                  earliest_end < history_.invocation_id(showing.txn);
         });
}

/// Transactions without a place in the order prove nothing, nor do those that did not commit.
bool RegisterVersions::in_transaction_order(KeyId key, ValueId before, ValueId after) const {
  const auto place = [this](const Write& write) -> std::optional<std::int64_t> {
    const bool counts =
        assumptions_.elle_compat ? trusted_[write.txn.index()] : history_.committed(write.txn);
    const bool is_installed = counts && history_.has_completion(write.txn) &&
                              last_write(history_.ops(write.txn), write.key) == write.value;
    if (!is_installed) {
      return std::nullopt;
    }
    const std::int64_t index = history_.event_index(history_.completion_id(write.txn));
    const auto found =
        std::ranges::lower_bound(places_, index, {}, &std::pair<std::int64_t, std::int64_t>::first);
    const bool is_placed = found != places_.end() && found->first == index;
    return is_placed ? std::optional(found->second) : std::nullopt;
  };
  std::optional<std::int64_t> first;
  for (const Write& write : writers_.of(key, before)) {
    if (const auto at = place(write); at && (!first || *at < *first)) {
      first = at;
    }
  }
  return first && std::ranges::any_of(writers_.of(key, after),
                                      [&](const Write& write) { return place(write) > first; });
}

}  // namespace elapid::certify
