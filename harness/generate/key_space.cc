#include "harness/generate/key_space.h"

namespace elapid {

KeySpace::KeySpace(std::size_t count, std::uint64_t max_writes, const Law& law)
    : law_(law, count), max_writes_(max_writes) {
  for (std::size_t place = 0; place < count; ++place) {
    in_use_.push_back(fresh().slot);
  }
}

std::uint64_t KeySpace::count_write(std::size_t place) {
  const std::uint32_t slot = in_use_[place];
  const std::uint64_t writes = ++slots_[slot].writes;
  if (max_writes_ != 0 && writes >= max_writes_) {
    in_use_[place] = fresh().slot;
    release(slot);
  }
  return writes;
}

KeyRef KeySpace::fresh() {
  std::uint32_t slot = 0;
  if (free_.empty()) {
    slot = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  slots_[slot] = {.key = next_key_++, .writes = 0, .holds = 1};
  return {slot, slots_[slot].key};
}

}  // namespace elapid
