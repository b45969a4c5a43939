// Compares a list that was read with the elements that are certainly there, where other elements
// may have been appended at any time.
#pragma once

#include <cstddef>

namespace elapid {

/// How far a list that was read agrees with the certain elements, which keep their order.
struct MatchedList {
  std::size_t shown = 0;    ///< the elements read that are certain, or may be there
  std::size_t certain = 0;  ///< the certain elements that they show
};

/// Each element read is the next certain one, or one for which `may_be_there(element)`. If an
/// element is both, it is taken for the certain one: the others are the same elements either way.
template <class List, class Certain, class MayBeThere>
[[nodiscard]] MatchedList match_list(const List& list, const Certain& certain,
                                     MayBeThere may_be_there) {
  MatchedList matched;
  auto next = certain.begin();
  for (const auto& element : list) {
    if (next != certain.end() && element == *next) {
      ++next;
      ++matched.certain;
    } else if (!may_be_there(element)) {
      break;
    }
    ++matched.shown;
  }
  return matched;
}

/// Whether the list shows all certain elements, and others that may be there.
template <class List, class Certain, class MayBeThere>
[[nodiscard]] bool is_explained(const List& list, const Certain& certain, MayBeThere may_be_there) {
  const MatchedList matched = match_list(list, certain, may_be_there);
  return matched.shown == list.size() && matched.certain == certain.size() &&
         matched.certain < matched.shown;
}

}  // namespace elapid
