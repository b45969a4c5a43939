// Enumerates all small histories, each once: the reads and writes of a few transactions.
//
// A shape is a history without sessions and times. Two shapes that differ only in the names of keys
// and values, or in the order in which transactions are listed, are the same, so only one is made.
// Shapes that a smaller history covers are left out: those with a key that is never written, since
// reads of nil say nothing then, and those with an aborted transaction that no read has seen.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace elapid {

/// The most that a shape may have of each.
inline constexpr std::size_t kSmallTxns = 5;
inline constexpr std::size_t kSmallOps = 10;

/// An operation on a key. The n-th write to a key writes n.
struct SmallOp {
  bool is_write = false;
  std::uint8_t key = 0;
  std::uint8_t length = 0;                          ///< of `values`
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
  std::size_t ops = 0;  ///< of all transactions together

  friend auto operator<=>(const ShapeSize&, const ShapeSize&) = default;
};

struct ShapeKind {
  bool are_lists = false;  ///< writes append, and a read sees several elements in some order
  /// A transaction reads a key once, before it writes it, and writes it once: what levels are
  /// about once reads of own writes are as they should be.
  bool are_normal = false;
};

/// Calls `use` with every shape of exactly this size until it returns false; whether it never did.
/// The number of shapes grows exponentially with the operations.
bool for_all_shapes(ShapeSize size, ShapeKind kind,
                    const std::function<bool(const SmallShape&)>& use);

}  // namespace elapid
