// Whether a result without keys fits the rows. An operation may have found each row in several
// ways, and the result has the number of rows for each way.
//
// Example: an operation found two rows, but 7, 8 and 9 must all have matched: one too many. Or it
// was shown {:a 1} and {:a 2}, and only row 7 may have held either: one too few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/rows/rows.h"

namespace elapid::argue {

/// How an operation found a row, or that it did not find it.
struct Outcome {
  std::uint32_t as = 0;                   ///< kAsRecorded, kAsFound, kAsMissed, or an item's number
  bool is_found = false;                  ///< the row matches
  const rows::ShownRow* shown = nullptr;  ///< the contents, if known
};

/// Rows that the result does not distinguish.
struct FoundKind {
  Outcome outcome;
  std::size_t least = 0;
  std::size_t most = 0;
};

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

/// The kinds of an operation whose result has no keys. For a bag, the kinds are its contents; each
/// has the outcome of the first row with these contents.
[[nodiscard]] std::vector<FoundKind> kinds_found(const rows::Rows& rows, const rows::RowOp& op);

/// The ways in which an operation may have found a row.
struct Chances {
  KeyId row;
  bool may_be_missed = false;
  std::vector<bool> may_be = {};  ///< by kind
};

/// The reason why no choice for all rows gives the result.
struct Miscount {
  bool is_too_few = false;
  /// Too few: more rows of these kinds were found than rows may be of them. Too many: more rows can
  /// neither be missed nor be of another kind than were found of these kinds.
  std::vector<std::size_t> kinds = {};
  std::vector<KeyId> rows = {};  ///< if too few: all rows that may be of none of the kinds
};

/// Nothing if some choice gives the result. O(rows kinds found), by augmenting paths (Kuhn 1955);
/// if there is none, Hall's theorem gives the kinds or rows.
[[nodiscard]] std::optional<Miscount> miscount(std::span<const FoundKind> kinds,
                                               std::span<const Chances> rows);

}  // namespace elapid::argue
