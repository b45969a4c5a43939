#include "engine/linearize/types/dive_supply.h"

#include <algorithm>
#include <utility>

namespace elapid::linearize {

namespace {

constexpr std::uint32_t kNoClass = 0xffffffffU;

/// The transactions that are tried where one needs a value.
constexpr std::size_t kMostHelpers = 4;

/// Less for each register that gets the value that the needy one needs, more for each other one
/// that changes.
std::ptrdiff_t harm(std::span<const std::uint32_t> values, const RegisterEffect& writer,
                    const RegisterEffect& needy) {
  std::ptrdiff_t harm = 0;
  for (const Cell& cell : writer.writes) {
    if (values[cell.first] != cell.second) {
      const bool is_needed = std::ranges::binary_search(needy.reads, cell);
      const bool is_wrong = !is_needed && has(needy.reads, cell.first);
      harm += is_needed ? -2 : is_wrong ? 3 : 1;
    }
  }
  return harm;
}

}  // namespace

DiveSupply::DiveSupply(const Operations& operations, const RegisterEffects& effects)
    : effects_(effects), number_of_class_(effects.class_count(), kNoClass) {
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    std::uint32_t& number = number_of_class_[effects.class_of(place)];
    if (operations[place].is_open() && number == kNoClass) {
      number = static_cast<std::uint32_t>(classes_.size());
      classes_.push_back({&effects.of(place)});
      for (const Cell& cell : effects.of(place).writes) {
        writers_[cell].push_back(number);
      }
    }
  }
}

void DiveSupply::count_uses(const DiveSteps& steps, std::uint32_t last) {
  for (Class& one : classes_) {
    one.used = 0;
  }
  steps.for_each_use(last, [&](std::uint32_t place) { ++classes_[number_of(place)].used; });
}

std::vector<std::uint32_t> DiveSupply::best(std::span<const std::uint32_t> values, const Cell& cell,
                                            const RegisterEffect& needy,
                                            std::uint64_t& work) const {
  const auto writers = writers_.find(cell);
  if (writers == writers_.end()) {
    return {};
  }
  std::vector<std::pair<std::ptrdiff_t, std::uint32_t>> by_harm;
  for (const std::uint32_t number : writers->second) {
    if (classes_[number].used < classes_[number].invoked.size()) {
      by_harm.emplace_back(harm(values, *classes_[number].effect, needy), number);
    }
  }
  work += writers->second.size() / 8;
  const std::size_t count = std::min(by_harm.size(), kMostHelpers);
  std::ranges::partial_sort(by_harm, by_harm.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<std::uint32_t> places;
  for (std::size_t k = 0; k < count; ++k) {
    const Class& one = classes_[by_harm[k].second];
    places.push_back(one.invoked[one.used]);
  }
  return places;
}

}  // namespace elapid::linearize
