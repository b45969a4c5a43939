// Levels that need real time, on histories without real time.
#pragma once

#include "engine/ir/history.h"
#include "engine/levels/validity.h"

namespace elapid {

/// The result of `decide(options)`. If the level needs real time and the history has none: decides
/// the level without real time, and only a violation of it is an answer.
template <class Options, class Decide>
auto decide_in_time(const History& history, const Options& options, Decide decide) {
  if (!options.level.real_time || history.info().has_real_time) {
    return decide(options);
  }
  Options timeless = options;
  timeless.level.real_time = false;
  auto result = decide(timeless);
  if (result.validity == Validity::kValid) {
    result = {.unknown_because =
                  "the level needs real time, which this history does not record; "
                  "without it nothing violates the level"};
  }
  return result;
}

}  // namespace elapid
