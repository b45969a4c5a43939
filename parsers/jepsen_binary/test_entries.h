// The contents of the test's map in a Jepsen file: the place of the history, and entries such as
// `:accounts [0 1 2]`, which checkers of workloads need.
//
// The map is one block, or several laid over one another; the outer one has priority. Only these
// blocks are read: not those of :history and :results.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/jepsen_binary/block_file.h"

namespace elapid::jepsen_binary {

/// Keys as `:accounts`, and values as EDN.
using TestEntries = std::vector<std::pair<std::string, std::string>>;

/// The entries with these keys, each once, without keys that the test lacks. Errors as
/// BlockFile's.
Result<TestEntries> find_entries(BlockFile& file, const BlockIndex& index,
                                 std::span<const std::string_view> keys);

/// The block that the test's :history refers to; 0 if the test has none. Errors as above.
Result<BlockId> find_history(BlockFile& file, const BlockIndex& index);

}  // namespace elapid::jepsen_binary
