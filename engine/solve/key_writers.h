// The writers of each key, by chain, for frontier look-ups.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/chain_clocks.h"
#include "engine/solve/event_map.h"
#include "engine/solve/problem.h"

namespace elapid {

class KeyWriters {
 public:
  /// A write, with the place of its commit in its chain.
  struct Entry {
    std::uint32_t position = 0;
    std::uint32_t txn = 0;
  };

  /// The writes of one key in one chain, in order.
  struct Group {
    std::uint32_t chain = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  /// Takes the writes of all transactions that are not absent. O(writes log writes).
  KeyWriters(const OrderProblem& problem, const EventMap& events, const Chains& chains);

  [[nodiscard]] std::span<const Group> groups(KeyId key) const {
    return std::span(groups_).subspan(key_begin_[key.index()],
                                      key_begin_[key.index() + 1] - key_begin_[key.index()]);
  }

  [[nodiscard]] const Entry& entry(std::uint32_t place) const { return entries_[place]; }

  /// The place after the last write of the group whose position is below `position`.
  [[nodiscard]] std::uint32_t end_below(const Group& group, std::uint32_t position) const;

 private:
  std::vector<Entry> entries_;  // by key, chain and position
  std::vector<Group> groups_;   // by key and chain
  std::vector<std::uint32_t> key_begin_;
};

}  // namespace elapid
