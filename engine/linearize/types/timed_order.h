// Sorts operations that happen at known instants.
//
//   at 4: enqueue 1; at 9: dequeue 1; at 6: enqueue 2    in order: enqueue 1, enqueue 2, dequeue 1
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/linearize/operation.h"

namespace elapid::linearize {

class TimedOrder {
 public:
  /// At one instant, the operation with the smaller rank is first; of equal ranks, the one that was
  /// added first.
  void add(std::uint64_t instant, std::uint32_t rank, std::uint32_t place) {
    entries_.push_back({instant, rank, static_cast<std::uint32_t>(entries_.size()), place});
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

  /// O(n log n).
  [[nodiscard]] std::vector<std::uint32_t> sorted() && {
    std::sort(entries_.begin(), entries_.end());
    std::vector<std::uint32_t> order(entries_.size());
    std::transform(entries_.begin(), entries_.end(), order.begin(),
                   [](const Entry& entry) { return entry.place; });
    return order;
  }

 private:
  struct Entry {
    std::uint64_t instant;
    std::uint32_t rank;
    std::uint32_t number;
    std::uint32_t place;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  std::vector<Entry> entries_;
};

}  // namespace elapid::linearize
