// Finds an element's place in a list that was read. Fast also if much evidence is about one list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::certify {

/// Sorts a key's longest list when it is first asked about. Of other lists it sorts the current
/// one.
class ShownElements {
 public:
  explicit ShownElements(const History& history) : history_(history) {}

  /// The first place of the element in the list of a kReadList. O(log n), and once O(n log n) a
  /// list.
  [[nodiscard]] std::optional<std::size_t> place(Op read, ValueId element);

 private:
  using Places = std::vector<std::pair<ValueId, std::uint32_t>>;

  static Places sorted(std::span<const ValueId> list);
  const Places& places_of(Op read);

  const History& history_;
  std::unordered_map<KeyId, Places> trunks_;
  Op other_;  // whose places these are
  Places of_other_;
};

}  // namespace elapid::certify
