// Whether a result without keys fits the rows. An operation may have found each row in several
// ways, and the result says how many rows it found in each way.
//
// Example. An operation found two rows, but 7, 8 and 9 must all have matched: one too many. Or it
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

/// How an operation found a row, or that it did not.
struct Outcome {
  std::uint32_t as = 0;                   ///< kAsRecorded, kAsFound, kAsMissed, or an item's number
  bool is_found = false;                  ///< the row matches
  const rows::ShownRow* shown = nullptr;  ///< what it holds, if that is known
};

/// Rows that are alike as far as a result tells.
struct FoundKind {
  Outcome outcome;
  std::size_t least = 0;
  std::size_t most = 0;
};

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

/// Of an operation whose result has no keys. Of a bag the kinds are its contents, each the outcome
/// of the first row that has it.
[[nodiscard]] std::vector<FoundKind> kinds_found(const rows::Rows& rows, const rows::RowOp& op);

/// What a row may have been to an operation.
struct Chances {
  KeyId row;
  bool may_be_missed = false;
  std::vector<bool> may_be = {};  ///< by kind
};

/// Why no choice for all rows comes to what was found.
struct Miscount {
  bool is_too_few = false;
  /// Of these more were found than rows may be; or these rows, which cannot have been missed nor
  /// are of another kind, are more than were found.
  std::vector<std::size_t> kinds = {};
  std::vector<KeyId> rows = {};  ///< too few: all that are of none of the kinds
};

/// Nothing: some choice does. O(rows kinds found), by augmenting paths (Kuhn 1955); a set of kinds
/// or rows for which there are none is what Hall's theorem names.
[[nodiscard]] std::optional<Miscount> miscount(std::span<const FoundKind> kinds,
                                               std::span<const Chances> rows);

}  // namespace elapid::argue
