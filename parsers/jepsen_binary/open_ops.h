// Opens a file as a stream of operations.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/jepsen_binary/block_ops.h"
#include "parsers/jepsen_binary/op_texts.h"

namespace elapid::jepsen_binary {

enum class Container : std::uint8_t {
  kBlocks,    ///< test.jepsen
  kFressian,  ///< test.fressian
};

/// The container, by the first bytes.
Result<Container> find_container(ByteSource& source);

/// The operations from the first on. With `around`, for reading one of them again, others may be
/// missing. Borrows `source`. Errors have byte offsets.
Result<std::unique_ptr<OpTexts>> open_ops(ByteSource& source, Container container, bool salvages,
                                          std::optional<std::uint64_t> around = {});

/// Opens a test.jepsen without salvage.
Result<std::unique_ptr<BlockOps>> open_blocks(ByteSource& source,
                                              std::optional<std::uint64_t> around = {});

}  // namespace elapid::jepsen_binary
