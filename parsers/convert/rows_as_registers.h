// Converts rows that are used as registers into registers, and back.
#pragma once

#include "engine/ir/history.h"
#include "engine/ir/result.h"

namespace elapid {

/// From a history of rows that each hold a single value, always in the same column: transactions
/// put values and read rows by key, and do nothing else. If versions have names and reads have only
/// these names, the names are the values. A row that does not exist holds nil. Each level holds for
/// the registers iff it holds for the rows. Error kUsage: an operation that registers lack.
[[nodiscard]] Result<History> rows_as_registers(const History& history);

/// From registers to rows with single values; a register that was never written is a row that does
/// not exist. Each level holds for one history iff it holds for the other. Error kUsage: registers
/// with an initial value other than nil, or writes of nil; other operations.
[[nodiscard]] Result<History> registers_as_rows(const History& history);

}  // namespace elapid
