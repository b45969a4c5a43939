// The configurations of a sweep, none of which another makes superfluous.
//
//   content 1, must: read 2, may: write 3     dominates     content 1, must: read 2, write 3
//
// Whatever follows from the second follows from the first, too.
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
  SlotMask<Words> may = {};     ///< writes that may count as done, or take effect yet

  [[nodiscard]] bool is_done(unsigned slot) const { return !must.has(slot) && !may.has(slot); }
};

/// A set of configurations in which only those of the same content and the same open cas are
/// compared.
template <unsigned Words>
class RegisterConfigurations {
 public:
  using Item = RegisterConfiguration<Words>;

  [[nodiscard]] std::size_t size() const { return items_.size(); }

  [[nodiscard]] bool is_empty() const { return items_.size() == dead_; }

  [[nodiscard]] bool is_dead(std::size_t i) const { return items_[i].content == kNoContent; }

  [[nodiscard]] const Item& operator[](std::size_t i) const { return items_[i]; }

  /// `change(item)` for each. Afterwards nothing may be added before the next clear().
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

  /// Adds what no other dominates, and drops what it dominates. `dominates(x, y)` is asked of
  /// configurations of the same content and the same open cas among `cas`.
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
  std::vector<std::uint32_t> next_;  // of the same bucket
  std::vector<Head> heads_;          // a power of two of them
  std::size_t dead_ = 0;
  std::uint64_t epoch_ = 1;
};

}  // namespace elapid::linearize
