// The number of operations of each open class that a configuration used.
//
//   {write 5: 2, cas 1 3: 1}     two writes of 5 that never returned took effect, and one cas
//
// Configurations share rows: each has the number of its row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace elapid::linearize {

class UseCounts {
 public:
  struct Use {
    std::uint32_t in_class = 0;
    std::uint32_t count = 0;
  };

  /// The row without any uses.
  static constexpr std::uint32_t kNone = 0;

  [[nodiscard]] std::span<const Use> row(std::uint32_t number) const {
    return std::span(uses_).subspan(begin_[number], begin_[number + 1] - begin_[number]);
  }

  [[nodiscard]] std::uint32_t used(std::uint32_t number, std::uint32_t in_class) const {
    const auto uses = row(number);
    const auto found = std::ranges::lower_bound(uses, in_class, {}, &Use::in_class);
    return found == uses.end() || found->in_class != in_class ? 0 : found->count;
  }

  /// A new row with one more use of the class, and without classes for which `is_past` is true.
  template <class IsPast>
  std::uint32_t with_one_more(std::uint32_t number, std::uint32_t in_class, IsPast is_past) {
    bool is_added = false;
    for (std::uint32_t i = begin_[number]; i < begin_[number + 1]; ++i) {
      Use use = uses_[i];
      if (use.in_class >= in_class && !is_added) {
        is_added = true;
        const bool is_same = use.in_class == in_class;
        uses_.push_back({.in_class = in_class, .count = (is_same ? use.count : 0) + 1});
        if (is_same) {
          continue;
        }
      }
      if (!is_past(use.in_class)) {
        uses_.push_back(use);
      }
    }
    if (!is_added) {
      uses_.push_back({.in_class = in_class, .count = 1});
    }
    begin_.push_back(static_cast<std::uint32_t>(uses_.size()));
    return static_cast<std::uint32_t>(begin_.size() - 2);
  }

  /// Whether `fewer` uses at most as many of each class as `more`. Linear in both rows.
  [[nodiscard]] bool are_within(std::uint32_t fewer, std::uint32_t more) const {
    if (fewer == more) {
      return true;
    }
    const auto others = row(more);
    const auto* other = others.data();
    const auto* const end = other + others.size();
    for (const Use& use : row(fewer)) {
      while (other != end && other->in_class < use.in_class) {
        ++other;
      }
      if (other == end || other->in_class != use.in_class || other->count < use.count) {
        return false;
      }
    }
    return true;
  }

  /// The number of elements in all rows.
  [[nodiscard]] std::size_t size() const { return uses_.size(); }

  /// Drops all other rows, and renumbers these in order. Requires distinct ascending numbers that
  /// include kNone.
  void keep(std::span<const std::uint32_t> numbers) {
    UseCounts kept;
    for (const std::uint32_t number : numbers) {
      if (number != kNone) {
        const auto uses = row(number);
        kept.uses_.insert(kept.uses_.end(), uses.begin(), uses.end());
        kept.begin_.push_back(static_cast<std::uint32_t>(kept.uses_.size()));
      }
    }
    *this = std::move(kept);
  }

 private:
  std::vector<Use> uses_;
  std::vector<std::uint32_t> begin_ = {0, 0};  // by row, with an end entry
};

}  // namespace elapid::linearize
