// A value for each pair of a session and a key.
//
//   BySessionAndKey<Progress> seen(history);
//   seen.of(session, key) = progress;
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/int_map.h"

namespace elapid::kafka {

/// Most histories have few sessions and keys: each pair has a place in an array. If there are more
/// pairs than operations, the pairs that occur are in a table.
template <class T>
class BySessionAndKey {
 public:
  explicit BySessionAndKey(const History& history)
      : key_count_(history.key_count()),
        is_dense_(history.session_count() * key_count_ <= history.op_count()),
        values_(is_dense_ ? history.session_count() * key_count_ : 0) {}

  /// Valid until the next call. At first it is a T(). O(1) on average.
  [[nodiscard]] T& of(SessionId session, KeyId key) {
    const std::size_t pair = session.index() * key_count_ + key.index();
    if (is_dense_) {
      return values_[pair];
    }
    const auto fresh = static_cast<std::uint32_t>(values_.size());
    const std::uint32_t place = places_.find_or_add(static_cast<std::int64_t>(pair), fresh);
    if (place == fresh) {
      values_.emplace_back();
    }
    return values_[place];
  }

 private:
  std::size_t key_count_;
  bool is_dense_;
  std::vector<T> values_;
  IntMap places_;
};

}  // namespace elapid::kafka
