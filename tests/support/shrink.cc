#include "tests/support/shrink.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace elapid {

namespace {

/// The event at the other end of an invocation; the number of events if it never completed.
std::size_t completion_of(const TinyHistory& history, std::size_t invocation) {
  std::size_t at = invocation + 1;
  while (at < history.events.size() &&
         history.events[at].process != history.events[invocation].process) {
    ++at;
  }
  return at;
}

void erase_at(auto& items, std::size_t at) {
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
}

/// All histories with one thing less.
std::vector<TinyHistory> smaller(const TinyHistory& history) {
  std::vector<TinyHistory> result;
  for (std::size_t i = 0; i < history.events.size(); ++i) {
    if (history.events[i].type != EventType::kInvoke) {
      continue;
    }
    const std::size_t completion = completion_of(history, i);
    const bool completed = completion < history.events.size();
    TinyHistory& without_txn = result.emplace_back(history);
    if (completed) {
      erase_at(without_txn.events, completion);
    }
    erase_at(without_txn.events, i);
    for (std::size_t m = 0; m < history.events[i].mops.size(); ++m) {
      TinyHistory& without_mop = result.emplace_back(history);
      erase_at(without_mop.events[i].mops, m);
      if (completed && m < history.events[completion].mops.size()) {
        erase_at(without_mop.events[completion].mops, m);
      }
    }
    for (std::size_t m = 0; completed && m < history.events[completion].mops.size(); ++m) {
      erase_at(result.emplace_back(history).events[completion].mops, m);
      const TinyMop& mop = history.events[completion].mops[m];
      for (std::size_t v = 0; mop.is_read() && v < mop.values.size(); ++v) {
        erase_at(result.emplace_back(history).events[completion].mops[m].values, v);
      }
    }
  }
  return result;
}

}  // namespace

TinyHistory shrink(TinyHistory history, const std::function<bool(const TinyHistory&)>& fails) {
  for (bool changed = true; changed;) {
    const std::vector<TinyHistory> candidates = smaller(history);
    const auto failing = std::find_if(candidates.begin(), candidates.end(), fails);
    changed = failing != candidates.end();
    if (changed) {
      history = *failing;
    }
  }
  return history;
}

}  // namespace elapid
