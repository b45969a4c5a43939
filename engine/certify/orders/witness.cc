#include "engine/certify/orders/witness.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <span>
#include <tuple>
#include <vector>

#include "engine/certify/flaw.h"
#include "engine/certify/operations/effects.h"
#include "engine/certify/operations/key_orders.h"
#include "engine/certify/operations/key_states.h"
#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/participants.h"
#include "engine/certify/orders/commit_places.h"
#include "engine/certify/patience.h"
#include "engine/ir/share_work.h"
#include "engine/verdict/bound_versions.h"

namespace elapid {

namespace certify {

namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

/// Where the events of each transaction stand in the order; one event is start and commit alike.
struct Places {
  std::vector<std::uint32_t> start;
  std::vector<std::uint32_t> commit;
};

/// Checks the order without looking at operations.
class OrderCheck {
 public:
  OrderCheck(const History& history, OrderLevel level, std::span<const OrderEvent> order)
      : history_(history), level_(level), order_(order) {}

  /// Fills `places`.
  Flaw check(Places& places) {
    places.start.assign(history_.txn_count(), kNowhere);
    places.commit.assign(history_.txn_count(), kNowhere);
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      if (Flaw flaw = place(i, places)) {
        return flaw;
      }
    }
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (Flaw flaw = check_presence(TxnId{t}, places)) {
        return flaw;
      }
    }
    if (Flaw flaw = check_initial(places)) {
      return flaw;
    }
    if (Flaw flaw = level_.sessions ? check_sessions(places) : Flaw()) {
      return flaw;
    }
    return level_.real_time ? check_real_time(history_, order_, is_serial()) : Flaw();
  }

 private:
  [[nodiscard]] std::string text(TxnId txn) const { return txn_text(history_, txn); }

  [[nodiscard]] bool is_serial() const { return level_.visibility == Visibility::kSerial; }

  Flaw place(std::uint32_t i, Places& places) const {
    const OrderEvent event = order_[i];
    if (event.txn.index() >= history_.txn_count()) {
      return "there is no transaction number " + std::to_string(event.txn.value);
    }
    if (history_.status(event.txn) == TxnStatus::kAborted) {
      return text(event.txn) + " aborted and is in the order";
    }
    if (!event.is_commit && is_serial()) {
      return text(event.txn) + " has a start of its own in a serial order";
    }
    std::uint32_t& here = (event.is_commit ? places.commit : places.start)[event.txn.index()];
    if (here != kNowhere) {
      return text(event.txn) + " is in the order twice";
    }
    here = i;
    if (is_serial()) {
      places.start[event.txn.index()] = i;
    }
    return {};
  }

  [[nodiscard]] Flaw check_presence(TxnId txn, const Places& places) const {
    const std::uint32_t start = places.start[txn.index()];
    const std::uint32_t commit = places.commit[txn.index()];
    if (commit == kNowhere && history_.committed(txn)) {
      return text(txn) + " committed and is not in the order";
    }
    if ((commit == kNowhere) != (start == kNowhere)) {
      return text(txn) + " has only one of its two events in the order";
    }
    if (commit != kNowhere && start > commit) {
      return text(txn) + " commits before it starts";
    }
    return {};
  }

  [[nodiscard]] Flaw check_initial(const Places& places) const {
    const TxnId initial = history_.info().initial_txn;
    if (initial.is_none() || !history_.committed(initial)) {
      return {};
    }
    const std::uint32_t last_first_event = is_serial() ? 0 : 1;
    return places.commit[initial.index()] == last_first_event
               ? Flaw()
               : text(initial) + " wrote the initial state and does not come first";
  }

  [[nodiscard]] Flaw check_sessions(const Places& places) const {
    for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
      TxnId last;  // to commit, of the committed ones so far
      for (const TxnId txn : history_.session_txns(SessionId{s})) {
        const std::uint32_t start = places.start[txn.index()];
        if (start == kNowhere) {
          continue;
        }
        if (!last.is_none() && places.commit[last.index()] > start) {
          return text(last) + " comes before " + text(txn) +
                 " in its session, but not in the order";
        }
        if (history_.committed(txn)) {
          last = txn;
        }
      }
    }
    return {};
  }

  const History& history_;
  OrderLevel level_;
  std::span<const OrderEvent> order_;
};

/// By reader.
std::vector<ReadFrom> sorted(std::span<const ReadFrom> claims) {
  std::vector<ReadFrom> by_reader(claims.begin(), claims.end());
  std::ranges::sort(by_reader, {}, [](const ReadFrom& claim) {
    return std::tuple(claim.reader, claim.key, claim.writer);
  });
  return by_reader;
}

/// Carries transactions out in their order.
class Replay {
 public:
  /// `beginning`: no writes. `claims`: by reader.
  Replay(const History& history, OrderLevel level, const Places& places, const KeyStates& beginning,
         std::span<const ReadFrom> claims)
      : history_(history),
        level_(level),
        places_(places),
        states_(beginning),
        last_writer_(history.key_count()),
        claims_(claims) {}

