#include "engine/ir/result.h"

namespace elapid {

std::string Error::to_string() const {
  std::string out = file;
  const auto separate = [&out](std::string_view separator) {
    if (!out.empty()) {
      out += separator;
    }
  };
  if (line) {
    separate(":");
    out += std::to_string(*line);
    if (column) {
      out += ':' + std::to_string(*column);
    }
  } else if (byte_offset) {
    separate(": ");
    out += "byte " + std::to_string(*byte_offset);
  }
  separate(": ");
  out += message;
  return out;
}

}  // namespace elapid
