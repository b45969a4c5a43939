#include "engine/certify/operations/shown_elements.h"

#include <algorithm>

namespace elapid::certify {

std::optional<std::size_t> ShownElements::place(Op read, ValueId element) {
  const Places& places = places_of(read);
  const auto first = std::ranges::lower_bound(places, std::pair(element, std::uint32_t{0}));
  const bool is_shown = first != places.end() && first->first == element &&
                        first->second < history_.elements(read).size();
  return is_shown ? std::optional<std::size_t>(first->second) : std::nullopt;
}

ShownElements::Places ShownElements::sorted(std::span<const ValueId> list) {
  Places places;
  places.reserve(list.size());
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    places.emplace_back(list[i], i);
  }
  std::ranges::sort(places);
  return places;
}

const ShownElements::Places& ShownElements::places_of(Op read) {
  if (read.list().is_prefix()) {
    const auto [known, is_new] = trunks_.try_emplace(read.key());
    if (is_new) {
      known->second = sorted(history_.trunk(read.key()));
    }
    return known->second;
  }
  if (other_ != read) {
    other_ = read;
    of_other_ = sorted(history_.elements(read));
  }
  return of_other_;
}

}  // namespace elapid::certify
