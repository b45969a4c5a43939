// Reads until a buffer is full, because a single read may bring less.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "engine/ir/result.h"

namespace elapid {

/// Up to `size` bytes, fewer only at the end. `read(std::span<char>)` returns Result<std::size_t>,
/// 0 at the end.
template <class Read>
Result<std::string> read_full(std::size_t size, Read read) {
  std::string bytes(size, '\0');
  std::size_t filled = 0;
  while (filled < size) {
    ELAPID_ASSIGN_OR_RETURN(std::size_t count, read(std::span(bytes).subspan(filled)));
    if (count == 0) {
      break;
    }
    filled += count;
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace elapid
