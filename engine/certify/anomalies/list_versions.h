// The order of a list's versions, as reads show it: what stands next to what, and what stands last.
//
// A list read shows the order of its elements directly (docs/elle-rules.md). Where an element
// occurs more than once its first occurrence counts.
#pragma once

#include <compare>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::certify {

/// 12 bytes an element of each key's longest lists; prefixes of those cost nothing. Made in
/// O(elements log elements), asked in O(log elements).
class ListVersions {
 public:
  /// Reads count where `readers` has their transaction; own elements with_own only.
  ListVersions(const History& history, const std::vector<bool>& readers, bool with_own);

  /// Whether some list shows `after` directly behind `before`, or first if `before` is none().
  [[nodiscard]] bool adjacent(KeyId key, ValueId before, ValueId after) const;

  /// What lists show directly before `element`; none() where one begins with it.
  [[nodiscard]] std::vector<ValueId> elements_before(KeyId key, ValueId element) const;

  /// What longest lists of the key end in.
  [[nodiscard]] std::vector<ValueId> last_elements(KeyId key) const;

  /// Whether some list shows `element`.
  [[nodiscard]] bool observed(KeyId key, ValueId element) const;

  /// Whether a longest list of the key ends in `last`; none(): whether all its lists are empty.
  [[nodiscard]] bool ends_longest(KeyId key, ValueId last) const;

 private:
  struct Succession {
    KeyId key;
    ValueId after = ValueId::none();
    ValueId before = ValueId::none();
    friend auto operator<=>(const Succession&, const Succession&) = default;
  };

  struct Tip {
    KeyId key;
    ValueId last = ValueId::none();
    friend auto operator<=>(const Tip&, const Tip&) = default;
  };

  std::vector<Succession> successions_;
  std::vector<Tip> tips_;  // last elements of the longest lists of each key
};

}  // namespace elapid::certify
