#include "parsers/vbox/versions.h"

#include <algorithm>

namespace elapid::vbox {

std::optional<FirstRead> VersionTable::unwritten() const {
  const auto found = std::ranges::find_if(
      first_reads_, [this](const FirstRead& read) { return !is_written_[read.version]; });
  return found == first_reads_.end() ? std::nullopt : std::optional(*found);
}

}  // namespace elapid::vbox
