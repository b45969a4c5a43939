// Items that several threads work on, and that one takes back in the order in which it gave them.
//
//   InOrder<Piece> pieces(threads, room, [](Piece& piece) { parse(piece); });
//   while (true) {
//     while (pieces.has_room() && cut(pieces.fresh())) pieces.give();
//     if (pieces.is_empty()) break;
//     join(pieces.take());
//     pieces.release();
//   }
//
// The thread that gives and takes is one of those that work: while the oldest item is not done it
// works on another. Items are used again and again, and keep their memory.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/ir/memory_account.h"
#include "engine/ir/thread.h"

namespace elapid {

/// At most `room` items are held at a time. With one thread all work is done in take().
template <class Item>
class InOrder {
 public:
  /// `work` is called once for each item given, by several threads at a time. The threads have the
  /// memory limit of the one that makes this. They are fewer where the system has no more.
  InOrder(std::size_t threads, std::size_t room, std::function<void(Item&)> work)
      : work_(std::move(work)), slots_(room) {
    const auto help_in_limit = [this,
                                limit = MemoryLimit::of_thread()](const std::stop_token& stop) {
      const MemoryLimit same(limit);
      help(stop);
    };
    try {
      for (std::size_t i = 1; i < threads; ++i) {
        helpers_.emplace_back(help_in_limit);
      }
    } catch (const std::system_error&) {  // with those there are
    }
  }

  [[nodiscard]] bool has_room() const { return end_ - first_ < slots_.size(); }

  [[nodiscard]] bool is_empty() const { return end_ == first_; }

  /// The item that give() gives. Requires has_room().
  [[nodiscard]] Item& fresh() { return slot(end_).item; }

  void give() {
    const std::scoped_lock lock(mutex_);
    slot(end_++).is_done = false;
    given_.notify_one();
  }

  /// The oldest item, worked on. Throws what the work on it has thrown. Requires !is_empty().
  Item& take() {
    std::unique_lock lock(mutex_);
    Slot& oldest = slot(first_);
    while (!oldest.is_done) {
      if (begun_ < end_) {
        work_on_next(lock);
      } else {
        done_.wait(lock);
      }
    }
    if (oldest.thrown) {
      std::rethrow_exception(std::exchange(oldest.thrown, nullptr));
    }
    return oldest.item;
  }

  /// Gives up the item that take() returned.
  void release() { ++first_; }

 private:
  struct Slot {
    Item item = {};
    bool is_done = false;
    std::exception_ptr thrown = {};
  };

  Slot& slot(std::size_t number) { return slots_[number % slots_.size()]; }

  /// Requires begun_ < end_; unlocks while it works.
  void work_on_next(std::unique_lock<std::mutex>& lock) {
    Slot& mine = slot(begun_++);
    lock.unlock();
    try {
      work_(mine.item);
    } catch (...) {
      mine.thrown = std::current_exception();
    }
    lock.lock();
    mine.is_done = true;
    done_.notify_all();
  }

  void help(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (given_.wait(lock, stop, [this] { return begun_ < end_; }) && !stop.stop_requested()) {
      work_on_next(lock);
    }
  }

  std::function<void(Item&)> work_;
  std::deque<Slot> slots_;  // items that are given lie from first_ to end_, modulo their number
  std::size_t first_ = 0;   // of the thread that gives and takes alone
  std::mutex mutex_;        // guards what follows, and is_done
  std::condition_variable_any given_;
  std::condition_variable done_;
  std::size_t begun_ = 0;  // those before are done or being worked on
  std::size_t end_ = 0;
  std::vector<Thread> helpers_;  // ends first
};

}  // namespace elapid
