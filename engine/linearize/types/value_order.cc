#include "engine/linearize/types/value_order.h"

#include <algorithm>
#include <cstddef>

namespace elapid::linearize {
namespace {

/// The places of stays by one of their instants.
std::vector<std::uint32_t> places_by(const std::vector<Stay>& stays, std::uint32_t Stay::*instant) {
  std::vector<std::uint64_t> keys;
  keys.reserve(stays.size());
  for (std::uint32_t i = 0; i < stays.size(); ++i) {
    keys.push_back(std::uint64_t{stays[i].*instant} << 32 | i);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> places(keys.size());
  std::transform(keys.begin(), keys.end(), places.begin(),
                 [](std::uint64_t key) { return static_cast<std::uint32_t>(key); });
  return places;
}

/// Takes values one after another, while there is a value that no other must precede.
class Taking {
 public:
  Taking(const std::vector<Stay>& stays, const std::vector<EmptyAt>& empty)
      : stays_(stays),
        empty_(empty),
        by_remove_from_(places_by(stays, &Stay::remove_from)),
        by_add_to_(places_by(stays, &Stay::add_to)),
        by_remove_to_(places_by(stays, &Stay::remove_to)),
        is_taken_(stays.size()),
        conditions_(stays.size()) {}

  ValueOrder run() && {
    result_.order.reserve(stays_.size() + empty_.size());
    for (;;) {
      look();
      if (!ready_.empty()) {
        is_taken_[ready_.back()] = true;
        result_.order.push_back(ready_.back());
        ready_.pop_back();
      } else if (next_empty_ < empty_.size() && !is_before(first_add_to(), next_gap())) {
        result_.order.push_back(kNoPlace);
        ++next_empty_;
      } else {
        break;
      }
    }
    result_.is_found = result_.order.size() == stays_.size() + empty_.size();
    if (!result_.is_found) {
      result_.first = by_add_to_[add_to_];
      result_.second = by_remove_to_[remove_to_];
    }
    return std::move(result_);
  }

 private:
  /// Gaps lie half an instant after their number.
  static bool is_before(std::uint32_t instant, std::uint32_t gap) { return instant <= gap; }

  [[nodiscard]] std::uint32_t next_gap() const {
    return next_empty_ < empty_.size() ? empty_[next_empty_].gap : kNever;
  }

  /// The first end of an add among the values that are left; kNever if none is left.
  std::uint32_t first_add_to() { return first_left(by_add_to_, add_to_, &Stay::add_to); }

  std::uint32_t first_left(const std::vector<std::uint32_t>& places, std::size_t& next,
                           std::uint32_t Stay::*instant) {
    while (next < places.size() && is_taken_[places[next]]) {
      ++next;
    }
    return next < places.size() ? stays_[places[next]].*instant : kNever;
  }

  /// Finds the values that have become ready.
  void look() {
    const std::uint32_t add_to = first_add_to();
    for (; add_from_ < stays_.size() && stays_[add_from_].add_from <= add_to; ++add_from_) {
      meet_one_condition(static_cast<std::uint32_t>(add_from_));
    }
    const std::uint32_t remove_to = first_left(by_remove_to_, remove_to_, &Stay::remove_to);
    while (remove_from_ < stays_.size()) {
      const std::uint32_t place = by_remove_from_[remove_from_];
      if (stays_[place].remove_from > remove_to || stays_[place].remove_from > next_gap()) {
        break;
      }
      meet_one_condition(place);
      ++remove_from_;
    }
  }

  void meet_one_condition(std::uint32_t place) {
    if (++conditions_[place] == 2) {
      ready_.push_back(place);
    }
  }

  const std::vector<Stay>& stays_;
  const std::vector<EmptyAt>& empty_;
  std::vector<std::uint32_t> by_remove_from_;
  std::vector<std::uint32_t> by_add_to_;
  std::vector<std::uint32_t> by_remove_to_;
  std::vector<bool> is_taken_;
  std::vector<std::uint8_t> conditions_;  // how many of the two are met
  std::vector<std::uint32_t> ready_;
  std::size_t add_from_ = 0;  // places in the lists
  std::size_t remove_from_ = 0;
  std::size_t add_to_ = 0;
  std::size_t remove_to_ = 0;
  std::size_t next_empty_ = 0;
  ValueOrder result_;
};

}  // namespace

ValueOrder value_order(const std::vector<Stay>& stays, const std::vector<EmptyAt>& empty) {
  return Taking(stays, empty).run();
}

}  // namespace elapid::linearize
