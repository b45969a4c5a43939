// The texts of lists that were read before, by key. Most lists begin like an earlier one of their
// key. So they are compared with that one, eight bytes at a time, and only the rest is parsed.
//
// ```cpp
// KnownLists lists;
// const std::vector<ValueId> elements = {ValueId::integer(10), ValueId::integer(2)};
// lists.of(ValueId::integer(7)).learn("10 2", elements, 0);
// const std::string text = "10 2 3]" + std::string(kWordPadding, '\0');
// GrowingVector<ValueId> known;
// CHECK(lists.of(ValueId::integer(7)).take(text.data(), known) == text.data() + 4);
// CHECK(known.size() == 2);
// ```
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/growing_vector.h"
#include "engine/ir/ids.h"
#include "parsers/bytes/word.h"

namespace elapid {

/// Elements, and their text: one space between two elements, and no brackets.
class KnownList {
 public:
  /// Adds the known elements at the beginning of the text at `at`, and returns their end. A NUL and
  /// kWordPadding readable bytes must follow the text.
  const char* take(const char* at, GrowingVector<ValueId>& elements) const {
    std::size_t same = 0;  // bytes
    for (; same < size_; same += 8) {
      const std::uint64_t differences = word_at(at + same) ^ word_at(text_.data() + same);
      if (differences != 0) {
        same += static_cast<std::size_t>(std::countr_zero(differences)) / 8;
        break;
      }
    }
    same = std::min(same, size_);
    if (at[same] != ' ' && at[same] != ']' && same > 0) {
      --same;  // no element ends there
    }
    const std::size_t count =
        same == size_
            ? ends_.size()
            : static_cast<std::size_t>(std::ranges::upper_bound(ends_, same) - ends_.begin());
    elements.append(std::span(elements_).first(count));
    return count == 0 ? at : at + ends_[count - 1];
  }

  /// Keeps another list; its first `same` elements, found by take(), are those of the old one.
  void learn(std::string_view text, std::span<const ValueId> elements, std::size_t same) {
    if (text.size() > kMostBytes) {
      return;
    }
    ends_.resize(same);
    const std::size_t known = same == 0 ? 0 : ends_.back();
    for (std::size_t end = known + 1; end <= text.size(); ++end) {
      if (end == text.size() || text[end] == ' ') {
        ends_.push_back(static_cast<std::uint32_t>(end));
      }
    }
    has_interned_ = !std::ranges::all_of(elements, &ValueId::is_integer);
    elements_.resize(same);
    elements_.insert(elements_.end(), elements.begin() + static_cast<std::ptrdiff_t>(same),
                     elements.end());
    text_.resize(known);
    text_.append(text.substr(known)).append(8, '\0');
    size_ = text.size();
  }

  void forget() {
    size_ = 0;
    ends_.clear();
    elements_.clear();
  }

  [[nodiscard]] bool has_interned() const { return has_interned_; }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{1} << 12;

  std::string text_;  // with padding
  std::size_t size_ = 0;
  std::vector<std::uint32_t> ends_;  // of each element, in the text
  std::vector<ValueId> elements_;
  bool has_interned_ = false;
};

/// The lists of the most recent keys.
class KnownLists {
 public:
  KnownList& of(ValueId key) {
    slots_.resize(kKeys);  // does nothing but the first time
    Slot& slot = slots_[key.bits() % kKeys];
    if (slot.key != key) {
      slot.key = key;
      slot.list.forget();
    }
    return slot.list;
  }

  /// Switches to values of another pool: only small integers have the same ids.
  void change_pool() {
    for (Slot& slot : slots_) {
      if (!slot.key.is_integer() || slot.list.has_interned()) {
        slot.key = ValueId::none();
        slot.list.forget();
      }
    }
  }

 private:
  static constexpr std::size_t kKeys = 256;

  struct Slot {
    ValueId key = ValueId::none();
    KnownList list = {};
  };

  std::vector<Slot> slots_;
};

}  // namespace elapid
