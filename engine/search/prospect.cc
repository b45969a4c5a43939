#include "engine/search/prospect.h"

#include <algorithm>

namespace elapid::search {

Prospect::Prospect(const Demands& demands, const SearchComponent& component, Visibility visibility)
    : component_(component),
      excludes_overlap_(visibility == Visibility::kSnapshot),
      halves_(has_two_events(visibility) ? 2 : 1),
      written_in_(demands.versions().count(), 0),
      released_in_(demands.history().key_count(), 0),
      waiting_(demands.history().key_count()) {}

bool Prospect::is_open(const KeyStore& store, std::span<const Index> done, std::uint64_t& work) {
  ++round_;
  done_.assign(done.begin(), done.end());
  bool has_moved = true;
  while (has_moved) {
    has_moved = false;
    work -= std::min<std::uint64_t>(work, component_.chain_count());
    for (Index c = 0; c < component_.chain_count(); ++c) {
      while (carry_out(c, done[c], store)) {
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

/// Carries out the chain's next event, if it is possible.
bool Prospect::carry_out(Index chain, Index done_before, const KeyStore& store) {
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
    commit(task, starts || done_[chain] > done_before, store);
  }
  ++done_[chain];
  return true;
}

bool Prospect::may_start(const Task& task, const KeyStore& store) {
  if (task.after_chain != kNone && done_[task.after_chain] / halves_ < task.after_count) {
    return false;
  }
  return std::ranges::all_of(component_.accesses_of(task), [&](const Access& access) {
    if (!store.serves(access) && written_in_[access.want] != round_) {
      return false;
    }
    if (!excludes_overlap_ || !access.writes()) {
      return true;
    }
    const bool is_held = store.is_held(access.key) && released_in_[access.key.index()] != round_;
    return !is_held &&
           waiting(access.key, store).updates == (is_first(task, access, store) ? 1 : 0);
  });
}

bool Prospect::may_commit(const Task& task, const KeyStore& store) {
  return std::ranges::all_of(component_.accesses_of(task), [&](const Access& access) {
    // If start and commit are one event, the transaction's own read does not come after its write.
    const Index own = halves_ == 1 && is_first(task, access, store) ? 1 : 0;
    return !access.writes() || store.holds(access.key, access.write) ||
           waiting(access.key, store).reads == own;
  });
}

void Prospect::start(const Task& task, const KeyStore& store) {
  for (const Access& access : component_.accesses_of(task)) {
    if (is_first(task, access, store)) {
      --waiting(access.key, store).reads;
    }
  }
}

void Prospect::commit(const Task& task, bool has_started_here, const KeyStore& store) {
  for (const Access& access : component_.accesses_of(task)) {
    if (access.writes()) {
      written_in_[access.write] = round_;
      released_in_[access.key.index()] = round_;
      if (has_started_here && is_first(task, access, store)) {
        --waiting(access.key, store).updates;
      }
    }
  }
}

/// Whether the transaction is among those that reads_to_come_first() counts.
bool Prospect::is_first(const Task& task, const Access& access, const KeyStore& store) {
  return !task.is_optional && store.must_come_first(access);
}

Prospect::Waiting& Prospect::waiting(KeyId key, const KeyStore& store) {
  Waiting& waiting = waiting_[key.index()];
  if (waiting.in_round != round_) {
    waiting = {round_, store.reads_to_come_first(key), store.updates_to_come_first(key)};
  }
  return waiting;
}

}  // namespace elapid::search
