#include "harness/drive/event_queue.h"

#include <algorithm>
#include <memory>
#include <new>
#include <span>

namespace elapid {

struct EventQueue::Block {
  std::atomic<std::size_t> filled = 0;  // bytes that are there to be read
  std::atomic<Block*> next = nullptr;   // set once this block is complete
  std::size_t size = 0;
  std::unique_ptr<std::byte[]> bytes = {};
};

namespace {

/// An event in a block: this record, and behind it the data that it borrows.
struct Record {
  PlainEvent event = {};
  std::size_t bytes = 0;  // of all
};

static_assert(std::is_trivially_destructible_v<Record>);

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + alignof(Record) - 1) / alignof(Record) * alignof(Record);
}

/// Copies items to `at`, which then points behind them.
template <class T>
std::span<const T> copied(std::span<const T> items, std::byte*& at) {
  T* const begin = reinterpret_cast<T*>(at);
  std::uninitialized_copy(items.begin(), items.end(), begin);
  at += aligned(items.size_bytes());
  return {begin, items.size()};
}

}  // namespace

EventQueue::Block* EventQueue::make_block(std::size_t bytes) {
  auto* const block = new Block;
  block->size = std::max(bytes, kBlockBytes);
  block->bytes = std::make_unique_for_overwrite<std::byte[]>(block->size);
  return block;
}

EventQueue::EventQueue() : last_(make_block(0)), first_(last_) {}

EventQueue::~EventQueue() {
  while (front() != nullptr) {
    pop();
  }
  while (first_ != nullptr) {
    delete std::exchange(first_, first_->next.load());
  }
}

void EventQueue::push(const PlainEvent& event) {
  const std::span<const char> message(event.message);
  const std::size_t bytes = aligned(sizeof(Record)) + aligned(event.mops.size_bytes()) +
                            aligned(event.row_ops.size_bytes()) +
                            aligned(event.elements.size_bytes()) + aligned(message.size());
  if (last_->size - used_ < bytes) {
    for (std::uint64_t popped = popped_.load(std::memory_order_acquire); pushed_ - popped > kMost;
         popped = popped_.load(std::memory_order_acquire)) {
      popped_.wait(popped, std::memory_order_acquire);
    }
    Block* const next = make_block(bytes);
    last_->next.store(next, std::memory_order_release);
    last_ = next;
    used_ = 0;
    pushed_ += next->size;
  }
  std::byte* at = last_->bytes.get() + used_;
  auto* const record = new (at) Record{.event = event, .bytes = bytes};
  at += aligned(sizeof(Record));
  record->event.mops = copied(event.mops, at);
  record->event.row_ops = copied(event.row_ops, at);
  record->event.elements = copied(event.elements, at);
  const std::span<const char> kept = copied(message, at);
  record->event.message = {kept.data(), kept.size()};
  record->event.tree = event.tree == nullptr ? nullptr : new PlainTree(*event.tree);
  used_ += bytes;
  last_->filled.store(used_, std::memory_order_release);
}

PlainEvent* EventQueue::front() {
  while (read_ == first_->filled.load(std::memory_order_acquire)) {
    Block* const next = first_->next.load(std::memory_order_acquire);
    if (next == nullptr) {
      return nullptr;
    }
    if (read_ != first_->filled.load(std::memory_order_acquire)) {
      break;  // filled between the two tests
    }
    delete std::exchange(first_, next);
    read_ = 0;
    popped_.fetch_add(next->size, std::memory_order_release);
    popped_.notify_one();
  }
  return &reinterpret_cast<Record*>(first_->bytes.get() + read_)->event;
}

void EventQueue::pop() {
  auto* const record = reinterpret_cast<Record*>(first_->bytes.get() + read_);
  delete record->event.tree;
  read_ += record->bytes;
}

}  // namespace elapid
