#include "engine/replay/sorted_rows.h"

#include <limits>

namespace elapid::replay {

void SortedRows::insert(std::int64_t at, KeyId row) {
  const Entry entry = {at, row};
  if (blocks_.empty()) {
    blocks_.push_back({entry});
    return;
  }
  auto block = blocks_.begin() + (block_of(entry) - blocks_.cbegin());
  block -= block == blocks_.end() ? 1 : 0;
  block->insert(std::ranges::upper_bound(*block, entry), entry);
  if (block->size() > kMost) {
    const auto middle = block->begin() + kMost / 2;
    Block behind(middle, block->end());
    block->erase(middle, block->end());
    blocks_.insert(block + 1, std::move(behind));
  }
}

void SortedRows::erase(std::int64_t at, KeyId row) {
  const Entry entry = {at, row};
  const auto block = blocks_.begin() + (block_of(entry) - blocks_.cbegin());
  block->erase(std::ranges::lower_bound(*block, entry));
  if (block->empty()) {
    blocks_.erase(block);
  }
}

std::size_t SortedRows::count_within(std::int64_t low, std::int64_t high) const {
  const Entry first = {low, KeyId{0}};
  const Entry last = {high, KeyId::none()};
  std::size_t count = 0;
  for (auto block = block_of(first); block != blocks_.end() && block->front() <= last; ++block) {
    const auto begin =
        block->front() < first ? std::ranges::lower_bound(*block, first) : block->begin();
    const auto end = last < block->back() ? std::ranges::upper_bound(*block, last) : block->end();
    count += begin < end ? static_cast<std::size_t>(end - begin) : 0;
  }
  return count;
}

}  // namespace elapid::replay
