// Levels that need real time, on histories that know none.
#pragma once

#include "engine/ir/history.h"
#include "engine/levels/validity.h"

namespace elapid {

/// What `decide(options)` answers of `options.level`. Where that needs real time and the history
/// has none, only a violation of the level without it is an answer.
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
