#include "adapter/report/order/order_picture.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>

namespace elapid {
namespace {

/// The number of operations shown behind the one at which the order stops.
constexpr std::uint32_t kAfterStop = 200;

constexpr std::uint32_t kNoObject = 0xffffffffU;

constexpr std::uint64_t kParts = 1000;  // of the way from an event to the next one

/// Whether the operation takes part in orders.
bool takes_part(const History& history, TxnId txn) {
  const bool only_reads =
      std::ranges::all_of(history.ops(txn), [](const Op& op) { return op.is_read(); });
  return history.has_invocation(txn) && !history.ops(txn).empty() &&
         history.status(txn) != TxnStatus::kAborted && (history.committed(txn) || !only_reads);
}

/// Groups of keys: operations join the keys that they use.
class KeyGroups {
 public:
  explicit KeyGroups(const History& history) : of_(history.key_count()) {
    std::iota(of_.begin(), of_.end(), 0U);
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      for (const Op& op : history.ops(txn)) {
        of_[root(op.key().value)] = root(history.ops(txn).front().key().value);
      }
    }
  }

  std::uint32_t root(std::uint32_t key) {
    while (of_[key] != key) {
      key = of_[key] = of_[of_[key]];
    }
    return key;
  }

 private:
  std::vector<std::uint32_t> of_;
};

class Painter {
 public:
  Painter(const History& history, const OrderFound& found) : history_(history), found_(found) {}

  OrderPicture paint(std::size_t most) {
    number_order();
    choose(most);
    place_events();
    share_lanes();
    set_instants();
    return std::move(picture_);
  }

 private:
  void number_order() {
    for (std::size_t i = 0; i < found_.order.size(); ++i) {
      number_of_[found_.order[i].value] = static_cast<std::uint32_t>(i + 1);
    }
    picture_.ordered = found_.order.size();
  }

  void choose(std::size_t most) {
    const TxnId one = found_.stops_at.is_none() ? found_.order.front() : found_.stops_at;
    const std::vector<std::uint32_t> objects = objects_of_txns(history_);
    std::vector<TxnId> txns;
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (objects[txn.index()] == objects[one.index()] &&
          (takes_part(history_, txn) || number_of_.contains(txn.value))) {
        txns.push_back(txn);
      }
    }
    std::ranges::sort(txns, {}, [&](TxnId txn) { return history_.invocation_id(txn); });
    std::size_t end = std::min(txns.size(), most);
    if (!found_.stops_at.is_none()) {
      const EventId stop = history_.completion_id(found_.stops_at);
      const auto after = std::ranges::upper_bound(
          txns, stop, {}, [&](TxnId txn) { return history_.invocation_id(txn); });
      end = std::min(txns.size(), static_cast<std::size_t>(after - txns.begin()) + kAfterStop);
    }
    picture_.left_out = end > most ? end - most : 0;
    for (std::size_t i = picture_.left_out; i < end; ++i) {
      picture_.bars.push_back({.txn = txns[i], .returned = history_.committed(txns[i])});
    }
  }

  /// Numbers the events of the shown operations 0, 1, ...
  void place_events() {
    std::vector<EventId> events;
    for (const OrderPicture::Bar& bar : picture_.bars) {
      events.push_back(history_.invocation_id(bar.txn));
      if (history_.has_completion(bar.txn)) {
        events.push_back(history_.completion_id(bar.txn));
      }
    }
    std::ranges::sort(events);
    const auto place = [&](EventId event) {
      return static_cast<std::uint32_t>(std::ranges::lower_bound(events, event) - events.begin());
    };
    picture_.events = static_cast<std::uint32_t>(events.size());
    for (OrderPicture::Bar& bar : picture_.bars) {
      bar.begin = place(history_.invocation_id(bar.txn));
      bar.end =
          history_.has_completion(bar.txn) ? place(history_.completion_id(bar.txn)) : bar.begin + 1;
    }
  }

  /// A process takes the free lane whose last operation ended first; without one, a new lane.
  void share_lanes() {
    std::unordered_map<std::uint32_t, std::uint32_t> last_of;  // by session
    for (const OrderPicture::Bar& bar : picture_.bars) {
      std::uint32_t& last = last_of[history_.session(bar.txn).value];
      last = std::max(last, bar.end);
    }
    using Ending = std::pair<std::uint32_t, std::uint32_t>;  // event and lane
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> taken;
    std::unordered_map<std::uint32_t, std::uint32_t> lane_of;
    for (OrderPicture::Bar& bar : picture_.bars) {
      const SessionId session = history_.session(bar.txn);
      const auto [at, is_new] = lane_of.try_emplace(session.value, 0);
      if (is_new && !taken.empty() && taken.top().first < bar.begin) {
        at->second = taken.top().second;
        taken.pop();
      } else if (is_new) {
        at->second = static_cast<std::uint32_t>(picture_.lanes.size());
        picture_.lanes.push_back("process " + history_.session_text(session));
      }
      if (is_new) {
        taken.emplace(last_of[session.value], at->second);
      }
      bar.lane = at->second;
    }
  }

  void set_instants() {
    std::vector<OrderPicture::Bar*> ordered;
    for (OrderPicture::Bar& bar : picture_.bars) {
      const auto number = number_of_.find(bar.txn.value);
      bar.number = number == number_of_.end() ? 0 : number->second;
      if (bar.number != 0) {
        ordered.push_back(&bar);
      }
    }
    std::ranges::sort(ordered, {}, &OrderPicture::Bar::number);
    std::uint32_t latest = 0;
    for (std::size_t i = 0; i < ordered.size();) {
      latest = std::max(latest, ordered[i]->begin);
      std::size_t end = i + 1;
      while (end < ordered.size() && ordered[end]->begin <= latest) {
        ++end;
      }
      for (std::size_t at = i; at < end; ++at) {
        ordered[at]->instant = latest * kParts + kParts * (at - i + 1) / (end - i + 1);
      }
      i = end;
    }
  }

  const History& history_;
  const OrderFound& found_;
  std::unordered_map<std::uint32_t, std::uint32_t> number_of_;  // in the order, by transaction
  OrderPicture picture_;
};

}  // namespace

std::vector<std::uint32_t> objects_of_txns(const History& history) {
  KeyGroups groups(history);
  std::vector<std::uint32_t> objects(history.txn_count());
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    objects[txn.index()] = ops.empty() ? kNoObject : groups.root(ops.front().key().value);
  }
  return objects;
}

OrderPicture order_picture(const History& history, const OrderFound& found, std::size_t most) {
  const bool is_empty = found.order.empty() && found.stops_at.is_none();
  return is_empty ? OrderPicture() : Painter(history, found).paint(most);
}

}  // namespace elapid
