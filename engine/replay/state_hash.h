// Hashes of what rows hold, for searches that remember the states they came to.
#pragma once

#include <cstdint>

#include "engine/ir/ids.h"
#include "engine/replay/table_state.h"
#include "engine/search/state_memo.h"

namespace elapid::replay {

/// The hash of a row that is not alive is empty. `what`: the transaction that holds it back, plus
/// 1; or 0.
[[nodiscard]] search::StateHash row_hash(KeyId row, const RowState& state, std::uint64_t what);

}  // namespace elapid::replay
