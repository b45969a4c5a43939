// The configurations of a sweep, without those that another one dominates.
//
//   content 1, must: read 2, may: write 3     dominates     content 1, must: read 2, write 3
//
// All orders that are possible from the second one are possible from the first one, too.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/linearize/slot_mask.h"
#include "engine/linearize/sweep_plan.h"

namespace elapid::linearize {

template <unsigned Words>
struct RegisterConfiguration {
  Content content = 0;
  std::uint32_t uses = 0;       ///< row of UseCounts
  std::uint32_t use_count = 0;  ///< uses of all classes
  std::uint32_t trail = 0;      ///< end of an EffectTrail
  SlotMask<Words> must = {};    ///< operations that must take effect
  SlotMask<Words> may = {};     ///< writes that may count as done, or may still take effect

  [[nodiscard]] bool is_done(unsigned slot) const { return !must.has(slot) && !may.has(slot); }
};

/// A set of configurations. Only those with the same content and the same open cas are
/// compared.
template <unsigned Words>
class RegisterConfigurations {
 public:
  using Item = RegisterConfiguration<Words>;

  [[nodiscard]] std::size_t size() const { return items_.size(); }

  [[nodiscard]] bool is_empty() const { return items_.size() == dead_; }

  [[nodiscard]] bool is_dead(std::size_t i) const { return items_[i].content == kNoContent; }

  [[nodiscard]] const Item& operator[](std::size_t i) const { return items_[i]; }

  /// Calls `change(item)` for each. After this, call clear() before adding.
  template <class Change>
  void each(Change change) {
    for (Item& item : items_) {
      if (item.content != kNoContent) {
        change(item);
      }
    }
  }

  void clear() {
    items_.clear();
    next_.clear();
    dead_ = 0;
    ++epoch_;
  }

  /// Adds a configuration unless another one dominates it, and drops those that it dominates. Calls
  /// `dominates(x, y)` for configurations with the same content and open cas in `cas`.
  template <class Dominates>
  void add(const Item& item, const SlotMask<Words>& cas, Dominates dominates) {
    if (4 * (items_.size() + 1) > 3 * heads_.size()) {
      grow(cas);
    }
    const SlotMask<Words> open_cas = item.must & cas;
    Head& head = heads_[hash(item.content, open_cas) & (heads_.size() - 1)];
    if (head.epoch != epoch_) {
      head = {.epoch = epoch_, .first = kEnd};
    }
    for (std::uint32_t* link = &head.first; *link != kEnd;) {
      Item& other = items_[*link];
      const bool is_comparable = other.content == item.content && (other.must & cas) == open_cas;
      if (is_comparable && dominates(other, item)) {
        return;
      }
      if (is_comparable && dominates(item, other)) {
        other.content = kNoContent;
        ++dead_;
        *link = next_[*link];
      } else {
        link = &next_[*link];
      }
    }
    next_.push_back(head.first);
    head.first = static_cast<std::uint32_t>(items_.size());
    items_.push_back(item);
  }

 private:
  static constexpr std::uint32_t kEnd = 0xffffffffU;

  struct Head {
    std::uint64_t epoch = 0;
    std::uint32_t first = kEnd;
  };

  static std::size_t hash(Content content, const SlotMask<Words>& open_cas) {
    std::uint64_t h = content + 0x9e3779b97f4a7c15U;
    for (const std::uint64_t word : open_cas.words) {
      h = (h ^ word) * 0xff51afd7ed558ccdU;
      h ^= h >> 29;
    }
    return h;
  }

  void grow(const SlotMask<Words>& cas) {
    heads_.assign(heads_.empty() ? 16 : 2 * heads_.size(), {.epoch = epoch_, .first = kEnd});
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
      if (!is_dead(i)) {
        Head& head = heads_[hash(items_[i].content, items_[i].must & cas) & (heads_.size() - 1)];
        next_[i] = head.first;
        head.first = i;
      }
    }
  }

  std::vector<Item> items_;
  std::vector<std::uint32_t> next_;  // in the same bucket
  std::vector<Head> heads_;          // their number is a power of two
  std::size_t dead_ = 0;
  std::uint64_t epoch_ = 1;
};

}  // namespace elapid::linearize
