// Transactions grouped by numbered things, such as versions, in compressed rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/ids.h"

namespace elapid {

/// `RowId`: the id of a row, numbered from 0.
template <class RowId>
class TxnRows {
 public:
  /// Each row keeps the order of its entries. Linear.
  void build(std::size_t rows, std::span<const std::pair<RowId, TxnId>> entries) {
    begin_.assign(rows + 1, 0);
    for (const auto& [row, txn] : entries) {
      ++begin_[row.index() + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    txns_.resize(entries.size());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (const auto& [row, txn] : entries) {
      txns_[next[row.index()]++] = txn;
    }
  }

  [[nodiscard]] std::span<const TxnId> of(RowId row) const {
    return std::span(txns_).subspan(begin_[row.index()],
                                    begin_[row.index() + 1] - begin_[row.index()]);
  }

 private:
  std::vector<std::uint32_t> begin_;  // one more than rows
  std::vector<TxnId> txns_;
};

}  // namespace elapid
