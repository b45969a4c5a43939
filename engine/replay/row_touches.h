// The transactions that need a row alive, or absent, in the order of their completions.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/history.h"
#include "engine/replay/needs.h"
#include "engine/rows/rows.h"

namespace elapid::replay {

class RowTouches {
 public:
  struct Touch {
    EventId at;  ///< the transaction's completion
    TxnId txn;
    bool is_insert = false;  ///< else the row must be alive
  };

  /// The touches of the committed transactions. Near linear.
  RowTouches(const History& history, const Needs& needs);

  /// The first touch whose transaction is not `than` and not `done(txn)`; or nullptr.
  template <class Done>
  [[nodiscard]] const Touch* next(KeyId row, TxnId than, Done done) const {
    const std::vector<Touch>& touches = touches_[row.index()];
    std::uint32_t& first = first_[row.index()];
    while (first < touches.size() && done(touches[first].txn)) {
      ++first;  // what is done stays so
    }
    for (std::size_t at = first; at < touches.size(); ++at) {
      if (touches[at].txn != than && !done(touches[at].txn)) {
        return &touches[at];
      }
    }
    return nullptr;
  }

 private:
  std::vector<std::vector<Touch>> touches_;   // by KeyId
  mutable std::vector<std::uint32_t> first_;  // by KeyId: the touches before it are done
};

}  // namespace elapid::replay
