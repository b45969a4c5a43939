#include "engine/ir/cores.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <utility>

#include "engine/ir/memory_account.h"
#include "engine/ir/thread.h"

namespace elapid {

namespace {

thread_local std::size_t cores_of_thread = 1;

}  // namespace

Cores::Cores(std::size_t threads)
    : outer_(std::exchange(cores_of_thread, std::max<std::size_t>(threads, 1))) {}

Cores::~Cores() {
  cores_of_thread = outer_;
}

std::size_t Cores::of_thread() {
  return cores_of_thread;
}

void share_work(std::size_t parts, const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> thrown(parts);
  std::atomic<std::size_t> next = 0;
  const auto take_parts = [&, limit = MemoryLimit::of_thread()] {
    const MemoryLimit same(limit);
    for (std::size_t part = next++; part < parts; part = next++) {
      try {
        work(part);
      } catch (...) {
        thrown[part] = std::current_exception();
      }
    }
  };
  {
    std::vector<Thread> helpers;
    try {
      for (std::size_t i = 1; i < std::min(Cores::of_thread(), parts); ++i) {
        helpers.emplace_back(take_parts);
      }
    } catch (const std::system_error&) {  // with those there are
    }
    const Cores alone(1);
    take_parts();
  }
  const auto first = std::ranges::find_if(thrown, [](const auto& what) { return what != nullptr; });
  if (first != thrown.end()) {
    std::rethrow_exception(*first);
  }
}

std::size_t parts_for_cores(std::size_t items) {
  constexpr std::size_t kWorthAThread = 4096;
  return std::clamp<std::size_t>(items / kWorthAThread, 1, Cores::of_thread());
}

std::vector<IndexRange> ranges_for_cores(std::size_t size) {
  const std::size_t count = parts_for_cores(size);
  std::vector<IndexRange> ranges(count);
  for (std::size_t i = 0; i < count; ++i) {
    ranges[i] = {static_cast<std::uint32_t>(size * i / count),
                 static_cast<std::uint32_t>(size * (i + 1) / count)};
  }
  return ranges;
}

}  // namespace elapid
