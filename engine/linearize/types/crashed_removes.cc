#include "engine/linearize/types/crashed_removes.h"

#include <algorithm>
#include <cstddef>

#include "engine/linearize/types/cover.h"
#include "engine/linearize/types/value_order.h"

namespace elapid::linearize {
namespace {

/// A value that stays must be removed before.
struct Need {
  std::uint32_t deadline;
  std::uint32_t stay;
};

/// The first end of a remove among the stays from each place on.
std::vector<std::uint32_t> first_ends_from(const std::vector<Stay>& stays) {
  std::vector<std::uint32_t> ends(stays.size() + 1, kNever);
  for (std::size_t i = stays.size(); i-- > 0;) {
    ends[i] = std::min(ends[i + 1], stays[i].remove_to);
  }
  return ends;
}

/// Of the values added after this one was, the first end of a remove.
std::uint32_t deadline_by_order(const std::vector<Stay>& stays,
                                const std::vector<std::uint32_t>& first_end, const Stay& stay) {
  const auto after = std::partition_point(
      stays.begin(), stays.end(), [&](const Stay& other) { return other.add_from < stay.add_to; });
  return first_end[static_cast<std::size_t>(after - stays.begin())];
}

std::vector<Need> needs_of(const std::vector<Stay>& stays, const std::vector<std::uint32_t>& gaps,
                           bool is_first_in_first_out) {
  const std::vector<std::uint32_t> first_end = first_ends_from(stays);
  std::vector<Need> needs;
  for (std::uint32_t i = 0; i < stays.size(); ++i) {
    if (stays[i].remove != kNoPlace) {
      continue;
    }
    const auto gap = std::lower_bound(gaps.begin(), gaps.end(), stays[i].add_to);
    const std::uint32_t by_gap = gap == gaps.end() ? kNever : *gap + 1;
    const std::uint32_t by_order =
        is_first_in_first_out ? deadline_by_order(stays, first_end, stays[i]) : kNever;
    if (std::min(by_order, by_gap) != kNever) {
      needs.push_back({std::min(by_order, by_gap), i});
    }
  }
  std::sort(needs.begin(), needs.end(),
            [](const Need& a, const Need& b) { return a.deadline < b.deadline; });
  return needs;
}

}  // namespace

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

std::optional<Stays> CrashedRemoves::limited(const std::vector<std::uint32_t>& gaps,
                                             bool is_first_in_first_out) const {
  const std::vector<Need> needs = needs_of(stays_.stays, gaps, is_first_in_first_out);
  Stays helped = stays_;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (i >= stays_.crashed.size() || stays_.crashed[i].from >= needs[i].deadline) {
      return std::nullopt;
    }
    Stay& stay = helped.stays[needs[i].stay];
    stay.remove = stays_.crashed[i].place;
    stay.remove_from = std::max(stay.add_from, stays_.crashed[i].from);
    stay.remove_to = kLast;
  }
  return helped;
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
