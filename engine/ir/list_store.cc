#include "engine/ir/list_store.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace elapid {

namespace {

/// Branches of a key that a new list is compared with, oldest first, so that equal lists meet the
/// same one. Beyond so many contradictions equal lists may get different ids.
constexpr std::size_t kBranchesTried = 4096;

}  // namespace

static_assert(std::has_unique_object_representations_v<ValueId>);  // equal ids, equal bytes

/// Makes `stem` long enough if `elements` extends it. True if `elements` is then a prefix of
/// `stem`.
bool ListStore::fit(std::vector<ValueId>& stem, std::span<const ValueId> elements) {
  const std::size_t common = std::min(stem.size(), elements.size());
  if (common > 0 && std::memcmp(elements.data(), stem.data(), common * sizeof(ValueId)) != 0) {
    return false;
  }
  if (common == elements.size()) {
    return true;
  }
  stem.insert(stem.end(), elements.begin() + static_cast<std::ptrdiff_t>(common), elements.end());
  count(elements.size() - common);
  return true;
}

void ListStore::count(std::size_t more_elements) {
  elements_ += more_elements;
  is_overfull_ = is_overfull_ || elements_ > room_;
}

ListId ListStore::add(KeyId key, std::span<const ValueId> elements) {
  if (elements.size() >= ListId::kMax || literals_.size() >= ListId::kMax) {
    is_overfull_ = true;
    return {};
  }
  if (key.index() >= trunks_.size()) {
    trunks_.resize(key.index() + 1);
  }
  if (fit(trunks_[key.index()], elements)) {
    return ListId::prefix(static_cast<std::uint32_t>(elements.size()));
  }
  return add_literal(key, elements);
}

ListId ListStore::add_literal(KeyId key, std::span<const ValueId> elements) {
  const auto length = static_cast<std::uint32_t>(elements.size());
  std::vector<std::uint32_t>& of_key = branches_of_key_[key.value];
  const std::size_t tried = std::min(kBranchesTried, of_key.size());
  for (std::size_t back = tried; back > 0; --back) {
    const std::uint32_t branch = of_key[of_key.size() - back];
    if (fit(branches_[branch], elements)) {
      return literal(branch, length);
    }
  }
  const auto branch = static_cast<std::uint32_t>(branches_.size());
  of_key.push_back(branch);
  branches_.emplace_back(elements.begin(), elements.end());
  count(elements.size());
  return literal(branch, length);
}

ListId ListStore::literal(std::uint32_t branch, std::uint32_t length) {
  const auto [entry, is_new] = literal_ids_.try_emplace(
      (std::uint64_t{branch} << 32) | length, static_cast<std::uint32_t>(literals_.size()));
  if (is_new) {
    literals_.push_back({branch, length});
  }
  return ListId::literal(entry->second);
}

}  // namespace elapid
