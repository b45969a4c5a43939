// The order of a list's versions that reads show: neighbours, and last elements.
//
// A list read shows the order of its elements directly (docs/elle-rules.md). If an element occurs
// more than once, its first occurrence counts.
#pragma once

#include <compare>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::certify {

/// 12 bytes an element of each key's longest lists; their prefixes take no memory. Made in
/// O(elements log elements); a look-up costs O(log elements).
class ListVersions {
 public:
  /// Reads of transactions in `readers` count; the readers' own elements count if `with_own`.
  ListVersions(const History& history, const std::vector<bool>& readers, bool with_own);

  /// Whether a list shows `after` right after `before`, or first if `before` is none().
  [[nodiscard]] bool adjacent(KeyId key, ValueId before, ValueId after) const;

  /// The elements right before `element` in lists; none() if a list begins with `element`.
  [[nodiscard]] std::vector<ValueId> elements_before(KeyId key, ValueId element) const;

  /// The last elements of the key's longest lists.
  [[nodiscard]] std::vector<ValueId> last_elements(KeyId key) const;

  /// Whether a list shows `element`.
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
