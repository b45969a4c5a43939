// A line of Jepsen's log as ahorn's checker and Porcupine read them.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/jepsen/op_map.h"

namespace elapid {

/// Whether the line is one of an operation: `INFO  jepsen.util - ...`.
[[nodiscard]] bool is_etcd_line(std::string_view line);

/// Reads `INFO  jepsen.util - 0 :invoke :cas [4 2]`, which is at byte `offset`, as an operation of
/// a history of registers. Error kMalformed with a byte offset: a line of another shape, an unknown
/// type, a value that is not EDN.
Status read_etcd_line(std::string_view line, std::uint64_t offset, ValuePool& values, OpMap& op);

}  // namespace elapid
