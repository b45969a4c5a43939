#include "engine/replay/sorted_rows.h"

#include <utility>

namespace elapid::replay {

void SortedRows::insert(std::int64_t at, KeyId row) {
  const Entry entry = {at, row};
  if (blocks_.empty()) {
    blocks_.emplace_back();
    ends_.push_back(entry);
  }
  const std::size_t place = std::min(block_of(entry), blocks_.size() - 1);
  Block& block = blocks_[place];
  block.insert(std::ranges::upper_bound(block, entry), entry);
  ends_[place] = block.back();
  if (block.size() > kMost) {
    split(place);
  }
}

/// Splits a block in the middle.
void SortedRows::split(std::size_t at) {
  const auto next = static_cast<std::ptrdiff_t>(at) + 1;
  Block& block = blocks_[at];
  const auto middle = block.begin() + kMost / 2;
  Block behind(middle, block.end());
  block.erase(middle, block.end());
  ends_[at] = block.back();
  ends_.insert(ends_.begin() + next, behind.back());
  blocks_.insert(blocks_.begin() + next, std::move(behind));
}

void SortedRows::erase(std::int64_t at, KeyId row) {
  const Entry entry = {at, row};
  const std::size_t place = block_of(entry);
  Block& block = blocks_[place];
  block.erase(std::ranges::lower_bound(block, entry));
  if (!block.empty()) {
    ends_[place] = block.back();
    return;
  }
  blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(place));
  ends_.erase(ends_.begin() + static_cast<std::ptrdiff_t>(place));
}

std::size_t SortedRows::count_within(std::int64_t low, std::int64_t high) const {
  if (low > high) {
    return 0;
  }
  const Entry first = {low, KeyId{0}};
  const Entry last = {high, KeyId::none()};
  std::size_t at = block_of(first);
  if (at == blocks_.size()) {
    return 0;
  }
  const auto before = [](const Block& block, auto place) {
    return static_cast<std::size_t>(place - block.begin());
  };
  const std::size_t skipped = before(blocks_[at], std::ranges::lower_bound(blocks_[at], first));
  std::size_t count = 0;
  for (; at < blocks_.size() && ends_[at] <= last; ++at) {
    count += blocks_[at].size();
  }
  if (at < blocks_.size()) {
    count += before(blocks_[at], std::ranges::upper_bound(blocks_[at], last));
  }
  return count - skipped;
}

}  // namespace elapid::replay
