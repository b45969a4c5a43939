// Rows of an open universe that no operation names, as many as can make a difference.
//
// A count of rows, or a result without keys, may include rows that no operation names. An execution
// stays one without the rows that no result counted. So each result needs at most as many rows as
// it counted. If predicates on keys or limits tell keys apart, it needs so many of each kind.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "engine/rows/predicate.h"
#include "engine/rows/rows.h"

namespace elapid::rows {

class OtherRows {
 public:
  /// Notes an operation with a predicate.
  void note(const RowOp& op, const Predicate& predicate);

  /// Notes a named row whose key is an integer.
  void note_key(std::int64_t key) { keys_.insert(key); }

  /// Keys of other rows. Sets `is_whole` to false if more rows are needed. O(keys).
  [[nodiscard]] std::vector<std::int64_t> keys(bool& is_whole) const;

 private:
  void note_ranges(const Predicate& predicate);
  [[nodiscard]] std::set<std::int64_t> borders() const;

  std::uint64_t count_ = 0;  // of rows in all results
  bool has_limits_ = false;
  std::set<std::int64_t> keys_;
  std::set<std::int64_t> range_borders_;  // the first keys of ranges, and the keys after ranges
};

}  // namespace elapid::rows
