// Items that come one after another, are worked on by several threads, and end in the order in
// which they came.
//
//   take_turns<Piece>(
//       threads, [&](Piece& piece) { return cut(piece); }, [](Piece& piece) { parse(piece); },
//       [&](Piece& piece) { return join(piece); });
//
// The thread that has worked on an item ends it too, since what it made lies in the cache of its
// core: handing it to another core costs more than handing over what the end adds to.
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
    } catch (const std::system_error&) {  // with those there are
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
  static constexpr std::size_t kHeld =
      2;  // by a thread: a second one to work on until the first one's turn comes

  /// An item, and what was thrown for it.
  struct Held {
    Item item = {};
    std::size_t number = 0;
    std::exception_ptr thrown = {};
  };

  /// Works ahead while it is another's turn.
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

  /// False if there is none.
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

  /// Whether to go on.
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

  /// What `call` returns; true if it throws.
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
  std::mutex given_mutex_;  // guards what follows, and next_
  std::size_t given_ = 0;
  std::mutex turn_mutex_;  // guards what follows
  std::condition_variable turn_has_come_;
  std::atomic<std::size_t> turn_ = 0;  // of the item of this number; without the lock it is a hint
  bool is_over_ = false;
  std::exception_ptr thrown_;
};

/// Each of the threads, of which the calling one is one, fills an item by `next`, calls `work`, and
/// once all items before have ended, `end`; and so on until `next` or `end` returns false. `next`
/// is called for one item at a time, as is `end`, in the same order; `work` for several. A thread
/// uses its item again and again. `next` is asked again after it has returned false.
///
/// Throws what was thrown for the first item for which something was. The threads have the memory
/// limit of the calling one, and are fewer where the system has no more.
template <class Item>
void take_turns(std::size_t threads, std::function<bool(Item&)> next,
                std::function<void(Item&)> work, std::function<bool(Item&)> end) {
  Turns<Item>(std::move(next), std::move(work), std::move(end)).run(threads);
}

}  // namespace elapid
