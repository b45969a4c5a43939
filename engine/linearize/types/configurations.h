// Configurations of a sweep, without those that another one makes superfluous.
//
//   state 4, done {a}, used {1, 0}    makes    state 4, done {a}, used {1, 2}    superfluous
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/hash_index.h"
#include "engine/ir/seeded_hash.h"

namespace elapid::linearize {

/// Each is a row of numbers: the state, the open operations that are done (a bit each), the number
/// used of each class of operations without a return, and its last step.
class Configurations {
 public:
  /// `words`: count of numbers with done bits; `classes`: count of numbers with uses.
  Configurations(std::size_t words, std::size_t classes)
      : key_(1 + words), width_(1 + words + classes + 1) {}

  [[nodiscard]] std::size_t size() const { return next_.size(); }

  [[nodiscard]] std::size_t width() const { return width_; }

  /// Valid until the next insertion.
  [[nodiscard]] std::span<std::uint32_t> at(std::size_t i) {
    return std::span(rows_).subspan(i * width_, width_);
  }

  void clear() {
    rows_.clear();
    next_.clear();
    index_.reset();
  }

  /// The first one with the same state and done operations; nothing if there is none.
  [[nodiscard]] std::optional<std::size_t> alike(std::span<const std::uint32_t> row) {
    if (!index_) {
      for (std::uint32_t other = 0; other < size(); ++other) {
        if (are_alike(row, other)) {
          return other;
        }
      }
      return std::nullopt;
    }
    const std::uint32_t found =
        index_->find(hash_of(row), [&](std::uint32_t other) { return are_alike(row, other); });
    return found == HashIndex::kAbsent ? std::nullopt : std::optional<std::size_t>(found);
  }

  /// The number of those with the same state and done operations, up to `most`.
  [[nodiscard]] std::size_t count_alike(std::span<const std::uint32_t> row, std::size_t most) {
    std::size_t count = 0;
    const std::optional<std::size_t> first = alike(row);
    for (std::uint32_t i = first ? static_cast<std::uint32_t>(*first) : kEnd;
         i != kEnd && count < most; i = next_[i]) {
      ++count;
    }
    return count;
  }

  /// The number of operations without a return that it used.
  [[nodiscard]] std::uint64_t used(std::span<const std::uint32_t> row) const {
    return std::accumulate(row.begin() + static_cast<std::ptrdiff_t>(key_), row.end() - 1,
                           std::uint64_t{0});
  }

  /// Adds a row, unless one with the same state and done operations used no more. Whether it was
  /// added. O(those with the same state and done operations).
  bool insert(std::span<const std::uint32_t> row) {
    const auto fresh = static_cast<std::uint32_t>(size());
    const std::optional<std::size_t> first = alike(row);
    for (std::uint32_t other = first ? static_cast<std::uint32_t>(*first) : kEnd; other != kEnd;
         other = next_[other]) {
      if (uses_at_most(at(other), row)) {
        return false;
      }
    }
    next_.push_back(first ? std::exchange(next_[*first], fresh) : kEnd);
    rows_.insert(rows_.end(), row.begin(), row.end());
    if (index_) {
      add_to_index(fresh);
    } else if (size() > kFew) {
      index_.emplace();
      for (std::uint32_t i = 0; i < size(); ++i) {
        add_to_index(i);
      }
    }
    return true;
  }

  /// The same, but keeps one alone of those with the same state and done operations: one that used
  /// the fewest operations without a return.
  bool insert_cheapest(std::span<const std::uint32_t> row) {
    const std::optional<std::size_t> other = alike(row);
    if (!other) {
      return insert(row);
    }
    const bool is_cheaper = used(row) < used(at(*other));
    if (is_cheaper) {
      std::ranges::copy(row, at(*other).begin());
    }
    return is_cheaper;
  }

 private:
  static constexpr std::uint32_t kEnd = 0xffffffffU;
  static constexpr std::size_t kFew = 8;  // are compared one by one

  void add_to_index(std::uint32_t i) {
    index_->find_or_add(hash_of(at(i)), i,
                        [&](std::uint32_t other) { return are_alike(at(i), other); });
  }

  [[nodiscard]] std::uint32_t hash_of(std::span<const std::uint32_t> row) const {
    const std::string_view bytes(reinterpret_cast<const char*>(row.data()),
                                 key_ * sizeof(std::uint32_t));
    return static_cast<std::uint32_t>(seeded_hash(bytes) >> 32);
  }

  [[nodiscard]] bool are_alike(std::span<const std::uint32_t> row, std::uint32_t other) {
    return std::equal(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(key_),
                      at(other).begin());
  }

  [[nodiscard]] bool uses_at_most(std::span<const std::uint32_t> a,
                                  std::span<const std::uint32_t> b) const {
    for (std::size_t i = key_; i + 1 < width_; ++i) {
      if (a[i] > b[i]) {
        return false;
      }
    }
    return true;
  }

  std::size_t key_;
  std::size_t width_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> next_;  // next one with the same state and done operations
  std::optional<HashIndex> index_;   // the first one of these; nothing while there are few
};

}  // namespace elapid::linearize
