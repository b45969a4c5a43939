// Hashes of rows, for searches that remember the states they visited.
#pragma once

#include <cstdint>

#include "engine/ir/ids.h"
#include "engine/replay/table_state.h"
#include "engine/search/state_memo.h"

namespace elapid::replay {

/// `what`: 0 for the current state of the row, or 1 + the transaction that plans the state. The
/// hash of an absent row is empty if `what` is 0.
[[nodiscard]] search::StateHash row_hash(KeyId row, const RowState& state, std::uint64_t what);

}  // namespace elapid::replay
