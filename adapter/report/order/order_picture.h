// All operations of an object over time, and the order that was found of them, as a picture needs
// them.
//
//   process 1   |--1--|                operation 1 of the order: write 1
//   process 2      |-----2--|          operation 2: read 1
//   process 3            |-- ...       never returned, and is not in the order
//
// Each operation of the order takes effect at an instant: after the latest invocation so far in the
// order, and before the next event. Where no order explains all operations, it is one of those
// before the return at which no order goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// An order of operations of one object, and where it ends.
struct OrderFound {
  std::vector<TxnId> order = {};
  /// At whose return no order goes on; none() if the order has all operations.
  TxnId stops_at = TxnId::none();
  std::vector<TxnId> core = {};  ///< that show why
};

struct OrderPicture {
  struct Bar {
    TxnId txn = {};
    std::uint32_t lane = 0;
    // Places among the events of the picture's operations.
    std::uint32_t begin = 0;
    std::uint32_t end = 0;  ///< of one that never returned: where its process gave it up
    bool returned = false;
    std::uint32_t number = 0;  ///< in the order, from 1; 0: it is not in it
    /// When it takes effect: an event, and a part of the way to the next one, in thousandths.
    std::uint64_t instant = 0;
  };

  std::vector<std::string> lanes = {};  ///< what they are called: the first process of each
  std::vector<Bar> bars = {};           ///< by invocation
  std::uint32_t events = 0;
  std::size_t left_out = 0;  ///< operations before the first that is shown
  std::size_t ordered = 0;   ///< operations of the order, shown or not
};

/// Operations that failed, and reads that never returned, are not shown. At most `most` are: the
/// last up to a little after the one at which the order stops. Processes that follow one another
/// share a lane. O(n log n).
[[nodiscard]] OrderPicture order_picture(const History& history, const OrderFound& found,
                                         std::size_t most);

/// The object that each transaction is on, by a number: that of those that share a key with it, or
/// with another one in between. Near linear.
[[nodiscard]] std::vector<std::uint32_t> objects_of_txns(const History& history);

}  // namespace elapid
