// Enumerates all small histories, each once: the reads and writes of a few transactions.
//
// A shape is a history without sessions and times. Shapes that differ only in the names of keys and
// values, or in the order in which transactions are listed, count as one. A shape that a smaller
// history covers is left out: one with a key that is never written, since reads of nil then show
// nothing, or one with an aborted transaction that no read saw.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace elapid {

/// The largest sizes of a shape.
inline constexpr std::size_t kSmallTxns = 5;
inline constexpr std::size_t kSmallOps = 10;

/// An operation on a key. The n-th write to a key writes n.
struct SmallOp {
  bool is_write = false;
  std::uint8_t key = 0;
  std::uint8_t length = 0;                          ///< number of `values`
  std::array<std::uint8_t, kSmallOps> values = {};  ///< written, or seen; none: nil

  friend auto operator<=>(const SmallOp&, const SmallOp&) = default;
};

struct SmallTxn {
  bool is_aborted = false;
  std::vector<SmallOp> ops = {};

  friend auto operator<=>(const SmallTxn&, const SmallTxn&) = default;
};

using SmallShape = std::vector<SmallTxn>;

struct ShapeSize {
  std::size_t txns = 0;
  std::size_t ops = 0;  ///< operations of all transactions

  friend auto operator<=>(const ShapeSize&, const ShapeSize&) = default;
};

struct ShapeKind {
  bool are_lists = false;  ///< writes append, and a read sees elements in some order
  /// A transaction reads each key at most once, before it writes it, and writes it at most once:
  /// the cases that levels are about when reads of own writes are right.
  bool are_normal = false;
};

/// Calls `use` for every shape of exactly this size until it returns false. Whether it never did.
/// The number of shapes grows exponentially with the operations.
bool for_all_shapes(ShapeSize size, ShapeKind kind,
                    const std::function<bool(const SmallShape&)>& use);

}  // namespace elapid