  /// Checks the events of a range. The writes of all before take effect unchecked.
  Flaw run(std::span<const OrderEvent> order, IndexRange range, Patience& patience) {
    constexpr std::uint32_t kInstallsAStep = 64;
    for (std::uint32_t i = 0; i < range.begin; ++i) {
      if (i % kInstallsAStep == 0 && !patience.goes_on()) {
        return kToldToStop;
      }
      if (order[i].is_commit) {
        install(order[i].txn);
      }
    }
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      const OrderEvent event = order[i];
      if (!patience.goes_on()) {
        return kToldToStop;
      }
      if (Flaw flaw = !event.is_commit || is_serial() ? start(event.txn) : Flaw()) {
        return flaw;
      }
      if (Flaw flaw = event.is_commit ? commit(event.txn) : Flaw()) {
        return flaw;
      }
    }
    return {};
  }

 private:
  [[nodiscard]] bool is_serial() const { return level_.visibility == Visibility::kSerial; }

  /// The transaction reads what is there and what it writes itself. No other transaction sees its
  /// writes yet, and where it commits at once, none comes between.
  Flaw start(TxnId txn) {
    own_writes_.clear();
    Flaw flaw;
    for (const Op op : effective_ops(history_, txn)) {
      if (op.is_write()) {
        own_writes_.push_back(states_.put(op));
      } else if (is_answered(history_, txn, op) && !states_.agrees(op)) {
        flaw = "carried out in this order, " + txn_text(history_, txn) + " would not read key " +
               history_.shown_key(op.key()) + " as it did";
        break;
      }
    }
    for (std::size_t i = is_serial() ? 0 : own_writes_.size(); i-- > 0;) {
      states_.take_back(own_writes_[i]);
    }
    return flaw ? flaw : check_claims(txn);
  }

  [[nodiscard]] Flaw check_claims(TxnId reader) const {
    for (const ReadFrom& claim : std::ranges::equal_range(claims_, reader, {}, &ReadFrom::reader)) {
      const std::span<const Op> ops = effective_ops(history_, reader);
      const bool reads = std::ranges::any_of(
          ops, [&](Op op) { return op.key() == claim.key && is_answered(history_, reader, op); });
      if (!reads || last_writer_[claim.key.index()] != claim.writer) {
        return txn_text(history_, reader) + " does not read from the writer that the claim names";
      }
    }
    return {};
  }

  void install(TxnId txn) {
    for (const Op op : effective_ops(history_, txn)) {
      if (op.is_write()) {
        last_writer_[op.key().index()] = txn;
        states_.put(op);
      }
    }
  }

  Flaw commit(TxnId txn) {
    for (const Op op : effective_ops(history_, txn)) {
      if (!op.is_write()) {
        continue;
      }
      TxnId& last = last_writer_[op.key().index()];
      if (level_.visibility == Visibility::kSnapshot && !last.is_none() && last != txn &&
          places_.commit[last.index()] > places_.start[txn.index()]) {
        return txn_text(history_, last) + " and " + txn_text(history_, txn) + " both write key " +
               history_.shown_key(op.key()) + " and overlap";
      }
      last = txn;
      if (!is_serial()) {
        states_.put(op);
      }
    }
    return {};
  }

  const History& history_;
  OrderLevel level_;
  const Places& places_;
  KeyStates states_;
  std::vector<TxnId> last_writer_;    // by key
  std::span<const ReadFrom> claims_;  // by reader
  std::vector<KeyStates::Undo> own_writes_;
};

/// Carries all transactions out. Threads share the order; each checks a part. Parts behind one with
/// a flaw end: the first flaw counts.
Flaw check_replay(const History& history, OrderLevel level, const Places& places,
                  const Witness& witness, const std::function<bool()>& keep_going) {
  constexpr double kPriceOfWrites = 0.4;  // of all operations
  const std::vector<ReadFrom> claims = sorted(witness.reads);
  for (const ReadFrom& claim : claims) {
    if (claim.reader.index() >= history.txn_count() ||
        places.start[claim.reader.index()] == kNowhere) {
      return "something is said of the reads of transaction number " +
             std::to_string(claim.reader.value) + ", which is not in the order";
    }
  }
  std::mutex asking;
  const auto ask = [&] {
    const std::scoped_lock lock(asking);
    return !keep_going || keep_going();
  };
  const KeyStates beginning(history);
  const std::vector<IndexRange> ranges =
      ranges_to_catch_up(witness.order.size(), kPriceOfWrites,
                         beginning.bytes() + sizeof(TxnId) * history.key_count());
  std::vector<Flaw> flaws(ranges.size());
  std::atomic<std::size_t> flawed = ranges.size();  // the first part so far
  share_work(ranges.size(), [&](std::size_t i) {
    const std::function<bool()> goes_on = [&] { return flawed >= i && ask(); };
    Patience patience(goes_on);
    flaws[i] =
        Replay(history, level, places, beginning, claims).run(witness.order, ranges[i], patience);
    for (std::size_t first = flawed; flaws[i] && i < first;) {
      if (flawed.compare_exchange_weak(first, i)) {
        break;
      }
    }
  });
  const auto first = std::ranges::find_if(flaws, &Flaw::has_value);
  return first == flaws.end() ? Flaw() : *first;
}

}  // namespace

}  // namespace certify

std::optional<std::string> check_witness(const History& history, OrderLevel level,
                                         const Witness& witness, const Assumptions& assumptions,
                                         const std::function<bool()>& keep_going) {
  certify::Places places;
  if (certify::Flaw flaw = certify::OrderCheck(history, level, witness.order).check(places)) {
    return flaw;
  }
  if (certify::Flaw flaw = certify::check_replay(history, level, places, witness, keep_going)) {
    return flaw;
  }
  if (!bind_versions(assumptions, history)) {
    return {};
  }
  const certify::Effects effects(history);
  const Assumptions assumed = of_versions(assumptions, history);
  return certify::KeyOrders(history, effects, assumed)
      .check(witness.order, level.visibility == Visibility::kSerial);
}

}  // namespace elapid
