// The smallest histories that one level allows and another one forbids.
//
// All histories are tried in order of size, so the first one found is a smallest one: no history
// with as many transactions and operations, or fewer, separates the two levels. The search covers
// committed and aborted transactions of reads and writes of registers, or of reads and appends to
// lists, without reads of unwritten values. Isolde (arXiv 2604.00159) had the idea of a bounded
// synthesis of separating histories.
//
// ```cpp
// // A lost update: parallel snapshot isolation and all above forbid it.
// const Result<SeparationSearch> search =
//     separate(Model::kPrefix, Model::kPlSi, {.txns = 2, .ops = 4});
// CHECK(search.value().found->size == ShapeSize{.txns = 2, .ops = 4});
// ```
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "harness/separate/placement.h"
#include "harness/separate/small_shape.h"
#include "harness/sketch/tiny_history.h"

namespace elapid {

/// Up to this number of operations, all histories are tried. Larger ones are tried only if each
/// transaction reads a key at most once, before writing it, and writes it at most once.
inline constexpr std::size_t kWholeOps = 4;

/// A history, and its verdict at every level.
struct Separator {
  TinyHistory history = {};
  ShapeSize size = {};
  ModelSet valid = {};
  ModelSet invalid = {};

  [[nodiscard]] bool separates(Model allowing, Model forbidding) const {
    return valid.test(allowing) && invalid.test(forbidding);
  }
};

/// The verdicts of `history` at all levels. Errors: those of the check.
[[nodiscard]] Result<Separator> judged(const TinyHistory& history, ShapeSize size);

/// Whether the check proves that `allowing` allows the history and `forbidding` forbids it. Errors:
/// those of the check.
[[nodiscard]] Result<bool> is_separator(const TinyHistory& history, Model allowing,
                                        Model forbidding);

struct SeparationSearch {
  std::optional<Separator> found = {};
  std::uint64_t tried = 0;  ///< checked histories, which no serial order explains
};

/// Called with the next size to try; false stops the search.
using SizeObserver = std::function<bool(ShapeSize)>;

/// A smallest history, up to size `most`, that `allowing` allows and `forbidding` forbids: first
/// the fewest transactions, then the fewest operations; registers before lists. Errors: those of
/// the check; kInternal with "interrupted" if the observer stopped it.
[[nodiscard]] Result<SeparationSearch> separate(Model allowing, Model forbidding, ShapeSize most,
                                                const SizeObserver& observer = {});

/// A few histories that separate every pair of levels that some history of at most `most`
/// separates; each pair by a smallest one.
[[nodiscard]] Result<std::vector<Separator>> separate_all(ShapeSize most,
                                                          const SizeObserver& observer = {});

// A quick test whether the transactions of a history can run one after another. Most small
// histories pass it and need no check.

/// Whether the committed transactions give the shape's reads if they run one after another, in some
/// order that contains `before`. Then every level allows the history. Exponential in transactions.
[[nodiscard]] bool has_serial_order(const SmallShape& shape, const Before& before, bool are_lists);

}  // namespace elapid
