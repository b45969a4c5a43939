#include "engine/certify/operations/matching.h"

#include <optional>

namespace elapid::certify {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

class Matching {
 public:
  Matching(const std::vector<std::vector<std::size_t>>& may_have, std::size_t places)
      : may_have_(may_have),
        owner_(places, kNone),
        asked_by_(places, kNone),
        asked_for_(places, kNone),
        has_(may_have.size(), kNone) {}

  /// Gives it a place; those that have places may have to take others.
  bool add(std::size_t one) {
    std::optional<std::size_t> free = find_free(one);
    if (!free) {
      return false;
    }
    for (std::size_t place = *free; place != kNone;) {
      const std::size_t taker = asked_by_[place];
      const std::size_t left = has_[taker];
      owner_[place] = taker;
      has_[taker] = place;
      place = taker == one ? kNone : left;
    }
    return true;
  }

 private:
  /// The nearest free place, by way of places that others may leave.
  std::optional<std::size_t> find_free(std::size_t one) {
    std::vector<std::size_t> asking = {one};
    for (std::size_t next = 0; next < asking.size(); ++next) {
      for (const std::size_t place : may_have_[asking[next]]) {
        if (asked_for_[place] == one) {
          continue;
        }
        asked_for_[place] = one;
        asked_by_[place] = asking[next];
        if (owner_[place] == kNone) {
          return place;
        }
        asking.push_back(owner_[place]);
      }
    }
    return std::nullopt;
  }

  const std::vector<std::vector<std::size_t>>& may_have_;
  std::vector<std::size_t> owner_;      // by place
  std::vector<std::size_t> asked_by_;   // by place: the one that would take it
  std::vector<std::size_t> asked_for_;  // by place: the one for which it was asked last
  std::vector<std::size_t> has_;        // the place of each
};

}  // namespace

bool can_be_matched(const std::vector<std::vector<std::size_t>>& may_have, std::size_t places) {
  Matching matching(may_have, places);
  for (std::size_t one = 0; one < may_have.size(); ++one) {
    if (!matching.add(one)) {
      return false;
    }
  }
  return true;
}

}  // namespace elapid::certify
