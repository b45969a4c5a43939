// A part of the operations, judged by itself.
//
//   those of element 7 of a set: places 0 and 3 of the whole are 0 and 1 of the part
#pragma once

#include <cstdint>
#include <vector>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/judgement.h"

namespace elapid::linearize {

struct Part {
  Operations operations;
  std::vector<std::uint32_t> places;  ///< by place in the part: the place in the whole

  void add(const Operation& op, std::uint32_t place) {
    operations.push_back(op);
    places.push_back(place);
  }

  /// Converts a judgement of the part to places of the whole.
  [[nodiscard]] Judgement of_whole(Judgement judgement) const {
    for (std::uint32_t& place : judgement.order) {
      place = places[place];
    }
    for (std::uint32_t& place : judgement.places) {
      place = places[place];
    }
    return judgement;
  }
};

}  // namespace elapid::linearize
