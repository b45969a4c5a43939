// Finds the place of the history in a Jepsen file.
#pragma once

#include "engine/ir/result.h"
#include "parsers/jepsen_binary/block_file.h"

namespace elapid::jepsen_binary {

/// The block that the test's :history refers to; 0 if the test has none. Only the test's own blocks
/// are read: nothing that :results refers to. Errors as BlockFile's.
Result<BlockId> find_history(BlockFile& file, const BlockIndex& index);

}  // namespace elapid::jepsen_binary
