// Events that wait for keys, and the choice of the ones to retry when a key changes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/solve/execution.h"

namespace elapid {

/// If thousands wait to write one key, only one can go on at a time: they are tried one after
/// another, the most urgent first.
class WaitingEvents {
 public:
  /// `rank`, borrowed: by vertex; small ranks are urgent.
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

  /// Calls `again(vertex)` for each event worth retrying after a change of `key`.
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

  /// An event that was retried no longer blocks the next one in its line, unless `obstacle` says
  /// that it waits as before.
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
    std::vector<std::uint32_t> all;   // retried after any change
    std::vector<std::uint32_t> next;  // retried when few readers are left
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        line;  // a heap by rank; retried when no reader is left
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
