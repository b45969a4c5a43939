// The operations of one object, as the engines of this folder take them.
//
// An operation is an interval: it takes effect at one instant between its invocation and its
// return.
//
//   process 1   |-- write 1 --|                invoked 1, returned 3
//   process 2        |--- read 1 ---|          invoked 2, returned 4
//   process 3             |-- write 2 ...      invoked 5, never returns: it takes effect later, or
//   never
//
// Instants are places of events in the history, counted from 1, so that no two are equal: an
// operation that returns at 2 comes before one that is invoked at 3. Operations without an
// invocation are all invoked at 0, before each event. Operations that failed are not among them,
// nor are reads that never returned.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/ir/value_pool.h"

namespace elapid::linearize {

/// The return of an operation that never returned.
inline constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

struct Operation {
  TxnId txn = {};  ///< the transaction of the history that it is, for evidence
  std::uint32_t invoked = 0;
  std::uint32_t returned = kNever;
  std::uint8_t f = 0;  ///< which operation of the type; each type has its own list
  ValueId argument = ValueId::none();
  ValueId result = ValueId::none();  ///< none(): unknown, as of each operation that never returned

  [[nodiscard]] bool is_open() const { return returned == kNever; }

  friend bool operator==(const Operation&, const Operation&) = default;
};

/// In the order of their invocations.
using Operations = std::vector<Operation>;

/// The answer of an engine about one object.
enum class Answer : std::uint8_t {
  kLinearizable,
  kNotLinearizable,
  kUnknown,  ///< the budget of work was spent
};

}  // namespace elapid::linearize
