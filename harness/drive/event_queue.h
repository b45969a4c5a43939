// Events on their way from the one thread that sees them to the one that writes them: a chain of
// blocks, without a lock. What an event borrows is copied into its block and lives until the event
// is popped.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "parsers/convert/plain_event.h"

namespace elapid {

class EventQueue {
 public:
  EventQueue();
  ~EventQueue();
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  /// For the one thread: copies the event, and all that it borrows but `function`, `keyword`,
  /// `error` and further fields, which must live as long as the queue. Waits while kMost bytes lie
  /// in the queue.
  void push(const PlainEvent& event);

  /// For the other thread: the oldest event; null if there is none yet.
  [[nodiscard]] PlainEvent* front();

  /// Requires that there is one.
  void pop();

 private:
  struct Block;

  static constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
  static constexpr std::uint64_t kMost = std::uint64_t{32} << 20;

  static Block* make_block(std::size_t bytes);

  // Of the thread that pushes.
  Block* last_;
  std::size_t used_ = 0;  // bytes of it
  std::uint64_t pushed_ = 0;
  // Of the thread that pops.
  alignas(64) Block* first_;
  std::size_t read_ = 0;  // bytes of it
  // Told by the latter to the former, a block at a time.
  alignas(64) std::atomic<std::uint64_t> popped_ = 0;
};

}  // namespace elapid
