#include "parsers/vbox/versions.h"

#include <algorithm>

namespace elapid::vbox {

void VersionTable::grow() {
  std::vector<RowVersion> old(slots_.size() * 2);
  old.swap(slots_);
  for (const RowVersion& version : old) {
    if (!version.row.is_none()) {
      slots_[slot_of(version.key, version.version)] = version;
    }
  }
}

std::optional<FirstRead> VersionTable::unwritten() const {
  const auto found = std::ranges::find_if(first_reads_, [this](const FirstRead& read) {
    return !slots_[slot_of(read.key, read.version)].is_written;
  });
  return found == first_reads_.end() ? std::nullopt : std::optional(*found);
}

}  // namespace elapid::vbox
