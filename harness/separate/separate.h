// Smallest histories that one level allows and another forbids.
//
// All histories are tried in the order of their sizes, so that the first one found is smallest:
// no history with as many transactions and operations or fewer separates the two levels. What that
// covers: committed and aborted transactions of reads and writes of registers, or of reads and
// appends to lists, without reads of unwritten values. The idea of bounded synthesis of
// separating histories is that of Isolde (arXiv 2604.00159).
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

/// Up to so many operations, all histories are tried; of larger ones those in which a transaction
/// reads a key once, before it writes it, and writes it once.
inline constexpr std::size_t kWholeOps = 4;

/// A history, and what every level says of it.
struct Separator {
  TinyHistory history = {};
  ShapeSize size = {};
  ModelSet valid = {};
  ModelSet invalid = {};

  [[nodiscard]] bool separates(Model allowing, Model forbidding) const {
    return valid.test(allowing) && invalid.test(forbidding);
  }
};

/// What `history` says of all levels. Error: of the check.
[[nodiscard]] Result<Separator> judged(const TinyHistory& history, ShapeSize size);

/// Whether `allowing` is known to allow the history, and `forbidding` to forbid it. Error: of the
/// check.
[[nodiscard]] Result<bool> is_separator(const TinyHistory& history, Model allowing,
                                        Model forbidding);

struct SeparationSearch {
  std::optional<Separator> found = {};
  std::uint64_t tried = 0;  ///< histories that no serial order explains, and so were checked
};

/// Told the size that is tried next; false stops the search.
using SizeObserver = std::function<bool(ShapeSize)>;

/// A smallest history of at most `most` that `allowing` allows and `forbidding` forbids: the fewest
/// transactions first, then operations; registers before lists. Error: of the check, or kInternal
/// with "interrupted" where the observer stopped it.
[[nodiscard]] Result<SeparationSearch> separate(Model allowing, Model forbidding, ShapeSize most,
                                                const SizeObserver& observer = {});

/// Few histories that together separate every pair of levels that any history of at most `most`
/// separates, each pair by a smallest one.
[[nodiscard]] Result<std::vector<Separator>> separate_all(ShapeSize most,
                                                          const SizeObserver& observer = {});

// A quick test for histories whose transactions can run one after the other. Most small histories
// pass it and need no check.

/// Whether the committed transactions, run one after the other in an order that keeps to `before`,
/// read what the shape says. Then every level allows the history. Exponential in transactions.
[[nodiscard]] bool has_serial_order(const SmallShape& shape, const Before& before, bool are_lists);

}  // namespace elapid
