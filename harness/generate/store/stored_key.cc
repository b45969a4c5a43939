#include "harness/generate/store/stored_key.h"

#include <algorithm>

namespace elapid {

StoredVersion& StoredKey::version_of(CommitId commit) {
  if (versions_.empty() || versions_.back().commit != commit) {
    versions_.push_back({.commit = commit});
  }
  return versions_.back();
}

void StoredKey::write(CommitId commit, std::int64_t value) {
  version_of(commit).value = value;
}

void StoredKey::append(CommitId commit, std::int64_t element) {
  is_list_ = true;
  elements_.push_back(element);
  version_of(commit).value = static_cast<std::int64_t>(elements_.size());
}

void StoredKey::prune(CommitId horizon) {
  const auto later = std::find_if(versions_.begin(), versions_.end(),
                                  [&](const auto& version) { return version.commit > horizon; });
  if (later - versions_.begin() > 1) {
    versions_.erase(versions_.begin(), later - 1);
  }
  prune_at_ = std::max(kFewest, versions_.size() * 2);
}

void StoredKey::cut(CommitId last) {
  while (!versions_.empty() && versions_.back().commit > last) {
    versions_.pop_back();
  }
  if (is_list_) {
    elements_.resize(versions_.empty() ? 0 : static_cast<std::size_t>(versions_.back().value));
  }
}

void StoredKey::become(std::int64_t key) {
  key_ = key;
  is_list_ = false;
  prune_at_ = kFewest;
  versions_.clear();
  elements_.clear();
  locked_by = nullptr;
}

}  // namespace elapid
