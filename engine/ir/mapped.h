// Makes a list from another one, item by item.
//
// ```cpp
// const std::vector<std::string> names = {"a", "bcd"};
// CHECK(mapped<std::size_t>(names, &std::string::size) == std::vector<std::size_t>{1, 3});
// ```
#pragma once

#include <functional>
#include <vector>

namespace elapid {

/// The result of `of`, a function or a member, for each item, in the order of the items.
template <class Element, class Items, class Of>
[[nodiscard]] std::vector<Element> mapped(const Items& items, Of of) {
  std::vector<Element> list;
  for (const auto& item : items) {
    list.push_back(std::invoke(of, item));
  }
  return list;
}

}  // namespace elapid
