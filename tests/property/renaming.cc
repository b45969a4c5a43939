#include "tests/property/renaming.h"

#include <algorithm>

namespace elapid {

namespace {

/// The history with `change` applied to each event.
template <class Change>
TinyHistory changed(TinyHistory history, Change change) {
  std::for_each(history.events.begin(), history.events.end(), change);
  return history;
}

template <class Change>
TinyHistory with_mops_changed(const TinyHistory& history, Change change) {
  return changed(history, [&](TinyEvent& event) {
    std::for_each(event.mops.begin(), event.mops.end(), change);
  });
}

}  // namespace

TinyHistory with_keys_renamed(const TinyHistory& history) {
  return with_mops_changed(history,
                           [](TinyMop& mop) { mop.key = static_cast<char>('a' + 'z' - mop.key); });
}

TinyHistory with_values_renamed(const TinyHistory& history) {
  return with_mops_changed(history, [](TinyMop& mop) {
    for (std::int64_t& value : mop.values) {
      value = value == 0 ? 0 : 1000 - 7 * value;
    }
  });
}

TinyHistory with_sessions_renamed(const TinyHistory& history) {
  return changed(history, [](TinyEvent& event) { event.process = 90 - 3 * event.process; });
}

}  // namespace elapid
