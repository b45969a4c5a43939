#include "adapter/report/key_tally.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include "adapter/report/actor_keys.h"

namespace elapid {
namespace {

constexpr std::size_t kMostRows = 12;
constexpr std::size_t kMostColumns = 6;
constexpr std::size_t kMostKeyBytes = 60;

/// The indices of the highest counts, highest first, and how many others there are.
std::vector<std::size_t> most_frequent(const std::vector<std::size_t>& counts, std::size_t most,
                                       std::size_t& left_out) {
  std::vector<std::size_t> places(counts.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, std::greater<>(),
                           [&](std::size_t place) { return counts[place]; });
  left_out = places.size() - std::min(places.size(), most);
  places.resize(places.size() - left_out);
  return places;
}

}  // namespace

void KeyTally::add(const Description& anomaly) {
  std::vector<std::string> met;
  for (const Actor& actor : anomaly.actors) {
    std::ranges::move(actor_keys(history_, actor, kMostKeyBytes), std::back_inserter(met));
  }
  const auto found = std::ranges::find(names_, anomaly.name);
  const auto name = static_cast<std::size_t>(found - names_.begin());
  if (found == names_.end()) {
    names_.push_back(anomaly.name);
  }
  for (auto key = met.begin(); key != met.end(); ++key) {
    if (std::find(met.begin(), key, *key) != key) {
      continue;
    }
    const auto [place, is_new] = place_of_key_.try_emplace(*key, keys_.size());
    if (is_new) {
      keys_.push_back(*key);
      counts_.emplace_back();
    }
    std::vector<std::size_t>& counts = counts_[place->second];
    counts.resize(std::max(counts.size(), name + 1));
    ++counts[name];
  }
}

KeyTable KeyTally::table() const {
  KeyTable table{.noun = key_noun(history_), .keys = keys_.size()};
  std::vector<std::size_t> by_key(keys_.size());
  std::vector<std::size_t> by_name(names_.size());
  for (std::size_t key = 0; key < keys_.size(); ++key) {
    for (std::size_t name = 0; name < counts_[key].size(); ++name) {
      by_key[key] += counts_[key][name];
      by_name[name] += counts_[key][name];
    }
  }
  if (keys_.size() < 2 || std::ranges::max(by_key) < 2) {
    return table;
  }
  const std::vector<std::size_t> columns =
      most_frequent(by_name, kMostColumns, table.names_left_out);
  for (const std::size_t name : columns) {
    table.names.push_back(names_[name]);
  }
  for (const std::size_t key : most_frequent(by_key, kMostRows, table.keys_left_out)) {
    KeyTable::Row row{.key = keys_[key]};
    for (const std::size_t name : columns) {
      row.counts.push_back(name < counts_[key].size() ? counts_[key][name] : 0);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace elapid
