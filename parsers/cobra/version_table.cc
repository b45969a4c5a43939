#include "parsers/cobra/version_table.h"

#include <algorithm>

namespace elapid::cobra {

void VersionTable::add(std::uint64_t write, KeyId key, ValueId value, Version version) {
  if (add_indexed(write, key, version)) {
    return;
  }
  if (hashed_ == buckets_.size() * kFill) {
    rehash(std::max(expected_, hashed_ * 2));
  }
  ++hashed_;
  const std::uint64_t its_name = name(write, key);
  hashed_slot(its_name) = {its_name, value, version};
}

/// Whether the write's id is small enough for the index and unique.
bool VersionTable::add_indexed(std::uint64_t write, KeyId key, Version version) {
  constexpr std::uint64_t kMost = ValueId::kInlineMax;
  const std::uint64_t reach = std::min<std::uint64_t>(expected_ + expected_ / 8, kMost);
  if (write >= reach) {
    return false;
  }
  if (indexed_.empty()) {
    indexed_.resize(reach);
  }
  if (!indexed_[write].key.is_none()) {
    return false;
  }
  indexed_[write] = {key, version};
  return true;
}

void VersionTable::rehash(std::size_t expected) {
  std::vector<Bucket> old(expected / kFill + 1);
  old.swap(buckets_);
  for (const Bucket& bucket : old) {
    for (const HashedVersion& version : bucket.slots) {
      if (!version.is_empty()) {
        hashed_slot(version.name) = version;
      }
    }
  }
}

}  // namespace elapid::cobra
