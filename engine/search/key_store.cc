#include "engine/search/key_store.h"

#include <algorithm>
#include <array>

namespace elapid::search {

namespace {

/// The demands that a version serves. Unused entries are kNone.
std::array<Index, 3> wishes_for(const Demands& demands, Index version) {
  if (version == kNone || demands.are_lists() || !demands.versions().is_root(version)) {
    return {version, kNone, kNone};
  }
  const auto [nil, initial] = demands.names_of_root(demands.versions()[version].key);
  return {version, nil, initial == nil ? kNone : initial};
}

}  // namespace

KeyStore::KeyStore(const Demands& demands)
    : demands_(demands),
      sure_(demands.versions().count(), 0),
      maybe_(demands.versions().count(), 0),
      updates_(demands.versions().count(), 0),
      sources_(demands.versions().count(), 0) {
  const std::size_t keys = demands.history().key_count();
  for (Index k = 0; k < keys; ++k) {
    current_.push_back(Versions::root(KeyId{k}));
  }
  sure_of_key_.assign(keys, 0);
  maybe_of_key_.assign(keys, 0);
  hash_of_key_.assign(keys, {});
  is_held_.assign(keys, false);
  const TxnId initial = demands.history().info().initial_txn;
  if (!initial.is_none() && demands.role(initial) == Role::kCommitted) {
    for (const Access& access : demands.accesses(initial)) {
      if (access.writes()) {
        current_[access.key.index()] = after(access);
      }
    }
  }
}

void KeyStore::expect(const Access& access, bool is_optional) {
  add_wish(access, is_optional, 1);
  if (access.writes()) {
    ++sources_[access.write];
  }
}

void KeyStore::add_wish(const Access& access, bool is_optional, Index difference) {
  if (access.reads()) {
    (is_optional ? maybe_ : sure_)[access.want] += difference;
    (is_optional ? maybe_of_key_ : sure_of_key_)[access.key.index()] += difference;
    updates_[access.want] += access.writes() && !is_optional ? difference : 0;
    rehash(access.key);
  }
}

Index KeyStore::write(const Access& access) {
  Index& current = current_[access.key.index()];
  const Index before = current;
  current = after(access);
  --sources_[access.write];
  rehash(access.key);
  return before;
}

void KeyStore::take_back_write(const Access& access, Index before) {
  current_[access.key.index()] = before;
  ++sources_[access.write];
  rehash(access.key);
}

/// What the key holds after the transaction's writes.
Index KeyStore::after(const Access& access) const {
  if (!demands_.are_lists()) {
    return access.write;
  }
  Index version = current_[access.key.index()];
  for (const ValueId element : demands_.appended(access)) {
    if (version == kNone) {
      break;
    }
    version = demands_.versions().child(version, element);
  }
  return version;
}

bool KeyStore::would_lose(const Access& access) const {
  Index version = current_[access.key.index()];
  if (!demands_.are_lists()) {
    return access.write != version && reads_to_come_first(access.key) > 0;
  }
  if (sure_of_key_[access.key.index()] == 0) {
    return false;
  }
  if (version == kNone) {
    return true;
  }
  // All versions that are still needed lie ahead on the list's one way.
  for (const ValueId element : demands_.appended(access)) {
    const Index next = demands_.next_wanted(version);
    if (sure_[version] > 0 || next == kNone || demands_.versions()[next].element != element) {
      return true;
    }
    version = next;
  }
  return false;
}

Index KeyStore::count_first(const std::vector<Index>& counts, KeyId key) const {
  Index count = 0;
  for (const Index wish : wishes_for(demands_, current_[key.index()])) {
    count += wish != kNone && sources_[wish] == 0 ? counts[wish] : 0;
  }
  return count;
}

bool KeyStore::is_quiet(KeyId key) const {
  return std::ranges::all_of(wishes_for(demands_, current_[key.index()]), [this](Index wish) {
    return wish == kNone || (sure_[wish] == 0 && maybe_[wish] == 0);
  });
}

bool KeyStore::is_next_by_list(const Access& access) const {
  const Index version = current_[access.key.index()];
  if (!demands_.are_lists() || version == kNone || sure_[version] > 0 ||
      sure_of_key_[access.key.index()] == 0) {
    return false;
  }
  const Index next = demands_.next_wanted(version);
  return next != kNone && sources_[access.write] == 1 &&
         demands_.versions()[next].element == demands_.appended(access).front();
}

/// A register's version counts if it serves a demand. A list's version counts as long as any demand
/// on the list is left.
void KeyStore::rehash(KeyId key) {
  const Index version = current_[key.index()];
  const bool counts = demands_.are_lists() ? !is_unwanted(key) : !is_quiet(key);
  const StateHash now =
      counts ? zobrist(std::uint64_t{1} << 63 | std::uint64_t{key.value} << 32 | version)
             : StateHash{};
  StateHash& before = hash_of_key_[key.index()];
  hash_ ^= before;
  hash_ ^= now;
  before = now;
}

}  // namespace elapid::search
