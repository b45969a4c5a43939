// The rows that the last read of a test of CockroachDB shows, in order, and what is wrong with
// them.
//
//   {:val 1, :sts 100} {:val 3, :sts 110} {:val 2, :sts 120}
//
// Value 2 has a later timestamp than value 3: the two are a reorder.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/value_pool.h"

namespace elapid::monotonic {

/// The canonical text of an integer of any size, which compares by its size.
class BigInteger {
 public:
  /// Nothing if the text is no integer, as `12`, `-3` or `79228162514264337593543950336N`.
  static std::optional<BigInteger> parse(std::string_view text);

  friend bool operator<(const BigInteger& a, const BigInteger& b);
  friend bool operator==(const BigInteger& a, const BigInteger& b) = default;

 private:
  bool is_negative_ = false;
  std::string digits_;
};

struct Row {
  ValueId whole = ValueId::none();  ///< the row as it is read
  ValueId val = ValueId::none();
  std::int64_t number = 0;  ///< that `val` is
  BigInteger sts = {};
  ValueId node = ValueId::nil();
  ValueId table = ValueId::nil();
  ValueId proc = ValueId::nil();
};

/// The row of this text; nothing if it is no map with integers `:val` and `:sts`. `:val` has 64
/// bits.
[[nodiscard]] std::optional<Row> row_of(std::string_view text, const ValuePool& values);

/// Two successive rows that are in the wrong order.
using RowPair = std::pair<ValueId, ValueId>;

/// Pairs in which the timestamp falls. O(n).
[[nodiscard]] std::vector<RowPair> falling_timestamps(std::span<const Row> rows);

/// Pairs in which the value does not rise. O(n).
[[nodiscard]] std::vector<RowPair> falling_values(std::span<const Row> rows);

/// The same among the rows of each group, by a member of theirs, groups in the order of the keys.
[[nodiscard]] std::vector<std::pair<ValueId, std::vector<RowPair>>> falling_values_by(
    std::span<const Row> rows, ValueId Row::*group, const ValuePool& values);

/// Sorts rows of the same timestamp by value: the timestamps do not tell their order.
void sort_ties(std::vector<Row>& rows);

}  // namespace elapid::monotonic
