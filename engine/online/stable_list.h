// A list whose entries never move, so that one thread can read them while another adds more.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <utility>

namespace elapid {

/// Blocks of 1, 2, 4... entries. One thread adds. Another may read the entries that were added
/// before it was told of them (by a mutex, say), whatever is added meanwhile.
template <class Entry>
class StableList {
 public:
  void push_back(Entry entry) {
    const auto [block, index] = place_of(size_);
    if (index == 0) {
      blocks_[block] = std::make_unique<Entry[]>(std::size_t{1} << block);
    }
    blocks_[block][index] = std::move(entry);
    ++size_;
  }

  [[nodiscard]] const Entry& operator[](std::size_t i) const {
    const auto [block, index] = place_of(i);
    return blocks_[block][index];
  }

  /// For the thread that adds.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  static std::pair<std::size_t, std::size_t> place_of(std::size_t i) {
    const auto block = static_cast<std::size_t>(std::bit_width(i + 1) - 1);
    return {block, i + 1 - (std::size_t{1} << block)};
  }

  std::array<std::unique_ptr<Entry[]>, 64> blocks_;
  std::size_t size_ = 0;
};

}  // namespace elapid
