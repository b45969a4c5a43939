#include "adapter/watch/expect_stream.h"

#include <string>
#include <vector>

#include "parsers/detect.h"
#include "parsers/formats.h"

namespace elapid {

Status expect_stream(ByteSource& source, std::string_view follow) {
  const Result<std::vector<Detection>> detected = detect_file(source);
  const Format* format = detected ? detected.value().front().format.format : nullptr;
  if (format == nullptr || !format->grows_by_lines || format->is_stream) {
    return {};
  }
  return Error{
      .message = "expected a stream of transactions in JSON, found a history in the format " +
                 std::string(format->name) +
                 (follow.empty() ? "" : "; did you mean " + std::string(follow) + "?"),
      .file = source.name()};
}

}  // namespace elapid
