// Events that wait for keys, and which of them to try again when something about a key has changed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/solve/execution.h"

namespace elapid {

/// Where thousands wait to write one key, only one can go on at a time: they are tried one after
/// the other, the most urgent first.
class WaitingEvents {
 public:
  /// `rank`, borrowed: by vertex, urgent ones first.
  WaitingEvents(std::size_t key_count, std::size_t vertex_count,
                const std::vector<std::uint32_t>& rank)
      : keys_(key_count), tried_for_(vertex_count), rank_(rank) {}

  void add(std::uint32_t vertex, const Execution::Obstacle& obstacle) {
    Key& key = keys_[obstacle.key.index()];
    const bool is_in_line = obstacle.wait == Execution::Wait::kClaim ||
                            (obstacle.wait == Execution::Wait::kReaders && !obstacle.is_next);
    if (is_in_line) {
      key.line.emplace_back(rank_[vertex], vertex);
      std::ranges::push_heap(key.line, std::greater<>());
    } else {
      (obstacle.wait == Execution::Wait::kReaders ? key.next : key.all).push_back(vertex);
    }
  }

  /// Calls `again(vertex)` for those worth trying now that `key` has changed.
  template <class Again>
  void wake(const Execution& execution, KeyId key, Again again) {
    Key& of_key = keys_[key.index()];
    wake_all(of_key.all, again);
    if (execution.readers_left(key) <= Execution::kFewReaders) {
      wake_all(of_key.next, again);
    }
    if (execution.is_free(key)) {
      wake_next(key, again);
    }
  }

  /// An event that was called for is in the way of the next in its line no longer, unless
  /// `obstacle` says that it waits as before.
  template <class Again>
  void pass_on(std::uint32_t vertex, const Execution::Obstacle* obstacle, Again again) {
    const KeyId key = std::exchange(tried_for_[vertex], KeyId());
    const bool is_back =
        obstacle != nullptr && obstacle->key == key && obstacle->wait != Execution::Wait::kVersion;
    if (!key.is_none() && !is_back) {
      wake_next(key, again);
    }
  }

 private:
  struct Key {
    std::vector<std::uint32_t> all;   // woken by any change
    std::vector<std::uint32_t> next;  // by few readers
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        line;  // a heap by rank; by the last reader
  };

  template <class Again>
  static void wake_all(std::vector<std::uint32_t>& waiting, Again again) {
    for (const std::uint32_t vertex : waiting) {
      again(vertex);
    }
    waiting.clear();
  }

  template <class Again>
  void wake_next(KeyId key, Again again) {
    auto& line = keys_[key.index()].line;
    if (!line.empty()) {
      std::ranges::pop_heap(line, std::greater<>());
      const std::uint32_t vertex = line.back().second;
      line.pop_back();
      tried_for_[vertex] = key;
      again(vertex);
    }
  }

  std::vector<Key> keys_;
  std::vector<KeyId> tried_for_;  // by vertex
  const std::vector<std::uint32_t>& rank_;
};

}  // namespace elapid
