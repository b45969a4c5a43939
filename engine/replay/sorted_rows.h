// Rows sorted by a number that each row has, for queries by range.
//
// ```cpp
// replay::SortedRows rows;
// rows.insert(15, KeyId{7});
// rows.insert(20, KeyId{3});
// CHECK(rows.count_within(13, 19) == 1);
// rows.erase(15, KeyId{7});
// CHECK(rows.count_within(13, 19) == 0);
// ```
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ir/ids.h"

namespace elapid::replay {

/// Stores neighbours in blocks: a range lies together in memory, and a change moves little.
class SortedRows {
 public:
  /// Requires that the entry is absent. O(log rows + size of a block), and now and then O(blocks).
  void insert(std::int64_t at, KeyId row);

  /// Requires that the entry is present. The same time.
  void erase(std::int64_t at, KeyId row);

  /// Calls `take(row)` for low <= number <= high, by number, then by row. O(log rows + calls).
  template <class Take>
  void each_within(std::int64_t low, std::int64_t high, Take take) const {
    const Entry first = {low, KeyId{0}};
    std::size_t at = block_of(first);
    for (bool is_first = true; at < blocks_.size(); ++at, is_first = false) {
      const Block& block = blocks_[at];
      auto entry = is_first ? std::ranges::lower_bound(block, first) : block.begin();
      for (; entry != block.end(); ++entry) {
        if (entry->at > high) {
          return;
        }
        take(entry->row);
      }
    }
  }

  /// The number of rows with low <= number <= high. O(log rows + blocks in the range).
  [[nodiscard]] std::size_t count_within(std::int64_t low, std::int64_t high) const;

 private:
  struct Entry {
    std::int64_t at = 0;
    KeyId row = {};
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  using Block = std::vector<Entry>;

  static constexpr std::size_t kMost = 256;  // entries of a block

  /// The first block whose last entry is not before `entry`; the number of blocks if none is.
  [[nodiscard]] std::size_t block_of(const Entry& entry) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(ends_, entry) - ends_.begin());
  }

  void split(std::size_t at);

  std::vector<Block> blocks_;  // none of them empty
  std::vector<Entry> ends_;    // of each block the last entry
};

}  // namespace elapid::replay
