// States that keys pass through, numbered: of lists a tree, in which a child has one element more;
// of registers the same, one level deep.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::search {

/// The place of something in an array, or kNone.
using Index = std::uint32_t;
inline constexpr Index kNone = std::numeric_limits<Index>::max();

/// A state of a key that matters, because some transaction wants to read it or writes it.
struct Version {
  KeyId key;
  Index parent = kNone;  ///< kNone: nothing was written yet
  ValueId element;       ///< the last one
};

/// About 60 bytes a version. The version that a key begins with has the key's number.
class Versions {
 public:
  explicit Versions(const History& history);

  [[nodiscard]] static Index root(KeyId key) { return key.value; }

  [[nodiscard]] const Version& operator[](Index version) const { return versions_[version]; }

  [[nodiscard]] Index count() const { return static_cast<Index>(versions_.size()); }

  [[nodiscard]] bool is_root(Index version) const { return versions_[version].parent == kNone; }

  /// The version with one element more, or kNone if it does not matter.
  [[nodiscard]] Index child(Index version, ValueId element) const;

  /// The same, which matters from now on.
  Index add_child(Index version, ValueId element);

  /// The first `length` elements of the list that `op` read. Linear in it, unless it is a prefix of
  /// the key's longest list.
  Index add_list(Op read, std::uint32_t length);

 private:
  [[nodiscard]] static std::uint64_t name(Index version, ValueId element) {
    return std::uint64_t{version} << 32 | element.bits();
  }

  const History& history_;
  std::vector<Version> versions_;
  std::unordered_map<std::uint64_t, Index, SeededHash> children_;
  std::vector<std::vector<Index>> trunks_;  // by key: the prefixes of its longest list so far
};

}  // namespace elapid::search
