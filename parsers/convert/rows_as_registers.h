// Converts rows that are used as registers into registers, and back.
#pragma once

#include "engine/ir/history.h"
#include "engine/ir/result.h"

namespace elapid {

/// A history of rows of which each holds a single value, always in the same column: transactions
/// put values and read rows by key, nothing else. Where versions have names and reads tell these
/// alone, they are the values. A row that does not exist holds nil. Each level holds of the history
/// of registers iff it holds of the rows. Error kUsage: what is no operation of a register.
[[nodiscard]] Result<History> rows_as_registers(const History& history);

/// Registers as rows that are single values, one whose register was never written does not exist.
/// Each level holds of one history iff it holds of the other. Error kUsage: registers that hold
/// something else than nil before the first write, or writes of nil; other operations.
[[nodiscard]] Result<History> registers_as_rows(const History& history);

}  // namespace elapid
