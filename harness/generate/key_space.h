// The keys in use: a fixed number at a time. Each is retired after a number of writes and replaced
// by a new one, as in Jepsen's tests. So lists stay short, and histories of any length need little
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/generate/distribution.h"
#include "harness/generate/random.h"

namespace elapid {

/// A key and the place of its value in the store. A place is reused for another key when its key is
/// retired and no request holds it.
struct KeyRef {
  std::uint32_t slot = 0;
  std::int64_t key = 0;
};

class KeySpace {
 public:
  /// `count` keys in use, drawn by `law`. None is retired if `max_writes` is 0. Requires count > 0.
  KeySpace(std::size_t count, std::uint64_t max_writes, const Law& law);

  [[nodiscard]] std::size_t count() const { return in_use_.size(); }

  /// Draws a key; returns its place among the keys in use.
  std::size_t draw(Random& random) const { return law_.draw(random); }

  [[nodiscard]] KeyRef at(std::size_t place) const {
    const std::uint32_t slot = in_use_[place];
    return {slot, slots_[slot].key};
  }

  /// Counts a write of a key in use. Returns the number of the write, from 1. Retires the key after
  /// its last write.
  std::uint64_t count_write(std::size_t place);

  /// A new key that is never drawn, until release().
  KeyRef fresh();

  void hold(std::uint32_t slot) { ++slots_[slot].holds; }

  void release(std::uint32_t slot) {
    if (--slots_[slot].holds == 0) {
      free_.push_back(slot);
    }
  }

  /// The number of keys so far.
  [[nodiscard]] std::int64_t made() const { return next_key_; }

 private:
  struct Slot {
    std::int64_t key = 0;
    std::uint64_t writes = 0;
    std::uint32_t holds = 0;  // a key in use counts as one
  };

  Distribution law_;
  std::uint64_t max_writes_;
  std::vector<Slot> slots_ = {};
  std::vector<std::uint32_t> free_ = {};
  std::vector<std::uint32_t> in_use_ = {};
  std::int64_t next_key_ = 0;
};

}  // namespace elapid
