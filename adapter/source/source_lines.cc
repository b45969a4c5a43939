#include "adapter/source/source_lines.h"

namespace elapid {

const std::string& SourceLines::file(SourcePosition position) const {
  return loaded_.history().info().files.at(position.file);
}

std::uint64_t SourceLines::line(SourcePosition position) {
  std::uint64_t& known = lines_[key(position)];
  if (known == 0) {
    count();
  }
  return known;
}

/// In ascending order, which costs one pass over each file.
void SourceLines::count() {
  for (auto& [place, line] : lines_) {
    if (line == 0) {
      line = loaded_.line_column({.file = place.first, .offset = place.second}).line;
    }
  }
}

}  // namespace elapid
