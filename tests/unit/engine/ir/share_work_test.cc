#include "engine/ir/share_work.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/ir/memory_account.h"

namespace elapid {
namespace {

TEST_CASE("shared work: they are one unless more are said, and in threads that share work") {
  CHECK(WorkThreads::of_thread() == 1);
  {
    const WorkThreads threads_here(3);
    CHECK(WorkThreads::of_thread() == 3);
    std::vector<std::size_t> inside(8);
    share_work(inside.size(), [&](std::size_t part) { inside[part] = WorkThreads::of_thread(); });
    CHECK(inside == std::vector<std::size_t>(8, 1));
    CHECK(WorkThreads::of_thread() == 3);
  }
  CHECK(WorkThreads::of_thread() == 1);
}

TEST_CASE("shared work: each part is worked on once") {
  for (const std::size_t threads : {1U, 2U, 8U}) {
    const WorkThreads threads_here(threads);
    std::vector<std::atomic<int>> calls(100);
    share_work(calls.size(), [&](std::size_t part) { ++calls[part]; });
    for (const std::atomic<int>& count : calls) {
      CHECK(count == 1);
    }
    share_work(0, [](std::size_t) { FAIL("there is no part"); });
  }
}

TEST_CASE("shared work: the first part that throws is heard, after all have ended") {
  for (const std::size_t threads : {1U, 3U}) {
    const WorkThreads threads_here(threads);
    std::atomic<int> calls = 0;
    std::string heard;
    try {
      share_work(20, [&](std::size_t part) {
        ++calls;
        if (part == 7 || part == 3) {
          throw std::runtime_error(std::to_string(part));
        }
      });
    } catch (const std::runtime_error& error) {
      heard = error.what();
    }
    CHECK(heard == "3");
    CHECK(calls == 20);
  }
}

TEST_CASE("shared work: ranges follow on one another, and are few where there is little") {
  const WorkThreads threads_here(3);
  CHECK(ranges_of_work(0).size() == 1);
  CHECK(ranges_of_work(5000).size() == 1);
  const std::vector<IndexRange> ranges = ranges_of_work(100'001);
  REQUIRE(ranges.size() == 3);
  CHECK(ranges[0].begin == 0);
  CHECK(ranges[1].begin == ranges[0].end);
  CHECK(ranges[2].begin == ranges[1].end);
  CHECK(ranges[2].end == 100'001);
  const WorkThreads small(8, 10);
  const WorkThreads nested(2);
  CHECK(parts_of_work(19) == 1);
  CHECK(parts_of_work(20) == 2);
}

TEST_CASE("shared work: ranges of work that has to catch up end at a time") {
  for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
    const WorkThreads here(threads, 1);
    for (const std::size_t size : {0U, 1U, 2U, 7U, 1000U, 100000U}) {
      for (const double price : {0.2, 0.5, 0.9}) {
        INFO(threads << " threads, " << size << ", price " << price);
        const std::vector<IndexRange> ranges = ranges_to_catch_up(size, price, 0);
        const std::size_t worth = static_cast<std::size_t>(1 / price) + 1;
        REQUIRE(ranges.size() == std::max<std::size_t>(1, std::min({threads, size, worth})));
        CHECK(ranges.front().begin == 0);
        CHECK(ranges.back().end == size);
        const double first = ranges.front().end;
        for (std::size_t i = 0; i < ranges.size(); ++i) {
          CHECK(ranges[i].begin <= ranges[i].end);
          CHECK(ranges[i].begin == (i == 0 ? 0 : ranges[i - 1].end));
          const double work = price * ranges[i].begin + (ranges[i].end - ranges[i].begin);
          CHECK(work == Approx(first).margin(4));
        }
      }
    }
  }
}

TEST_CASE("shared work: fewer parts catch up if their states would take too much memory") {
  constexpr std::size_t kMegabyte = std::size_t{1} << 20;
  const WorkThreads here(8, 1);
  CHECK(ranges_to_catch_up(1000, 0.2, 1000 * kMegabyte).size() == 6);
  const MemoryLimit limit(memory_account::resident() + 1000 * kMegabyte);
  CHECK(ranges_to_catch_up(1000, 0.2, kMegabyte).size() == 6);
  const std::vector<IndexRange> some = ranges_to_catch_up(1000, 0.2, 150 * kMegabyte);
  CHECK(some.size() > 1);
  CHECK(some.size() < 6);
  CHECK(some.back().end == 1000);
  CHECK(ranges_to_catch_up(1000, 0.2, 1000 * kMegabyte).size() == 1);
}

}  // namespace
}  // namespace elapid
