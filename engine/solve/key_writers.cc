#include "engine/solve/key_writers.h"

#include <algorithm>
#include <tuple>

namespace elapid {

KeyWriters::KeyWriters(const OrderProblem& problem, const EventMap& events, const Chains& chains) {
  const std::size_t key_count = problem.history().key_count();
  entries_.reserve(problem.writes().size());
  key_begin_.reserve(key_count + 1);
  const auto chain_of = [&](const Entry& entry) { return chains.chain[events.commit(entry.txn)]; };
  for (std::uint32_t k = 0; k < key_count; ++k) {
    const auto begin = static_cast<std::ptrdiff_t>(entries_.size());
    key_begin_.push_back(static_cast<std::uint32_t>(groups_.size()));
    for (WriteRef w = problem.first_write(k); w < problem.first_write(k + 1); ++w) {
      const std::uint32_t txn = problem.write(w).txn;
      if (problem.presence(txn) != Presence::kAbsent) {
        entries_.push_back({chains.position[events.commit(txn)], txn});
      }
    }
    std::sort(entries_.begin() + begin, entries_.end(), [&](const Entry& a, const Entry& b) {
      return std::tuple(chain_of(a), a.position) < std::tuple(chain_of(b), b.position);
    });
    for (auto i = static_cast<std::uint32_t>(begin); i < entries_.size(); ++i) {
      const std::uint32_t chain = chain_of(entries_[i]);
      if (groups_.size() == key_begin_.back() || groups_.back().chain != chain) {
        groups_.push_back({chain, i, i});
      }
      ++groups_.back().end;
    }
  }
  key_begin_.push_back(static_cast<std::uint32_t>(groups_.size()));
}

std::uint32_t KeyWriters::end_below(const Group& group, std::uint32_t position) const {
  const auto begin = entries_.begin() + group.begin;
  const auto end = entries_.begin() + group.end;
  return static_cast<std::uint32_t>(
      std::lower_bound(begin, end, position,
                       [](const Entry& entry, std::uint32_t p) { return entry.position < p; }) -
      entries_.begin());
}

}  // namespace elapid
