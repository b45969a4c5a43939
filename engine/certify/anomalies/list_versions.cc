#include "engine/certify/anomalies/list_versions.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/others_elements.h"
#include "engine/certify/operations/participants.h"

namespace elapid::certify {

namespace {

struct KeyList {
  KeyId key;
  std::span<const ValueId> list = {};
};

/// The lists read, without those that are stored as prefixes of others; by key, longest first.
std::vector<KeyList> longest_lists(const History& history, const std::vector<bool>& readers,
                                   bool with_own) {
  std::unordered_map<const ValueId*, KeyList> by_start;
  OthersElements others(history, with_own);
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    for (const Op op : readers[t] ? history.ops({t}) : std::span<const Op>()) {
      const auto list = others.next({t}, op);
      const bool counts = list && !list->empty() && is_answered(history, {t}, op);
      if (counts && list->size() > by_start[list->data()].list.size()) {
        by_start[list->data()] = {op.key(), *list};
      }
    }
  }
  std::vector<KeyList> lists;
  lists.reserve(by_start.size());
  for (const auto& [start, list] : by_start) {
    lists.push_back(list);
  }
  std::ranges::sort(lists, [](const KeyList& a, const KeyList& b) {
    return a.key != b.key ? a.key < b.key : a.list.size() > b.list.size();
  });
  return lists;
}

/// The elements in order, without repetitions of earlier ones.
std::vector<ValueId> first_occurrences(std::span<const ValueId> list) {
  std::vector<std::uint32_t> places(list.size());
  std::iota(places.begin(), places.end(), std::uint32_t{0});
  const auto element = [list](std::uint32_t place) { return list[place]; };
  std::ranges::stable_sort(places, {}, element);
  const auto repeated = std::ranges::unique(places, {}, element);
  places.erase(repeated.begin(), repeated.end());
  std::ranges::sort(places);
  std::vector<ValueId> elements(places.size());
  std::ranges::transform(places, elements.begin(), element);
  return elements;
}

}  // namespace

ListVersions::ListVersions(const History& history, const std::vector<bool>& readers,
                           bool with_own) {
  KeyList longest;
  for (const KeyList& read : longest_lists(history, readers, with_own)) {
    if (read.key != longest.key) {
      longest = read;
    }
    ValueId before = ValueId::none();
    for (const ValueId element : first_occurrences(read.list)) {
      successions_.push_back({read.key, element, before});
      before = element;
    }
    if (read.list.size() == longest.list.size()) {
      tips_.push_back({read.key, before});
    }
  }
  std::ranges::sort(successions_);
  std::ranges::sort(tips_);
}

bool ListVersions::adjacent(KeyId key, ValueId before, ValueId after) const {
  return std::ranges::binary_search(successions_, Succession{key, after, before});
}

std::vector<ValueId> ListVersions::elements_before(KeyId key, ValueId element) const {
  std::vector<ValueId> elements;
  auto at = std::ranges::lower_bound(successions_, Succession{key, element, ValueId::from_bits(0)});
  for (; at != successions_.end() && at->key == key && at->after == element; ++at) {
    elements.push_back(at->before);
  }
  return elements;
}

std::vector<ValueId> ListVersions::last_elements(KeyId key) const {
  std::vector<ValueId> elements;
  auto at = std::ranges::lower_bound(tips_, key, {}, &Tip::key);
  for (; at != tips_.end() && at->key == key; ++at) {
    elements.push_back(at->last);
  }
  return elements;
}

bool ListVersions::observed(KeyId key, ValueId element) const {
  const auto found =
      std::ranges::lower_bound(successions_, Succession{key, element, ValueId::from_bits(0)});
  return found != successions_.end() && found->key == key && found->after == element;
}

bool ListVersions::ends_longest(KeyId key, ValueId last) const {
  if (!last.is_none()) {
    return std::ranges::binary_search(tips_, Tip{key, last});
  }
  return !std::ranges::binary_search(tips_, key, {}, &Tip::key);
}

}  // namespace elapid::certify
