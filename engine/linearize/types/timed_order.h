// Sorts operations that happen at known instants.
//
//   at 4: enqueue 1; at 9: dequeue 1; at 6: enqueue 2    in order: enqueue 1, enqueue 2, dequeue 1
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include "engine/linearize/operation.h"

namespace elapid::linearize {

class TimedOrder {
 public:
  /// At one instant, the operation with the smaller rank is first; of equal ranks, the one that was
  /// added first.
  void add(std::uint64_t instant, std::uint32_t rank, std::uint32_t place) {
    entries_.push_back({instant, rank, place});
    last_ = std::max(last_, instant);
  }

  /// Adds the order of operations of one object, each as early as its predecessors allow. Orders of
  /// several objects that share no operation are merged into an order that each of them accepts,
  /// since linearizability is local (Herlihy and Wing, TOPLAS 12(3), 1990, section 3.3).
  void add_object(const Operations& operations, std::span<const std::uint32_t> order) {
    std::uint32_t latest = 0;
    for (const std::uint32_t place : order) {
      latest = std::max(latest, operations[place].invoked);
      add(latest, 0, place);
    }
  }

  /// O(n) where the greatest instant is not far above the number of operations, else O(n log n).
  [[nodiscard]] std::vector<std::uint32_t> sorted() && {
    std::vector<std::uint32_t> order = by_instant();
    for (std::uint32_t& number : order) {
      number = entries_[number].place;
    }
    return order;
  }

 private:
  struct Entry {
    std::uint64_t instant;
    std::uint32_t rank;
    std::uint32_t place;
  };

  [[nodiscard]] bool is_before(std::uint32_t a, std::uint32_t b) const {
    return std::tuple(entries_[a].instant, entries_[a].rank, a) <
           std::tuple(entries_[b].instant, entries_[b].rank, b);
  }

  /// The numbers of entries. Each goes behind those of earlier instants; few have one in common.
  [[nodiscard]] std::vector<std::uint32_t> by_instant() const {
    const auto earlier = [this](std::uint32_t a, std::uint32_t b) { return is_before(a, b); };
    std::vector<std::uint32_t> order(entries_.size());
    if (last_ > 8 * entries_.size()) {
      std::iota(order.begin(), order.end(), 0U);
      std::sort(order.begin(), order.end(), earlier);
      return order;
    }
    std::vector<std::uint32_t> end(last_ + 2);
    for (const Entry& entry : entries_) {
      ++end[entry.instant + 1];
    }
    std::partial_sum(end.begin(), end.end(), end.begin());
    for (std::uint32_t number = 0; number < entries_.size(); ++number) {
      order[end[entries_[number].instant]++] = number;
    }
    std::uint32_t begin = 0;
    for (const std::uint32_t behind : end) {
      if (behind - begin > 1) {
        std::sort(order.begin() + begin, order.begin() + behind, earlier);
      }
      begin = behind;
    }
    return order;
  }

  std::vector<Entry> entries_;
  std::uint64_t last_ = 0;  // the greatest instant
};

}  // namespace elapid::linearize
