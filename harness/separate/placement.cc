#include "harness/separate/placement.h"

#include <algorithm>
#include <functional>
#include <map>

namespace elapid {

namespace {

using Sessions = std::vector<std::vector<std::size_t>>;

std::uint8_t bit(std::size_t txn) {
  return static_cast<std::uint8_t>(1U << txn);
}

/// All orders that intervals of time can have, each with its steps.
class IntervalOrders {
 public:
  explicit IntervalOrders(std::size_t txns) : txns_(txns) { step(0, 0, {}); }

  [[nodiscard]] const std::map<Before, std::vector<std::size_t>>& all() const { return all_; }

 private:
  void step(std::uint8_t invoked, std::uint8_t completed, const Before& before) {
    if (steps_.size() == 2 * txns_) {
      all_.try_emplace(before, steps_);
      return;
    }
    for (std::size_t t = 0; t < txns_; ++t) {
      if ((completed & bit(t)) != 0) {
        continue;
      }
      const bool is_open = (invoked & bit(t)) != 0;
      Before then = before;
      if (!is_open) {
        then[t] = completed;
      }
      steps_.push_back(t);
      step(static_cast<std::uint8_t>(invoked | bit(t)),
           static_cast<std::uint8_t>(is_open ? completed | bit(t) : completed), then);
      steps_.pop_back();
    }
  }

  std::size_t txns_;
  std::vector<std::size_t> steps_ = {};
  std::map<Before, std::vector<std::size_t>> all_ = {};
};

/// Adds all ways to assign the transactions from `next` on to sessions, existing or new.
void add_sessions(std::size_t next, std::size_t txns, const Sessions& so_far,
                  std::vector<Sessions>& all) {
  if (next == txns) {
    all.push_back(so_far);
    return;
  }
  for (std::size_t s = 0; s < so_far.size(); ++s) {
    for (std::size_t at = 0; at <= so_far[s].size(); ++at) {
      Sessions with = so_far;
      with[s].insert(with[s].begin() + static_cast<std::ptrdiff_t>(at), next);
      add_sessions(next + 1, txns, with, all);
    }
  }
  Sessions with = so_far;
  with.push_back({next});
  add_sessions(next + 1, txns, with, all);
}

Before order_of(const Sessions& sessions) {
  Before before = {};
  for (const std::vector<std::size_t>& session : sessions) {
    std::uint8_t earlier = 0;
    for (const std::size_t txn : session) {
      before[txn] = earlier;
      earlier = static_cast<std::uint8_t>(earlier | bit(txn));
    }
  }
  return before;
}

std::vector<std::size_t> numbers_of(const Sessions& sessions, std::size_t txns) {
  std::vector<std::size_t> numbers(txns);
  for (std::size_t s = 0; s < sessions.size(); ++s) {
    for (const std::size_t txn : sessions[s]) {
      numbers[txn] = s;
    }
  }
  return numbers;
}

bool contains(const Before& order, const Before& part) {
  for (std::size_t t = 0; t < kSmallTxns; ++t) {
    if ((part[t] & ~order[t]) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<SmallPlacement> all_placements(std::size_t txns, bool with_times) {
  const IntervalOrders orders(txns);
  std::vector<Sessions> all_sessions;
  add_sessions(0, txns, {}, all_sessions);
  std::vector<SmallPlacement> placements;
  for (const Sessions& sessions : all_sessions) {
    const Before session_order = order_of(sessions);
    const bool has_all_times = with_times && sessions.size() == txns;
    for (const auto& [before, steps] : orders.all()) {
      const auto is_less = [&, &whole = before](const auto& other) {
        return other.first != whole && contains(whole, other.first) &&
               contains(other.first, session_order);
      };
      if (contains(before, session_order) &&
          (has_all_times || std::ranges::none_of(orders.all(), is_less))) {
        placements.push_back({numbers_of(sessions, txns), steps, before});
      }
    }
  }
  std::ranges::stable_sort(placements, std::greater(), [](const SmallPlacement& placement) {
    return *std::ranges::max_element(placement.sessions);
  });
  return placements;
}

}  // namespace elapid
