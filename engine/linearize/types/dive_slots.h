// The open transactions of a quick search (multi_register_dive.h), a slot each, and their marks in
// its possibilities.
//
//   x 1, y 2 | done: slot 3 | hidden: slot 0 | used: 4 | last step        a possibility: a row
//
// Done: the transaction has taken effect. Hidden: it may have, unseen. Used: how many transactions
// took effect that never return; they have no slots.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/linearize/types/configurations.h"

namespace elapid::linearize {

class DiveSlots {
 public:
  using Row = std::span<std::uint32_t>;
  using ConstRow = std::span<const std::uint32_t>;

  /// The place of each transaction, or kFree.
  using Places = std::vector<std::uint32_t>;
  static constexpr std::uint32_t kFree = 0xffffffffU;

  /// For at most so many open at once.
  DiveSlots(std::size_t registers, std::size_t most)
      : places_(most, kFree), registers_(registers), words_((most + 31) / 32) {}

  [[nodiscard]] Configurations no_rows() const { return {registers_ - 1 + 2 * words_, 1}; }

  [[nodiscard]] const Places& places() const { return places_; }

  void restore(Places places) { places_ = std::move(places); }

  [[nodiscard]] std::uint32_t place(std::uint32_t slot) const { return places_[slot]; }

  [[nodiscard]] std::uint32_t slot_of(std::uint32_t place) const {
    return static_cast<std::uint32_t>(std::ranges::find(places_, place) - places_.begin());
  }

  void enter(std::uint32_t place) { places_[slot_of(kFree)] = place; }

  void leave(std::uint32_t slot) { places_[slot] = kFree; }

  /// Calls `see` with the slot of each open transaction.
  template <class See>
  void for_each(const See& see) const {
    for (std::uint32_t slot = 0; slot < places_.size(); ++slot) {
      if (places_[slot] != kFree) {
        see(slot);
      }
    }
  }

  /// The same for those that are not done.
  template <class See>
  void for_undone(ConstRow row, const See& see) const {
    for_each([&](std::uint32_t slot) {
      if (!is_done(row, slot)) {
        see(slot);
      }
    });
  }

  [[nodiscard]] bool is_done(ConstRow row, std::uint32_t slot) const {
    return (row[registers_ + slot / 32] >> slot % 32 & 1U) != 0;
  }

  [[nodiscard]] bool is_hidden(ConstRow row, std::uint32_t slot) const {
    return (row[registers_ + words_ + slot / 32] >> slot % 32 & 1U) != 0;
  }

  void mark_hidden(Row row, std::uint32_t slot) const {
    row[registers_ + words_ + slot / 32] |= 1U << slot % 32;
  }

  void mark_done(Row row, std::uint32_t slot) const {
    clear_marks(row, slot);
    row[registers_ + slot / 32] |= 1U << slot % 32;
  }

  void clear_marks(Row row, std::uint32_t slot) const {
    row[registers_ + slot / 32] &= ~(1U << slot % 32);
    row[registers_ + words_ + slot / 32] &= ~(1U << slot % 32);
  }

  void add_use(Row row) const { ++row[registers_ + 2 * words_]; }

  /// Whether all that is possible for a row is possible for the other one, but for what it used: a
  /// hidden transaction may count as done or not, and one of `reads` (bits by slot) that is done
  /// hinders nothing.
  [[nodiscard]] bool is_as_good(ConstRow other, ConstRow row,
                                const std::vector<std::uint32_t>& reads) const {
    if (!std::ranges::equal(other.first(registers_), row.first(registers_))) {
      return false;
    }
    for (std::size_t k = 0; k < words_; ++k) {
      const std::uint32_t done = other[registers_ + k];
      const std::uint32_t hidden = other[registers_ + words_ + k];
      const std::uint32_t differs = (done ^ row[registers_ + k]) | row[registers_ + words_ + k];
      if ((differs & ~hidden & ~(done & reads[k])) != 0) {
        return false;
      }
    }
    return true;
  }

 private:
  Places places_;
  std::size_t registers_;
  std::size_t words_;
};

}  // namespace elapid::linearize
