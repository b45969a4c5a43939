// A picture of all operations of an object over time, and of the order that was
// found.
//
//   process 1   |--1--|                operation 1 of the order: write 1
//   process 2      |-----2--|          operation 2: read 1
//   process 3            |-- ...       never returned, and not in the order
//
// Each operation of the order takes effect at an instant: after the latest invocation so far in the
// order, and before the next event. If no order explains all operations, this order has the
// operations before the return at which no order goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// An order of operations of one object, and where it ends.
struct OrderFound {
  std::vector<TxnId> order = {};
  /// The operation at whose return no order goes on; none() if the order has all operations.
  TxnId stops_at = TxnId::none();
  std::vector<TxnId> core = {};  ///< the operations that show why
};

struct OrderPicture {
  struct Bar {
    TxnId txn = {};
    std::uint32_t lane = 0;
    // Places among the events of the picture's operations.
    std::uint32_t begin = 0;
    std::uint32_t end = 0;  ///< of an operation that never returned: where its process gave it up
    bool returned = false;
    std::uint32_t number = 0;  ///< in the order, from 1; 0: not in the order
    /// When it takes effect: an event, and thousandths of the way to the next event.
    std::uint64_t instant = 0;
  };

  std::vector<std::string> lanes = {};  ///< their names: the first process of each
  std::vector<Bar> bars = {};           ///< by invocation
  std::uint32_t events = 0;
  std::size_t left_out = 0;  ///< operations before the first shown one
  std::size_t ordered = 0;   ///< operations of the order, shown or not
};

/// Leaves out operations that failed, and reads that never returned. Shows at most `most`
/// operations: the last ones up to a little after the operation at which the order stops. Processes
/// that follow one another share a lane. O(n log n).
[[nodiscard]] OrderPicture order_picture(const History& history, const OrderFound& found,
                                         std::size_t most);

/// The number of each transaction's object. Transactions that share a key, directly or through
/// others, have one object. Near linear.
[[nodiscard]] std::vector<std::uint32_t> objects_of_txns(const History& history);

}  // namespace elapid
