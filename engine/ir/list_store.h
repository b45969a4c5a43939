// Lists as lengths: reads of a growing list are prefixes of one another, so each key keeps its
// longest list once (the trunk) and a read is a length of it. Memory is linear in the elements
// appended, where storing every read would be quadratic.
//
// A list that neither is a prefix of the trunk nor extends it starts a branch. Branches are kept in
// the same way, so histories with contradictory reads stay linear too.
//
// The number of elements is limited. Beyond the limit the results of add() are meaningless, and
// is_overfull() says so.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/ids.h"
#include "engine/ir/seeded_hash.h"

namespace elapid {

class ListStore {
 public:
  /// The most elements that all trunks and branches may have together.
  static constexpr std::uint64_t kMaxElements = 0xffffffffU;

  explicit ListStore(std::uint64_t room = kMaxElements) : room_(room) {}

  /// Whether a list found no room.
  [[nodiscard]] bool is_overfull() const { return is_overfull_; }

  /// The id of these elements as a list of `key`. O(length), usually a memcmp.
  ListId add(KeyId key, std::span<const ValueId> elements);

  struct Literal {
    std::uint32_t branch;
    std::uint32_t length;
  };

  /// Trunks by key; keys beyond the end have no trunk.
  [[nodiscard]] const std::vector<std::vector<ValueId>>& trunks() const { return trunks_; }

  [[nodiscard]] const std::vector<std::vector<ValueId>>& branches() const { return branches_; }

  [[nodiscard]] const std::vector<Literal>& literals() const { return literals_; }

 private:
  ListId add_literal(KeyId key, std::span<const ValueId> elements);
  ListId literal(std::uint32_t branch, std::uint32_t length);
  bool fit(std::vector<ValueId>& stem, std::span<const ValueId> elements);
  void count(std::size_t more_elements);

  std::uint64_t room_;
  std::uint64_t elements_ = 0;  // of trunks and branches
  bool is_overfull_ = false;
  std::vector<std::vector<ValueId>> trunks_;
  std::vector<std::vector<ValueId>> branches_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> branches_of_key_;
  std::vector<Literal> literals_;
  std::unordered_map<std::uint64_t, std::uint32_t, SeededHash>
      literal_ids_;  // branch << 32 | length
};

}  // namespace elapid
