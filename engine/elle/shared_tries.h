// Sets and maps as tries that share nodes, with the corruption that Elle's library
// causes.
//
// Elle keeps sets of operations, and its graphs of versions, in Bifurcan's persistent sets and
// maps: compressed hash-array mapped prefix tries (Steindorfer and Vinju, OOPSLA 2015). A node has
// an owner. An update changes a node in place iff it has the same owner. Bifurcan 0.2.0-alpha7,
// which Elle 0.2 uses, unites two sets (Map.merge) with null as owner, so nodes made by unions
// belong to all unions. If one side has an entry and the other side such a node, the entry is put
// into that very node, and appears in every set that shares it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/ir/ids.h"

namespace elapid::elle {

/// The elements of maps: entries. Two entries may have the same key.
class MapEntries {
 public:
  virtual ~MapEntries() = default;
  [[nodiscard]] virtual std::uint32_t key(std::uint32_t entry) const = 0;
  /// The entry in the union of two maps for `left` and `right`, which have one key.
  virtual std::uint32_t merge(std::uint32_t left, std::uint32_t right) = 0;
};

/// An arena of these sets. Elements are numbers 0 .. n-1 with given hashes. About 140 bytes a node,
/// freed all at once. A map is a set of its entries.
class SharedTries {
 public:
  /// A set, as its root. Unions of other sets may change a set after it was made.
  using SetId = Id<struct SharedTrieTag>;

  /// The owner that may change a node in place.
  using Owner = std::uint32_t;
  static constexpr Owner kEverybody = 0;   ///< all unions
  static constexpr Owner kFirstOwner = 2;  ///< for add(), this one and greater ones

  /// Drops all sets. From now on element e has the hash hashes[e]; both arguments are borrowed, and
  /// may grow. `entries`: for maps only.
  void reset(const std::vector<std::uint32_t>& hashes, MapEntries* entries = nullptr);

  [[nodiscard]] static SetId empty() { return {0}; }

  /// The set with the element added. Changes nodes that `owner` made in place.
  [[nodiscard]] SetId add(SetId set, std::uint32_t element, Owner owner) {
    return put(set, 0, owner, element, Side::kRight);
  }

  /// The union as Bifurcan makes it. May add elements to other sets.
  [[nodiscard]] SetId unite(SetId a, SetId b) { return merge(a, b, 0); }

  /// The same for a set with an unshared root, fresh from add() or unite(). Changes the set into
  /// the union.
  void absorb(SetId a, SetId b);

  /// Whether two sets have the same or equal nodes.
  [[nodiscard]] bool alike(SetId a, SetId b) const;

  /// Calls `visit(element)` for each element. Recursion is at most as deep as the trie: 13.
  template <class Visit>
  void each(SetId set, const Visit& visit) const {
    const Node& node = nodes_[set.index()];
    for (std::uint32_t rest = node.used; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(rest));
      if (node.has_child(slot)) {
        each(SetId{node.slots[slot]}, visit);
      } else {
        visit(node.slots[slot]);
      }
    }
  }

 private:
  static constexpr unsigned kBitsPerLevel = 5;
  static constexpr Owner kOwnerOfEmpty = 1;

  /// The side of a union that has the element.
  enum class Side : std::uint8_t { kLeft, kRight };

  struct Node {
    Owner owner = kEverybody;
    std::uint32_t used = 0;      // one bit for each slot in use
    std::uint32_t children = 0;  // slots in use that hold a node instead of an element
    std::array<std::uint32_t, 1U << kBitsPerLevel> slots = {};

    [[nodiscard]] bool is_used(unsigned slot) const { return (used >> slot & 1U) != 0; }

    [[nodiscard]] bool has_child(unsigned slot) const { return (children >> slot & 1U) != 0; }

    void set_element(unsigned slot, std::uint32_t element);
    void set_child(unsigned slot, SetId child);
  };

  [[nodiscard]] std::uint32_t key(std::uint32_t element) const {
    return entries_ == nullptr ? element : entries_->key(element);
  }

  [[nodiscard]] unsigned slot_of(std::uint32_t element, unsigned shift) const;
  SetId make(Owner owner);
  SetId own(SetId node, Owner owner);
  SetId put(SetId node, unsigned shift, Owner owner, std::uint32_t element, Side side);
  [[nodiscard]] std::uint32_t merged(std::uint32_t held, std::uint32_t element, Side side);
  SetId merge(SetId a, SetId b, unsigned shift);
  void merge_slot(SetId into, SetId a, SetId b, unsigned slot, unsigned shift);
  void copy_slot(SetId from, unsigned slot, SetId into);

  std::vector<Node> nodes_;
  const std::vector<std::uint32_t>* hashes_ = nullptr;
  MapEntries* entries_ = nullptr;
};

}  // namespace elapid::elle
