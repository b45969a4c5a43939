// Numbers for the ids that a format gives its transactions. The ids usually count up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ir/int_map.h"

namespace elapid {

/// Numbers ids from 0 on in the order of their arrival. Ids that are dense from 0 on take four to
/// eight bytes and no hashing; others are in an IntMap.
class IdNumbers {
 public:
  /// Ids below `reach` always count as dense.
  explicit IdNumbers(std::size_t reach = 1024) : reach_(reach) {}

  /// The number of `id`; for a new id, the former size().
  std::uint32_t number(std::int64_t id) {
    const auto at = static_cast<std::uint64_t>(id);
    if (at < dense_.size() && dense_[at] != IntMap::kAbsent) {
      return dense_[at];
    }
    return other_number(id);
  }

  /// The number of `id`, or IntMap::kAbsent.
  [[nodiscard]] std::uint32_t find(std::int64_t id) const {
    const auto at = static_cast<std::uint64_t>(id);
    return at < dense_.size() && dense_[at] != IntMap::kAbsent ? dense_[at] : sparse_.find(id);
  }

  /// Prefetches the data of number(id), for a call soon after; see IntMap::prefetch.
  [[gnu::always_inline]] void prefetch(std::int64_t id) const {
    const auto at = static_cast<std::uint64_t>(id);
    if (at < dense_.size()) {
      __builtin_prefetch(&dense_[at], 1);
    } else {
      sparse_.prefetch(id);
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::uint32_t other_number(std::int64_t id) {
    if (const std::uint32_t known = sparse_.find(id); known != IntMap::kAbsent) {
      return known;
    }
    const auto fresh = static_cast<std::uint32_t>(size_++);
    const auto at = static_cast<std::uint64_t>(id);
    if (at >= reach_) {
      return sparse_.find_or_add(id, fresh);
    }
    if (at >= dense_.size()) {
      dense_.resize(reach_, IntMap::kAbsent);
      reach_ *= 2;
    }
    return dense_[at] = fresh;
  }

  std::size_t reach_;                 // ids from here on are out of reach
  std::vector<std::uint32_t> dense_;  // by id
  IntMap sparse_;                     // ids that were out of reach on arrival
  std::size_t size_ = 0;
};

}  // namespace elapid
