#include "parsers/cobra/version_table.h"

#include <algorithm>
#include <utility>

namespace elapid::cobra {

namespace {

constexpr std::size_t kFewest = 48;

}  // namespace

VersionTable::VersionTable(std::size_t expected) : slots_(std::max(expected, kFewest) / 3 * 4) {}

void VersionTable::grow() {
  VersionTable larger(size_ * 2);
  for (const Version& version : slots_) {
    if (!version.is_empty_slot()) {
      larger.slot(version.name) = version;
    }
  }
  slots_ = std::move(larger.slots_);
}

}  // namespace elapid::cobra
