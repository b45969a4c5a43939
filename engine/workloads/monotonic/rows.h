// The rows of the last read of a CockroachDB test, in order, and the errors in
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

/// The canonical text of an integer of any size; compares by number.
class BigInteger {
 public:
  /// Nothing if the text is not an integer, as `12`, `-3` or `79228162514264337593543950336N`.
  static std::optional<BigInteger> parse(std::string_view text);

  friend bool operator<(const BigInteger& a, const BigInteger& b);
  friend bool operator==(const BigInteger& a, const BigInteger& b) = default;

 private:
  bool is_negative_ = false;
  std::string digits_;
};

struct Row {
  ValueId whole = ValueId::none();  ///< the row as read
  ValueId val = ValueId::none();
  std::int64_t number = 0;  ///< `val` as a number
  BigInteger sts = {};
  ValueId node = ValueId::nil();
  ValueId table = ValueId::nil();
  ValueId proc = ValueId::nil();
};

/// The row of this text. Nothing if the text is not a map with integers `:val` and `:sts`. `:val`
/// has 64 bits.
[[nodiscard]] std::optional<Row> row_of(std::string_view text, const ValuePool& values);

/// Two successive rows in the wrong order.
using RowPair = std::pair<ValueId, ValueId>;

/// Pairs with a falling timestamp. O(n).
[[nodiscard]] std::vector<RowPair> falling_timestamps(std::span<const Row> rows);

/// Pairs with a value that does not rise. O(n).
[[nodiscard]] std::vector<RowPair> falling_values(std::span<const Row> rows);

/// The same among the rows of each group, by a member of Row; groups in the order of the keys.
[[nodiscard]] std::vector<std::pair<ValueId, std::vector<RowPair>>> falling_values_by(
    std::span<const Row> rows, ValueId Row::*group, const ValuePool& values);

/// Sorts rows with equal timestamps by value: their timestamps do not give an order.
void sort_ties(std::vector<Row>& rows);

}  // namespace elapid::monotonic
