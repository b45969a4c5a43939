#include "parsers/read_progress.h"

namespace elapid {

Status ReadProgress::call(std::uint64_t offset) {
  constexpr std::uint64_t kInterval = std::uint64_t{1} << 20;
  next_ = offset + kInterval;
  if (options_.progress(source_.consumed(), source_.total())) {
    return {};
  }
  return Error{.kind = ErrorKind::kUnreadable,
               .message = "the reading was interrupted",
               .byte_offset = offset};
}

}  // namespace elapid
