#include "adapter/watch/expect_stream.h"

#include <cstddef>
#include <string>
#include <vector>

#include "parsers/detect.h"
#include "parsers/format.h"
#include "parsers/stream/stream_line.h"

namespace elapid {

namespace {

/// The beginning of the source, as long as a header may be; empty if the source cannot be read.
std::string first_line(ByteSource& source) {
  constexpr std::size_t kLongestHeader = 4096;
  std::string text(kLongestHeader, '\0');
  const Result<std::size_t> size = source.reread(0, text);
  text.resize(size ? size.value() : 0);
  return text.substr(0, text.find('\n'));
}

}  // namespace

Status expect_stream(ByteSource& source, std::string_view follow) {
  const Result<std::vector<Detection>> detected = detect_file(source);
  const Format* format = detected ? detected.value().front().format.format : nullptr;
  if (is_header_of_rows(first_line(source))) {
    Error error = rows_in_stream(0, follow);
    error.file = source.name();
    error.byte_offset.reset();
    return error;
  }
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
