#include "engine/certify/operations/key_orders.h"

#include <algorithm>
#include <tuple>

#include "engine/certify/operations/operations.h"

namespace elapid::certify {

KeyOrders::KeyOrders(const History& history, const Effects& effects, const Assumptions& assumptions)
    : history_(history),
      effects_(effects),
      assumptions_(assumptions),
      places_(assumptions.transaction_order) {
  std::ranges::sort(places_);
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

std::optional<Ends> KeyOrders::ends(TxnId first, TxnId second, bool is_prefix) const {
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

namespace {

/// What a transaction saw and left behind of a key in an execution: numbers of versions, from 1.
struct Span {
  KeyId key;
  std::optional<std::uint32_t> read = {};
  std::optional<std::uint32_t> written = {};

  [[nodiscard]] std::uint32_t last() const { return written.value_or(read.value_or(0)); }

  [[nodiscard]] bool follows(std::uint32_t version) const {
    return (!read || *read >= version) && (!written || *written > version);
  }
};

/// By transaction, one span a key.
using Spans = std::vector<std::vector<Span>>;

/// The spans of all transactions, if events take place in this order.
Spans spans_of(const History& history, const Effects& effects, std::span<const OrderEvent> order,
               bool is_serial) {
  Spans spans(history.txn_count());
  std::vector<std::uint32_t> versions(history.key_count(), 0);
  const auto span_of = [&](TxnId txn, KeyId key) -> Span& {
    auto& all = spans[txn.index()];
    const auto found = std::ranges::find(all, key, &Span::key);
    return found == all.end() ? all.emplace_back(Span{.key = key}) : *found;
  };
  for (const OrderEvent event : order) {
    if (!event.is_commit || is_serial) {
      for (const ExternalRead& read : effects.reads(event.txn)) {
        span_of(event.txn, read.key()).read = versions[read.key().index()];
      }
    }
    for (const FinalWrite& write :
         event.is_commit ? effects.writes(event.txn) : std::span<const FinalWrite>()) {
      span_of(event.txn, write.key).written = ++versions[write.key.index()];
    }
  }
  return spans;
}

/// The latest version of each key among the transactions passed. No transaction behind them may
/// meet an older one.
class LatestVersions {
 public:
  LatestVersions(const History& history, const Spans& spans)
      : history_(history), spans_(spans), latest_(history.key_count(), 0) {}

  [[nodiscard]] Flaw check(TxnId txn) const {
    for (const Span& span : spans_[txn.index()]) {
      if (!span.follows(latest_[span.key.index()])) {
        return txn_text(history_, txn) + " meets a version of key " + history_.shown_key(span.key) +
               " older than one met before";
      }
    }
    return {};
  }

  void pass(TxnId txn) {
    for (const Span& span : spans_[txn.index()]) {
      std::uint32_t& latest = latest_[span.key.index()];
      latest = std::max(latest, span.last());
    }
  }

  /// Begins anew with the keys that the transaction touched.
  void forget(TxnId txn) {
    for (const Span& span : spans_[txn.index()]) {
      latest_[span.key.index()] = 0;
    }
  }

 private:
  const History& history_;
  const Spans& spans_;
  std::vector<std::uint32_t> latest_;  // by key
};

/// --sequential-keys: each session sees the versions of a key in order.
Flaw check_sessions(const History& history, const Spans& spans) {
  LatestVersions latest(history, spans);
  for (std::uint32_t s = 0; s < history.session_count(); ++s) {
    const std::span<const TxnId> txns = history.session_txns(SessionId{s});
    for (const TxnId txn : txns) {
      if (Flaw flaw = latest.check(txn)) {
        return flaw;
      }
      if (history.committed(txn)) {
        latest.pass(txn);
      }
    }
    for (const TxnId txn : txns) {
      latest.forget(txn);
    }
  }
  return {};
}

/// --linearizable-keys: real time sees the versions of a key in order.
Flaw check_spans_in_real_time(const History& history, const Spans& spans) {
  std::vector<std::tuple<EventId, TxnId, bool>> events;  // in time; true: completions
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.has_invocation(TxnId{t})) {
      events.emplace_back(history.invocation_id(TxnId{t}), TxnId{t}, false);
    }
    if (history.committed(TxnId{t})) {
      events.emplace_back(history.completion_id(TxnId{t}), TxnId{t}, true);
    }
  }
  std::ranges::sort(events);
  LatestVersions latest(history, spans);
  for (const auto& [id, txn, is_completion] : events) {
    if (is_completion) {
      latest.pass(txn);
    } else if (Flaw flaw = latest.check(txn)) {
      return flaw;
    }
  }
  return {};
}

/// --transaction-order: versions of a key follow the places that their writers were given.
template <class PlaceOf>
Flaw check_given_order(const History& history, const Spans& spans, PlaceOf place_of) {
  std::vector<std::tuple<KeyId, std::int64_t, std::uint32_t>> placed;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    for (const Span& span : spans[t]) {
      if (const auto place = span.written ? place_of(TxnId{t}) : std::nullopt) {
        placed.emplace_back(span.key, *place, *span.written);
      }
    }
  }
  std::ranges::sort(placed);
  for (std::size_t i = 1; i < placed.size(); ++i) {
    const auto& [key, place, version] = placed[i - 1];
    const auto& [next_key, next_place, next_version] = placed[i];
    if (key == next_key && version > next_version) {
      return "versions of key " + history.shown_key(key) + " do not follow the order given";
    }
  }
  return {};
}

}  // namespace

Flaw KeyOrders::check(std::span<const OrderEvent> order, bool is_serial) const {
  const Spans spans = spans_of(history_, effects_, order, is_serial);
  Flaw flaw = assumptions_.sequential_keys ? check_sessions(history_, spans) : Flaw();
  if (!flaw && assumptions_.linearizable_keys) {
    flaw = check_spans_in_real_time(history_, spans);
  }
  if (!flaw && !assumptions_.transaction_order.empty()) {
    flaw = check_given_order(history_, spans, [this](TxnId txn) { return place(txn); });
  }
  return flaw;
}

}  // namespace elapid::certify
