#include "engine/certify/key_orders.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/certify/operations.h"
#include "engine/certify/participants.h"

namespace elapid::certify {

KeyOrders::KeyOrders(const History& history, const Effects& effects, const Assumptions& assumptions)
    : history_(history),
      effects_(effects),
      assumptions_(assumptions),
      places_(assumptions.transaction_order) {
  std::ranges::sort(places_);
}

bool KeyOrders::in_session(TxnId first, TxnId second) const {
  return assumptions_.sequential_keys && history_.committed(first) &&
         history_.session(first) == history_.session(second) && first < second;
}

bool KeyOrders::in_real_time(TxnId first, TxnId second) const {
  return assumptions_.linearizable_keys && history_.info().has_real_time &&
         history_.committed(first) && history_.has_invocation(second) &&
         history_.completion_id(first) < history_.invocation_id(second);
}

std::optional<std::int64_t> KeyOrders::place(TxnId txn) const {
  if (!history_.committed(txn)) {
    return std::nullopt;
  }
  const std::int64_t index = history_.representative(txn).index;
  const auto found =
      std::ranges::lower_bound(places_, index, {}, &std::pair<std::int64_t, std::int64_t>::first);
  return found != places_.end() && found->first == index ? std::optional(found->second)
                                                         : std::nullopt;
}

bool KeyOrders::in_given_order(TxnId first, TxnId second) const {
  const std::optional<std::int64_t> before = place(first);
  const std::optional<std::int64_t> after = place(second);
  return before && after && *before < *after;
}

bool KeyOrders::reads(TxnId txn, KeyId key) const {
  return std::ranges::any_of(effects_.reads(txn),
                             [key](const ExternalRead& read) { return read.key() == key; });
}

std::optional<KeyOrders::Ends> KeyOrders::ends(TxnId first, TxnId second, bool is_prefix) const {
  std::optional<Ends> strongest;
  const auto find = [&](KeyId key) {
    const bool wrote = effects_.writes(first, key);
    const bool writes = effects_.writes(second, key);
    std::optional<Ends> ends;
    if (wrote && (reads(second, key) || (writes && !is_prefix))) {
      ends = Ends{true, false};
    } else if (writes && (wrote || reads(first, key))) {
      ends = Ends{wrote, true};
    }
    const auto strength = [](const Ends& e) { return std::pair(!e.to_commit, e.from_commit); };
    if (ends && (!strongest || strength(*strongest) < strength(*ends))) {
      strongest = ends;
    }
  };
  for (const FinalWrite& write : effects_.writes(first)) {
    find(write.key);
  }
  for (const ExternalRead& read : effects_.reads(first)) {
    find(read.key());
  }
  return strongest;
}

/// What an execution showed and left behind of a key: numbers of versions, from 1.
struct KeyOrders::Span {
  KeyId key;
  std::optional<std::uint32_t> read = {};
  std::optional<std::uint32_t> written = {};

  [[nodiscard]] std::uint32_t last() const { return written.value_or(read.value_or(0)); }

  [[nodiscard]] bool follows(std::uint32_t version) const {
    return (!read || *read >= version) && (!written || *written > version);
  }
};

Flaw KeyOrders::check(std::span<const OrderEvent> order, bool is_serial) const {
  std::vector<std::vector<Span>> spans(history_.txn_count());
  std::vector<std::uint32_t> versions(history_.key_count(), 0);
  const auto span_of = [&](TxnId txn, KeyId key) -> Span& {
    auto& all = spans[txn.index()];
    const auto found = std::ranges::find(all, key, &Span::key);
    return found == all.end() ? all.emplace_back(Span{.key = key}) : *found;
  };
  for (const OrderEvent event : order) {
    if (!event.is_commit || is_serial) {
      for (const ExternalRead& read : effects_.reads(event.txn)) {
        span_of(event.txn, read.key()).read = versions[read.key().index()];
      }
    }
    for (const FinalWrite& write :
         event.is_commit ? effects_.writes(event.txn) : std::span<const FinalWrite>()) {
      span_of(event.txn, write.key).written = ++versions[write.key.index()];
    }
  }
  std::vector<std::uint32_t> latest(history_.key_count(), 0);  // of those that came before
  const auto compare = [&](TxnId txn) {
    for (const Span& span : spans[txn.index()]) {
      if (!span.follows(latest[span.key.index()])) {
        return Flaw(txn_text(history_, txn) + " meets a version of key " +
                    history_.key_text(span.key) + " older than one met before");
      }
    }
    return Flaw();
  };
  const auto pass = [&](TxnId txn) {
    for (const Span& span : spans[txn.index()]) {
      latest[span.key.index()] = std::max(latest[span.key.index()], span.last());
    }
  };
  for (std::uint32_t s = 0; s < history_.session_count() && assumptions_.sequential_keys; ++s) {
    for (const TxnId txn : history_.session_txns(SessionId{s})) {
      if (Flaw flaw = compare(txn)) {
        return flaw;
      }
      if (history_.committed(txn)) {
        pass(txn);
      }
    }
    for (const TxnId txn : history_.session_txns(SessionId{s})) {
      for (const Span& span : spans[txn.index()]) {
        latest[span.key.index()] = 0;
      }
    }
  }
  std::vector<std::tuple<EventId, TxnId, bool>> events;  // in time; true: completions
  for (std::uint32_t t = 0; t < history_.txn_count() && assumptions_.linearizable_keys; ++t) {
    if (history_.has_invocation(TxnId{t})) {
      events.emplace_back(history_.invocation_id(TxnId{t}), TxnId{t}, false);
    }
    if (history_.committed(TxnId{t})) {
      events.emplace_back(history_.completion_id(TxnId{t}), TxnId{t}, true);
    }
  }
  std::ranges::sort(events);
  for (const auto& [id, txn, is_completion] : events) {
    if (is_completion) {
      pass(txn);
    } else if (Flaw flaw = compare(txn)) {
      return flaw;
    }
  }
  std::vector<std::tuple<KeyId, std::int64_t, std::uint32_t>> placed;
  for (std::uint32_t t = 0; t < history_.txn_count() && !assumptions_.transaction_order.empty();
       ++t) {
    for (const Span& span : spans[t]) {
      if (const auto where = span.written ? place(TxnId{t}) : std::nullopt) {
        placed.emplace_back(span.key, *where, *span.written);
      }
    }
  }
  std::ranges::sort(placed);
  for (std::size_t i = 1; i < placed.size(); ++i) {
    const auto& [key, where, version] = placed[i - 1];
    const auto& [next_key, next_where, next_version] = placed[i];
    if (key == next_key && version > next_version) {
      return "versions of key " + history_.key_text(key) + " do not follow the order given";
    }
  }
  return {};
}

}  // namespace elapid::certify
