// A set of visible commits: all up to one place, and any of the next 64.
#pragma once

#include <cstdint>

namespace elapid {

/// The place of a commit among all of them, from 1; 0 is the initial state.
using CommitId = std::uint64_t;

struct SeenSet {
  static constexpr CommitId kWindow = 64;

  CommitId base = 0;       ///< all commits up to this one
  std::uint64_t bits = 0;  ///< bit i: commit base + 1 + i

  [[nodiscard]] bool has(CommitId commit) const {
    return commit <= base || (commit - base <= kWindow && (bits >> (commit - base - 1) & 1) != 0);
  }

  /// Requires a commit up to base + 64.
  void add(CommitId commit) {
    if (commit > base) {
      bits |= std::uint64_t{1} << (commit - base - 1);
    }
  }

  /// The bits of the commits after `from`, which must not be before base.
  [[nodiscard]] std::uint64_t bits_from(CommitId from) const {
    return from - base >= kWindow ? 0 : bits >> (from - base);
  }

  /// Moves the base: all commits before it now count as seen.
  void move_to(CommitId from) {
    if (from > base) {
      bits = bits_from(from);
      base = from;
    }
  }
};

}  // namespace elapid
