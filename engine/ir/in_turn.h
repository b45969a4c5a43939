// Items that come one after another, are worked on by several threads, and end in the order in
// which they came.
//
//   take_turns<Piece>(
//       threads, [&](Piece& piece) { return cut(piece); }, [](Piece& piece) { parse(piece); },
//       [&](Piece& piece) { return join(piece); });
//
// One thread works on an item and ends it, since the results lie in the cache of its core. Handing
// them to another core costs more than handing over the data that the end adds to.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/ir/memory_account.h"
#include "engine/ir/thread.h"

namespace elapid {

/// See take_turns().
template <class Item>
class Turns {
 public:
  Turns(std::function<bool(Item&)> next, std::function<void(Item&)> work,
        std::function<bool(Item&)> end)
      : next_(std::move(next)), work_(std::move(work)), end_(std::move(end)) {}

  void run(std::size_t threads) {
    std::vector<Thread> helpers;
    const auto help = [this, limit = MemoryLimit::of_thread()] {
      const MemoryLimit same(limit);
      take_part();
    };
    try {
      for (std::size_t i = 1; i < threads; ++i) {
        helpers.emplace_back(help);
      }
    } catch (const std::system_error&) {  // go on with the started ones
    }
    take_part();
    for (Thread& helper : helpers) {
      helper.join();
    }
    if (thrown_) {
      std::rethrow_exception(thrown_);
    }
  }

 private:
  /// For each thread: a second item to work on until the turn of its first one comes.
  static constexpr std::size_t kHeld = 2;

  /// An item, and the exception that it caused.
  struct Held {
    Item item = {};
    std::size_t number = 0;
    std::exception_ptr thrown = {};
  };

  /// Works ahead while it is another thread's turn.
  void take_part() {
    std::array<Held, kHeld> held;  // from first to last, modulo their number
    std::size_t first = 0;
    std::size_t last = 0;
    bool is_more = true;
    while (true) {
      while (is_more && last - first < kHeld &&
             (first == last || turn_ != held[first % kHeld].number)) {
        is_more = work_on_next(held[last % kHeld]);
        last += is_more ? 1 : 0;
      }
      if (first == last || !end_in_turn(held[first++ % kHeld])) {
        return;
      }
    }
  }

  /// False if there is no further item.
  bool work_on_next(Held& held) {
    held.thrown = nullptr;
    {
      const std::scoped_lock lock(given_mutex_);
      if (!caught_in(held.thrown, [&] { return next_(held.item); })) {
        return false;
      }
      held.number = given_++;
    }
    if (!held.thrown) {
      caught_in(held.thrown, [&] { return work_(held.item), true; });
    }
    return true;
  }

  /// Whether to go on with the next item.
  bool end_in_turn(Held& held) {
    std::unique_lock lock(turn_mutex_);
    turn_has_come_.wait(lock, [&] { return turn_ == held.number || is_over_; });
    if (is_over_) {
      return false;
    }
    lock.unlock();  // it is still the turn of this thread alone
    const bool goes_on = !held.thrown && caught_in(held.thrown, [&] { return end_(held.item); });
    lock.lock();
    thrown_ = held.thrown;
    is_over_ = !goes_on || thrown_;
    ++turn_;
    turn_has_come_.notify_all();
    return !is_over_;
  }

  /// The result of `call`; true if it throws.
  template <class Call>
  static bool caught_in(std::exception_ptr& thrown, Call call) {
    try {
      return call();
    } catch (...) {
      thrown = std::current_exception();
      return true;
    }
  }

  std::function<bool(Item&)> next_;
  std::function<void(Item&)> work_;
  std::function<bool(Item&)> end_;
  std::mutex given_mutex_;  // guards the members below, and next_
  std::size_t given_ = 0;
  std::mutex turn_mutex_;  // guards the members below
  std::condition_variable turn_has_come_;
  std::atomic<std::size_t> turn_ = 0;  // the item whose turn it is; without the lock, a hint
  bool is_over_ = false;
  std::exception_ptr thrown_;
};

/// Each thread, also the calling one, fills an item by `next` and calls `work`. Once all earlier
/// items have ended it calls `end`. It repeats this with the same item until `next` or `end`
/// returns false. `next` may be called again after it has returned false. Calls of `next` never
/// overlap, nor do calls of `end`; both have the same order of items. Calls of `work` may overlap.
///
/// Throws the exception of the first item that has one. The threads have the caller's memory limit.
/// There are fewer if the system starts no more.
template <class Item>
void take_turns(std::size_t threads, std::function<bool(Item&)> next,
                std::function<void(Item&)> work, std::function<bool(Item&)> end) {
  Turns<Item>(std::move(next), std::move(work), std::move(end)).run(threads);
}

}  // namespace elapid
