#include "harness/scenario/text_file.h"

#include <cstddef>
#include <memory>
#include <span>

#include "parsers/bytes/byte_source.h"

namespace elapid {

Result<std::string> read_text_file(const std::string& path, std::string_view what) {
  Result<std::unique_ptr<ByteSource>> source = open_source(path);
  ELAPID_RETURN_IF_ERROR(source);
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  std::string text(kMostBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const Result<std::size_t> read = source.value()->read(std::span(text).subspan(size));
    ELAPID_RETURN_IF_ERROR(read);
    if (read.value() == 0) {
      break;
    }
    size += read.value();
  }
  if (size > kMostBytes) {
    return Error{.message = "expected " + std::string(what) + " of at most 1 MiB, found more",
                 .file = path};
  }
  text.resize(size);
  return text;
}

}  // namespace elapid
