// Which keys are in use: some number at a time, each retired after some number of writes and
// replaced by a new one, as in Jepsen's tests, so that lists stay short and histories of any length
// need little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/generate/distribution.h"
#include "harness/generate/random.h"

namespace elapid {

/// A key and the place of its value in the store. A place is used again for another key once its
/// key is retired and no request holds it.
struct KeyRef {
  std::uint32_t slot = 0;
  std::int64_t key = 0;
};

class KeySpace {
 public:
  /// `count` keys in use, drawn by `law`; none is retired if `max_writes` is 0. Requires count > 0.
  KeySpace(std::size_t count, std::uint64_t max_writes, const Law& law);

  [[nodiscard]] std::size_t count() const { return in_use_.size(); }

  /// The place among those in use of one that is drawn.
  std::size_t draw(Random& random) const { return law_.draw(random); }

  [[nodiscard]] KeyRef at(std::size_t place) const {
    const std::uint32_t slot = in_use_[place];
    return {slot, slots_[slot].key};
  }

  /// Counts a write of a key in use, and says the how many-th it is, from 1. Retires it where that
  /// was the last.
  std::uint64_t count_write(std::size_t place);

  /// A further key that is not among those drawn, until release().
  KeyRef fresh();

  void hold(std::uint32_t slot) { ++slots_[slot].holds; }

  void release(std::uint32_t slot) {
    if (--slots_[slot].holds == 0) {
      free_.push_back(slot);
    }
  }

  /// How many keys there have been.
  [[nodiscard]] std::int64_t made() const { return next_key_; }

 private:
  struct Slot {
    std::int64_t key = 0;
    std::uint64_t writes = 0;
    std::uint32_t holds = 0;  // being in use is one
  };

  Distribution law_;
  std::uint64_t max_writes_;
  std::vector<Slot> slots_ = {};
  std::vector<std::uint32_t> free_ = {};
  std::vector<std::uint32_t> in_use_ = {};
  std::int64_t next_key_ = 0;
};

}  // namespace elapid
