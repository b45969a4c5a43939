#include "engine/ir/share_work.h"

#include <atomic>
#include <cmath>
#include <exception>
#include <system_error>
#include <utility>

#include "engine/ir/memory_account.h"
#include "engine/ir/thread.h"

namespace elapid {

namespace {

thread_local std::size_t threads_of_thread = 1;
thread_local std::size_t worth_a_thread = 4096;

}  // namespace

WorkThreads::WorkThreads(std::size_t threads) : WorkThreads(threads, worth_a_thread) {}

WorkThreads::WorkThreads(std::size_t threads, std::size_t items_worth_a_thread)
    : outer_(std::exchange(threads_of_thread, std::max<std::size_t>(threads, 1))),
      outer_worth_(std::exchange(worth_a_thread, items_worth_a_thread)) {}

WorkThreads::~WorkThreads() {
  threads_of_thread = outer_;
  worth_a_thread = outer_worth_;
}

std::size_t WorkThreads::of_thread() {
  return threads_of_thread;
}

void share_work(std::size_t parts, const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> thrown(parts);
  std::atomic<std::size_t> next = 0;
  const auto take_parts = [&] {
    for (std::size_t part = next++; part < parts; part = next++) {
      try {
        work(part);
      } catch (...) {
        thrown[part] = std::current_exception();
      }
    }
  };
  {
    const auto help = [&, limit = MemoryLimit::of_thread()] {
      const MemoryLimit same(limit);
      take_parts();
    };
    std::vector<Thread> helpers;
    try {
      for (std::size_t i = 1; i < std::min(WorkThreads::of_thread(), parts); ++i) {
        helpers.emplace_back(help);
      }
    } catch (const std::system_error&) {  // goes on with the threads that exist
    }
    const WorkThreads alone(1);
    take_parts();
  }
  const auto first = std::ranges::find_if(thrown, [](const auto& what) { return what != nullptr; });
  if (first != thrown.end()) {
    std::rethrow_exception(*first);
  }
}

std::size_t parts_of_work(std::size_t items) {
  return std::clamp<std::size_t>(items / worth_a_thread, 1, WorkThreads::of_thread());
}

std::vector<IndexRange> ranges_of_work(std::size_t size) {
  const std::size_t count = parts_of_work(size);
  std::vector<IndexRange> ranges(count);
  for (std::size_t i = 0; i < count; ++i) {
    ranges[i] = {static_cast<std::uint32_t>(size * i / count),
                 static_cast<std::uint32_t>(size * (i + 1) / count)};
  }
  return ranges;
}

std::vector<IndexRange> ranges_to_catch_up(std::size_t size, double price, std::size_t bytes) {
  std::size_t count = std::min(parts_of_work(size), static_cast<std::size_t>(1 / price) + 1);
  while (count > 1 && !MemoryLimit::allows(2 * count * bytes)) {
    --count;
  }
  // A part that begins at b and ends at e takes price * b + (e - b), and all take the same.
  const double all = 1 - std::pow(1 - price, static_cast<double>(count));
  std::vector<IndexRange> ranges(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double end = (1 - std::pow(1 - price, static_cast<double>(i + 1))) / all;
    ranges[i].begin = i == 0 ? 0 : ranges[i - 1].end;
    ranges[i].end = static_cast<std::uint32_t>(
        i + 1 == count ? size
                       : std::min(size, static_cast<std::size_t>(end * static_cast<double>(size))));
  }
  return ranges;
}

}  // namespace elapid
