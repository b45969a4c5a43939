#include "engine/search/prospect.h"

#include <algorithm>

namespace elapid::search {

Prospect::Prospect(const Demands& demands, const SearchComponent& component, bool has_two_halves)
    : component_(component),
      halves_(has_two_halves ? 2 : 1),
      written_in_(demands.versions().count(), 0),
      released_in_(demands.history().key_count(), 0),
      counted_in_(demands.history().key_count(), 0),
      waiting_(demands.history().key_count(), 0) {}

bool Prospect::is_open(const KeyStore& store, std::span<const Index> done, std::uint64_t& work) {
  ++round_;
  done_.assign(done.begin(), done.end());
  bool has_moved = true;
  while (has_moved) {
    has_moved = false;
    work -= std::min<std::uint64_t>(work, component_.chain_count());
    for (Index c = 0; c < component_.chain_count(); ++c) {
      while (carry_out(c, store)) {
        has_moved = true;
        work -= std::min<std::uint64_t>(work, 1);
      }
    }
  }
  for (Index c = 0; c < component_.chain_count(); ++c) {
    const Index begin = component_.chain_begin[c];
    const Index length = component_.chain_begin[c + 1] - begin;
    if (!component_.tasks[begin].is_optional && done_[c] < length * halves_) {
      return false;
    }
  }
  return true;
}

/// The chain's next event, if it may come.
bool Prospect::carry_out(Index chain, const KeyStore& store) {
  const Index place = component_.chain_begin[chain] + done_[chain] / halves_;
  if (place == component_.chain_begin[chain + 1]) {
    return false;
  }
  const Task& task = component_.tasks[place];
  const bool starts = done_[chain] % halves_ == 0;
  const bool commits = !starts || halves_ == 1;
  if (starts && !may_start(task, store)) {
    return false;
  }
  if (commits && !may_commit(task, store)) {
    return false;
  }
  if (starts) {
    start(task, store);
  }
  if (commits) {
    commit(task);
  }
  ++done_[chain];
  return true;
}

bool Prospect::may_start(const Task& task, const KeyStore& store) const {
  if (task.after_chain != kNone && done_[task.after_chain] / halves_ < task.after_count) {
    return false;
  }
  return std::ranges::all_of(component_.accesses_of(task), [&](const Access& access) {
    const bool is_served = store.serves(access) || written_in_[access.want] == round_;
    const bool is_held =
        access.writes() && store.is_held(access.key) && released_in_[access.key.index()] != round_;
    return is_served && !is_held;
  });
}

bool Prospect::may_commit(const Task& task, const KeyStore& store) {
  return std::ranges::all_of(component_.accesses_of(task), [&](const Access& access) {
    // Where both are one event, its own read does not come after it.
    const Index own = halves_ == 1 && !task.is_optional && store.must_come_first(access) ? 1 : 0;
    return !access.writes() || store.holds(access.key, access.write) ||
           waiting(access.key, store) == own;
  });
}

void Prospect::start(const Task& task, const KeyStore& store) {
  for (const Access& access : component_.accesses_of(task)) {
    if (!task.is_optional && store.must_come_first(access)) {
      --waiting(access.key, store);
    }
  }
}

void Prospect::commit(const Task& task) {
  for (const Access& access : component_.accesses_of(task)) {
    if (access.writes()) {
      written_in_[access.write] = round_;
      released_in_[access.key.index()] = round_;
    }
  }
}

Index& Prospect::waiting(KeyId key, const KeyStore& store) {
  if (counted_in_[key.index()] != round_) {
    counted_in_[key.index()] = round_;
    waiting_[key.index()] = store.reads_to_come_first(key);
  }
  return waiting_[key.index()];
}

}  // namespace elapid::search
