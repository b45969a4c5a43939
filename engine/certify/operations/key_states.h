// The contents of keys while a history is executed again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

/// By key: the elements of a list, or the value of a register, or nothing. 4 bytes an append and 28
/// a key. Refers to the history. Each write may be in effect once at a time.
class KeyStates {
 public:
  KeyStates(const History& history);

  /// The state that a write replaced.
  struct Undo {
    KeyId key;
    std::uint32_t length = 0;
    std::uint32_t place = 0;
    ValueId element = ValueId::none();
  };

  /// The memory that a copy takes.
  [[nodiscard]] std::size_t bytes() const {
    return begin_.size() * (2 * sizeof(std::uint32_t) + sizeof(Agreement)) +
           elements_.size() * sizeof(ValueId);
  }

  Undo put(Op write);
  /// Undoes the latest write.
  void take_back(const Undo& undo);

  /// Whether a read of a committed transaction would return this result. Linear over all reads
  /// while the lists read are prefixes of one another.
  [[nodiscard]] bool agrees(Op read);

 private:
  [[nodiscard]] std::span<ValueId> state(KeyId key) {
    return std::span(elements_).subspan(begin_[key.index()], length_[key.index()]);
  }

  [[nodiscard]] bool is_state(KeyId key, std::span<const ValueId> list);

  /// A list whose first elements are those that the key has.
  struct Agreement {
    const ValueId* list = nullptr;
    std::uint32_t length = 0;
  };

  const History& history_;
  std::vector<std::uint32_t> begin_;  // room for all appends to the list, or one value
  std::vector<std::uint32_t> length_;
  std::vector<Agreement> agreed_;
  std::vector<ValueId> elements_;
};

}  // namespace elapid::certify
