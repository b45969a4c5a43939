// The operations of one object, as input of the engines in this folder.
//
// An operation is an interval: it takes effect at one instant between its invocation and its
// return.
//
//   process 1   |-- write 1 --|                invoked 1, returned 3
//   process 2        |--- read 1 ---|          invoked 2, returned 4
//   process 3             |-- write 2 ...      invoked 5, never returns: it takes effect later, or
//   never
//
// An operation that returns at 2 precedes an operation that is invoked at 3. In a history, instants
// of events are even, in their order. An operation without an invocation begins at 0, or (at
// sequential) right after the one before it in its process, at an odd instant. Failed operations
// are left out, and so are reads that never returned.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/ir/value_pool.h"

namespace elapid::linearize {

/// The value of `returned` for an operation that never returned.
inline constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

struct Operation {
  TxnId txn = {};  ///< the transaction of the history that holds the operation, for evidence
  std::uint32_t invoked = 0;
  std::uint32_t returned = kNever;
  std::uint8_t f = 0;  ///< the number of the operation in its type; each type has its own list
  ValueId argument = ValueId::none();
  ValueId result = ValueId::none();  ///< none(): unknown, as for each operation that never returned

  [[nodiscard]] bool is_open() const { return returned == kNever; }

  friend bool operator==(const Operation&, const Operation&) = default;
};

/// Sorted by invocation.
using Operations = std::vector<Operation>;

/// The answer of an engine about one object.
enum class Answer : std::uint8_t {
  kLinearizable,
  kNotLinearizable,
  kUnknown,  ///< the work limit was reached
};

}  // namespace elapid::linearize
