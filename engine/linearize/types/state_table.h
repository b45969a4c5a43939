// States as numbers: each state of a model is stored once.
//
//   intern({1, 2}) is 0, intern({7}) is 1, intern({1, 2}) is 0 again
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/ir/hash_index.h"
#include "engine/ir/seeded_hash.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

class StateTable {
 public:
  /// O(length of the state).
  std::uint32_t intern(const State& state) {
    const std::string_view bytes(reinterpret_cast<const char*>(state.data()),
                                 state.size() * sizeof(std::uint32_t));
    const auto hash = static_cast<std::uint32_t>(seeded_hash(bytes) >> 32);
    const std::uint32_t fresh = size();
    const std::uint32_t id =
        index_.find_or_add(hash, fresh, [&](std::uint32_t other) { return is_at(other, state); });
    if (id == fresh) {
      numbers_.insert(numbers_.end(), state.begin(), state.end());
      begin_.push_back(numbers_.size());
    }
    return id;
  }

  [[nodiscard]] std::span<const std::uint32_t> at(std::uint32_t id) const {
    return std::span(numbers_).subspan(begin_[id], begin_[id + 1] - begin_[id]);
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(begin_.size() - 1); }

 private:
  [[nodiscard]] bool is_at(std::uint32_t id, const State& state) const {
    const std::span<const std::uint32_t> other = at(id);
    return std::equal(other.begin(), other.end(), state.begin(), state.end());
  }

  std::vector<std::uint32_t> numbers_;
  std::vector<std::size_t> begin_ = {0};
  HashIndex index_;
};

}  // namespace elapid::linearize
