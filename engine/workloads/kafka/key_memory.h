// What is known of some keys for the moment, forgotten all at once in constant time.
//
//   process 0 polls x up to 3, is assigned to y alone, and polls x again: the 3 is forgotten
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/ids.h"

namespace elapid::kafka {

/// One value a key. Setting and finding are O(1).
template <class T>
class KeyMemory {
 public:
  explicit KeyMemory(std::size_t key_count) : values_(key_count), epochs_(key_count, 0) {}

  void forget_all() { ++epoch_; }

  /// Forgets all but these keys.
  void keep_only(std::span<const KeyId> keys) {
    ++epoch_;
    for (const KeyId key : keys) {
      std::uint32_t& epoch = epochs_[key.index()];
      epoch = epoch + 1 == epoch_ ? epoch_ : epoch;
    }
  }

  void set(KeyId key, T value) {
    values_[key.index()] = std::move(value);
    epochs_[key.index()] = epoch_;
  }

  /// Null if nothing is known.
  [[nodiscard]] T* find(KeyId key) {
    return epochs_[key.index()] == epoch_ ? &values_[key.index()] : nullptr;
  }

 private:
  std::vector<T> values_;
  std::vector<std::uint32_t> epochs_;
  std::uint32_t epoch_ = 1;
};

}  // namespace elapid::kafka
