#include "harness/drive/event_queue.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "parsers/jepsen/edn_event.h"

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

TEST_CASE("Events that are not taken wait, and are not lost") {
  // More than a queue may hold: the pushing thread waits for the popping one.
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

TEST_CASE("Operations on rows pass the queue, and are written as what they did and found") {
  const std::vector<PlainRowOp> row_ops = {
      {.by = PlainRowsBy::kValuesOfGroup, .group = 3, .low = 1, .high = 4},
      {.kind = PlainRowKind::kInsert, .key = 7, .group = 3, .value = 2, .unique = 9},
      {.kind = PlainRowKind::kUpdate, .by = PlainRowsBy::kKeys, .low = 5, .high = 6, .unique = 10},
      {.kind = PlainRowKind::kDelete, .by = PlainRowsBy::kGroup, .group = 3}};
  const std::vector<PlainMop> mops = {
      {.kind = OpKind::kRow, .value = 0, .list_begin = 0, .list_length = 8},
      {.kind = OpKind::kRow, .value = 1},
      {.kind = OpKind::kRow, .value = 2, .list_begin = 8, .list_length = 1},
      {.kind = OpKind::kRow, .is_nil = true, .value = 3}};
  const std::vector<std::int64_t> elements = {1, 3, 4, 8, 2, 3, 1, 5, 2};
  EventQueue queue;
  PlainEvent event;
  event.type = EventType::kOk;
  event.mops = mops;
  event.row_ops = row_ops;
  event.elements = elements;
  queue.push(event);
  REQUIRE(queue.front() != nullptr);
  CHECK(make_edn_event_writer({})->write(*queue.front()) ==
        "{:index 0, :time 0, :type :ok, :process 0, :f :txn, :value "
        "[[:rp [:and [:= :g 3] [:in :v 1 4]] {1 {:g 3, :v 4, :u 8}, 2 {:g 3, :v 1, :u 5}}] "
        "[:insert 7 {:g 3, :v 2, :u 9}] [:up [:key 5 6] {:v 0, :u 10} 2] [:dp [:= :g 3] nil]]}\n");
}
