// A queue of events from one thread that produces them to one that writes them: a chain of blocks,
// without a lock. What an event borrows is copied into its block, and is valid until the event is
// popped.
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

  /// Called by the producer: copies the event and what it borrows, except `function`, `keyword`,
  /// `error` and further fields, which must live as long as the queue. Waits while kMost bytes are
  /// in the queue.
  void push(const PlainEvent& event);

  /// Called by the consumer: the oldest event; null if there is none yet.
  [[nodiscard]] PlainEvent* front();

  /// Requires a non-empty queue.
  void pop();

 private:
  struct Block;

  static constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
  static constexpr std::uint64_t kMost = std::uint64_t{32} << 20;

  static Block* make_block(std::size_t bytes);

  // Used by the producer.
  Block* last_;
  std::size_t used_ = 0;  // bytes used of the last block
  std::uint64_t pushed_ = 0;
  // Used by the consumer.
  alignas(64) Block* first_;
  std::size_t read_ = 0;  // bytes read of the first block
  // Written by the consumer for the producer, once a block.
  alignas(64) std::atomic<std::uint64_t> popped_ = 0;
};

}  // namespace elapid
