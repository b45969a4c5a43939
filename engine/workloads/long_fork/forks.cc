#include "engine/workloads/long_fork/forks.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace elapid::long_fork {

namespace {

/// The first key that `a` shows and `b` does not.
std::optional<KeyId> shown_only_by_first(std::span<const Shown> a, std::span<const Shown> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].value.is_nil() && b[i].value.is_nil()) {
      return a[i].key;
    }
  }
  return std::nullopt;
}

bool is_chain(const Reads& reads, std::span<const std::uint32_t> group) {
  std::vector<std::pair<std::size_t, std::uint32_t>> by_count;
  by_count.reserve(group.size());
  for (const std::uint32_t read : group) {
    const std::span<const Shown> shown = reads.shown(read);
    const auto nils = std::ranges::count_if(shown, &ValueId::is_nil, &Shown::value);
    by_count.emplace_back(shown.size() - static_cast<std::size_t>(nils), read);
  }
  std::ranges::sort(by_count);
  for (std::size_t i = 1; i < by_count.size(); ++i) {
    if (shown_only_by_first(reads.shown(by_count[i - 1].second), reads.shown(by_count[i].second))) {
      return false;
    }
  }
  return true;
}

/// Groups the reads by the keys that they show, in the order of their first reads.
std::vector<std::vector<std::uint32_t>> patterns_of(const Reads& reads,
                                                    std::span<const std::uint32_t> group) {
  std::vector<std::vector<std::uint32_t>> patterns;
  std::map<std::vector<bool>, std::size_t> number;
  for (const std::uint32_t read : group) {
    std::vector<bool> pattern;
    for (const Shown& shown : reads.shown(read)) {
      pattern.push_back(!shown.value.is_nil());
    }
    const auto [found, is_new] = number.try_emplace(std::move(pattern), patterns.size());
    if (is_new) {
      patterns.emplace_back();
    }
    patterns[found->second].push_back(read);
  }
  return patterns;
}

Fork fork_of(const Reads& reads, std::uint32_t a, std::uint32_t b) {
  const auto [first, second] = std::minmax(a, b);
  return {.first = reads.txn(first),
          .second = reads.txn(second),
          .of_first = *shown_only_by_first(reads.shown(first), reads.shown(second)),
          .of_second = *shown_only_by_first(reads.shown(second), reads.shown(first))};
}

void add_pairs(const Reads& reads, std::span<const std::uint32_t> some,
               std::span<const std::uint32_t> others, std::size_t most, std::vector<Fork>& out) {
  for (const std::uint32_t a : some) {
    for (const std::uint32_t b : others) {
      if (out.size() == most) {
        return;
      }
      out.push_back(fork_of(reads, a, b));
    }
  }
}

}  // namespace

std::optional<TwoValues> two_values(const Reads& reads, std::span<const std::uint32_t> group) {
  // By place of the key: the first read that shows it.
  std::vector<std::optional<std::uint32_t>> first(reads.shown(group.front()).size());
  for (const std::uint32_t read : group) {
    const std::span<const Shown> shown = reads.shown(read);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (shown[i].value.is_nil()) {
        continue;
      }
      if (!first[i]) {
        first[i] = read;
      } else if (reads.shown(*first[i])[i].value != shown[i].value) {
        return TwoValues{reads.txn(*first[i]), reads.txn(read), shown[i].key};
      }
    }
  }
  return std::nullopt;
}

std::optional<KeyId> doubtful_key(const Reads& reads, std::span<const std::uint32_t> group) {
  const std::span<const Shown> keys = reads.shown(group.front());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto is_nil = [&](std::uint32_t read) { return reads.shown(read)[i].value.is_nil(); };
    if (reads.is_initial_written(keys[i].key) && std::ranges::any_of(group, is_nil) &&
        !std::ranges::all_of(group, is_nil)) {
      return keys[i].key;
    }
  }
  return std::nullopt;
}

void find_forks(const Reads& reads, std::span<const std::uint32_t> group, std::size_t most,
                std::vector<Fork>& out) {
  if (is_chain(reads, group)) {
    return;
  }
  const std::size_t begin = out.size();
  const std::vector<std::vector<std::uint32_t>> patterns = patterns_of(reads, group);
  for (std::size_t i = 0; i < patterns.size() && out.size() < most; ++i) {
    const std::span<const Shown> a = reads.shown(patterns[i].front());
    for (std::size_t j = i + 1; j < patterns.size() && out.size() < most; ++j) {
      const std::span<const Shown> b = reads.shown(patterns[j].front());
      if (shown_only_by_first(a, b) && shown_only_by_first(b, a)) {
        add_pairs(reads, patterns[i], patterns[j], most, out);
      }
    }
  }
  std::ranges::sort(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), {},
                    [](const Fork& fork) { return std::pair(fork.first, fork.second); });
}

std::optional<Fork> first_fork_before_two_values(const Reads& reads,
                                                 std::span<const std::uint32_t> group) {
  const auto differ = [](const Shown& a, const Shown& b) {
    return !a.value.is_nil() && !b.value.is_nil() && a.value != b.value;
  };
  // Of reads that show the same, the first one counts.
  std::vector<std::uint32_t> firsts;
  std::set<std::vector<ValueId>> known;
  for (const std::uint32_t read : group) {
    std::vector<ValueId> values;
    std::ranges::transform(reads.shown(read), std::back_inserter(values), &Shown::value);
    if (known.insert(std::move(values)).second) {
      firsts.push_back(read);
    }
  }
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    const std::span<const Shown> a = reads.shown(firsts[i]);
    for (std::size_t j = i + 1; j < firsts.size(); ++j) {
      const std::span<const Shown> b = reads.shown(firsts[j]);
      if (!std::ranges::equal(a, b, std::not_fn(differ))) {
        return std::nullopt;
      }
      if (shown_only_by_first(a, b) && shown_only_by_first(b, a)) {
        return fork_of(reads, firsts[i], firsts[j]);
      }
    }
  }
  return std::nullopt;
}

}  // namespace elapid::long_fork
