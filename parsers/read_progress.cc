#include "parsers/read_progress.h"

#include <new>

#include "engine/ir/memory_account.h"

namespace elapid {

Status ReadProgress::call(std::uint64_t offset) {
  constexpr std::uint64_t kInterval = std::uint64_t{1} << 20;
  next_ = offset + kInterval;
  if (!MemoryLimit::allows()) {
    throw std::bad_alloc();
  }
  if (!options_.progress || options_.progress(source_.consumed(), source_.total())) {
    return {};
  }
  return Error{.kind = ErrorKind::kUnreadable,
               .message = "the reading was interrupted",
               .byte_offset = offset};
}

}  // namespace elapid
