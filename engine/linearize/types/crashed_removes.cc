#include "engine/linearize/types/crashed_removes.h"

#include <algorithm>
#include <cstddef>

#include "engine/linearize/types/cover.h"
#include "engine/linearize/types/value_order.h"

namespace elapid::linearize {
Stays CrashedRemoves::unlimited() const {
  Stays helped = stays_;
  for (Stay& stay : helped.stays) {
    if (stay.remove == kNoPlace) {
      stay.remove_from = std::max(stay.add_from, stays_.crashed.front().from);
      stay.remove_to = kLast;
    }
  }
  return helped;
}

std::vector<std::uint32_t> CrashedRemoves::gaps(bool is_last) const {
  const std::vector<bool> is_free = free_gaps();
  std::vector<std::uint32_t> chosen;
  for (const Remove& remove : stays_.empty) {
    std::uint32_t gap = kNever;
    for (std::uint32_t g = remove.from; g < remove.to && (is_last || gap == kNever); ++g) {
      gap = is_free[g] ? g : gap;
    }
    chosen.push_back(gap);
  }
  return chosen;
}

std::optional<Stays> CrashedRemoves::given(const std::vector<std::uint32_t>& deadlines) const {
  std::vector<std::uint32_t> needs;
  for (std::uint32_t i = 0; i < stays_.stays.size(); ++i) {
    if (stays_.stays[i].remove == kNoPlace && deadlines[i] != kNever) {
      needs.push_back(i);
    }
  }
  std::stable_sort(needs.begin(), needs.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return deadlines[a] < deadlines[b]; });
  Stays helped = stays_;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (i >= stays_.crashed.size() || stays_.crashed[i].from >= deadlines[needs[i]]) {
      return std::nullopt;
    }
    Stay& stay = helped.stays[needs[i]];
    stay.remove = stays_.crashed[i].place;
    stay.remove_from = std::max(stay.add_from, stays_.crashed[i].from);
    stay.remove_to = kLast;
  }
  return helped;
}

std::vector<std::uint32_t> CrashedRemoves::deadlines_by(
    const std::vector<std::uint32_t>& gaps) const {
  std::vector<std::uint32_t> deadlines;
  for (const Stay& stay : stays_.stays) {
    const auto gap = std::lower_bound(gaps.begin(), gaps.end(), stay.add_to);
    deadlines.push_back(gap == gaps.end() ? kNever : *gap + 1);
  }
  return deadlines;
}

std::vector<bool> CrashedRemoves::free_gaps() const {
  Stays removed = stays_;
  std::erase_if(removed.stays, [](const Stay& stay) { return stay.remove == kNoPlace; });
  const Cover cover(removed);
  std::vector<std::int32_t> change(stays_.instants + 1);
  for (const Stay& stay : stays_.stays) {
    if (stay.remove == kNoPlace) {
      --change[stay.add_to];
    }
  }
  for (const Remove& crashed : stays_.crashed) {
    ++change[crashed.from];
  }
  std::vector<bool> is_free(stays_.instants);
  std::int32_t left = 0;
  for (std::uint32_t gap = 0; gap < stays_.instants; ++gap) {
    left += change[gap];
    is_free[gap] = left >= 0 && cover.first_free({0, gap, gap + 1}).has_value();
  }
  return is_free;
}

}  // namespace elapid::linearize
