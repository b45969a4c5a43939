#include "harness/drive/event_queue.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

using namespace elapid;

namespace {

/// The n-th event: of any size, now and then larger than a block.
struct NumberedEvent {
  explicit NumberedEvent(std::int64_t n)
      : mops(static_cast<std::size_t>(n % 7), PlainMop{.key = n}),
        elements(static_cast<std::size_t>(n % 500 == 0 ? 20'000 : n % 11)),
        message(static_cast<std::size_t>(n % 13), 'm') {
    std::iota(elements.begin(), elements.end(), n);
    event.index = n;
    event.mops = mops;
    event.elements = elements;
    event.message = message;
  }

  [[nodiscard]] bool equals(const PlainEvent& other) const {
    return other.index == event.index && other.message == message &&
           std::ranges::equal(other.elements, elements) &&
           std::ranges::equal(other.mops, mops, {}, &PlainMop::key, &PlainMop::key);
  }

  std::vector<PlainMop> mops;
  std::vector<std::int64_t> elements;
  std::string message;
  PlainEvent event = {};
};

}  // namespace

TEST_CASE("A queue of events keeps what they borrow until they are popped") {
  EventQueue queue;
  CHECK(queue.front() == nullptr);
  for (std::int64_t n = 0; n < 3'000; ++n) {
    queue.push(NumberedEvent(n).event);
  }
  for (std::int64_t n = 0; n < 3'000; ++n) {
    REQUIRE(queue.front() != nullptr);
    CHECK(NumberedEvent(n).equals(*queue.front()));
    queue.pop();
  }
  CHECK(queue.front() == nullptr);
}

TEST_CASE("Events come out of a queue in their order while others go in") {
  constexpr std::int64_t kEvents = 30'000;
  EventQueue queue;
  std::thread pushes([&] {
    for (std::int64_t n = 0; n < kEvents; ++n) {
      queue.push(NumberedEvent(n).event);
    }
  });
  std::int64_t wrong = 0;
  for (std::int64_t n = 0; n < kEvents;) {
    if (const PlainEvent* const event = queue.front()) {
      wrong += NumberedEvent(n).equals(*event) ? 0 : 1;
      queue.pop();
      ++n;
    } else {
      std::this_thread::yield();
    }
  }
  pushes.join();
  CHECK(wrong == 0);
}

TEST_CASE("Events that nobody takes wait, and are not lost") {
  // More than a queue may hold: whoever pushes waits for whoever pops.
  const std::vector<std::int64_t> elements(1 << 20);
  PlainEvent event;
  event.elements = elements;
  EventQueue queue;
  constexpr int kLargeEvents = 12;
  std::thread pushes([&] {
    for (int n = 0; n < kLargeEvents; ++n) {
      queue.push(event);
    }
  });
  for (int n = 0; n < kLargeEvents; ++n) {
    while (queue.front() == nullptr) {
      std::this_thread::yield();
    }
    CHECK(queue.front()->elements.size() == elements.size());
    queue.pop();
  }
  pushes.join();
}
