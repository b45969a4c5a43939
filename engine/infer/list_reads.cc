#include "engine/infer/list_reads.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace elapid {

BadElements::BadElements(const History& history, Find find)
    : history_(history),
      find_(std::move(find)),
      in_literal_(history.literal_list_count()),
      is_literal_known_(history.literal_list_count(), false) {
  for (std::uint32_t k = 0; k < history.key_count(); ++k) {
    in_trunk_.push_back(find_({k}, history.trunk({k})));
  }
}

std::span<const std::uint32_t> BadElements::of(Op read) {
  if (read.list().is_prefix()) {
    const ListPlaces& all = in_trunk_[read.key().index()];
    const auto end = std::lower_bound(all.begin(), all.end(), read.list().length());
    return std::span(all).first(static_cast<std::size_t>(end - all.begin()));
  }
  const std::uint32_t literal = read.list().literal_index();
  if (!is_literal_known_[literal]) {
    is_literal_known_[literal] = true;
    in_literal_[literal] = find_(read.key(), history_.elements(read));
  }
  return in_literal_[literal];
}

ListPlaces repeated_places(std::span<const ValueId> elements) {
  ListPlaces places;
  std::unordered_set<ValueId> before;
  for (std::uint32_t i = 0; i < elements.size(); ++i) {
    if (!before.insert(elements[i]).second) {
      places.push_back(i);
    }
  }
  return places;
}

std::vector<ValueId> without_repetitions(std::span<const ValueId> elements) {
  std::vector<ValueId> distinct(elements.begin(), elements.end());
  std::vector<ValueId> sorted = distinct;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    std::unordered_set<ValueId> seen;
    std::erase_if(distinct, [&seen](ValueId element) { return !seen.insert(element).second; });
  }
  return distinct;
}

}  // namespace elapid
