#include "engine/linearize/types/dive_segments.h"

#include <algorithm>
#include <utility>

namespace elapid::linearize {

namespace {

constexpr std::size_t kWidest = 2048;
constexpr std::size_t kMostDeadEnds = 9;  // in a segment

}  // namespace

void DiveSegments::begin(std::size_t event, Beginning beginning) {
  const std::size_t number = event / kLength;
  if (number == segments_.size()) {
    segments_.push_back({.beginning = std::move(beginning)});
  } else {
    segments_[number].beginning = std::move(beginning);
  }
  if (number >= widened_to_) {
    beam_ = kNarrowest;
    price_ = 0;
  }
}

std::optional<std::size_t> DiveSegments::go_back(std::size_t event) {
  const std::size_t number = event / kLength;
  const std::size_t dead_ends = ++segments_[number].dead_ends;
  if (dead_ends > kMostDeadEnds) {
    return std::nullopt;
  }
  widened_to_ = std::max(widened_to_, number + 2);
  const std::size_t wider = kNarrowest << (dead_ends < 5 ? 2 * dead_ends : 4);
  beam_ = std::min(kWidest, std::max(beam_, wider));
  price_ = dead_ends % 3;
  const std::size_t steps = dead_ends < 5 ? dead_ends : std::size_t{1} << (dead_ends - 2);
  return number - std::min(number, steps);
}

}  // namespace elapid::linearize
