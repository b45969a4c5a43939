#include "harness/scenario/text_file.h"

#include <cstddef>
#include <memory>
#include <span>

#include "parsers/bytes/byte_source.h"

namespace elapid {

Result<std::string> read_text_file(const std::string& path, std::string_view what) {
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, open_source(path));
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  std::string text(kMostBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    ELAPID_ASSIGN_OR_RETURN(const std::size_t read, source->read(std::span(text).subspan(size)));
    if (read == 0) {
      break;
    }
    size += read;
  }
  if (size > kMostBytes) {
    return Error{.message = "expected " + std::string(what) + " of at most 1 MiB, found more",
                 .file = path};
  }
  text.resize(size);
  return text;
}

}  // namespace elapid
