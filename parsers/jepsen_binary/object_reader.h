// Fressian objects in a part of a Jepsen file, as EDN.
#pragma once

#include <cstdint>

#include "parsers/bytes/window.h"
#include "parsers/fressian/decoder.h"
#include "parsers/jepsen_binary/file_bytes.h"
#include "parsers/jepsen_binary/struct_text.h"

namespace elapid::jepsen_binary {

/// A decoder with the objects that it needs. Errors have offsets in the file.
class ObjectReader {
 public:
  ObjectReader(FileBytes bytes, std::uint64_t begin, std::uint64_t end)
      : part_(bytes, begin, end), window_(part_), decoder_(window_, begin, &structs_) {}

  ObjectReader(const ObjectReader&) = delete;
  ObjectReader& operator=(const ObjectReader&) = delete;

  [[nodiscard]] fressian::Decoder& decoder() { return decoder_; }

  [[nodiscard]] JepsenStructText& structs() { return structs_; }

 private:
  FilePart part_;
  Window window_;
  JepsenStructText structs_;
  fressian::Decoder decoder_;
};

}  // namespace elapid::jepsen_binary
