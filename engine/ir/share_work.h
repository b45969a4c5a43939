// The number of threads that a thread may work with, and work that they share.
//
//   const WorkThreads threads(4);  // said once, by the outermost caller
//   ...
//   share_work(ranges.size(), [&](std::size_t i) { count(ranges[i]); });
//
// The result of shared work does not depend on the number of threads: each part stores its result
// in a place of its own, and the results are joined in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace elapid {

/// While a WorkThreads lives, its thread may work with so many threads, itself included. Without
/// one, and in the threads that it starts, the number is 1. WorkThreads nest.
class WorkThreads {
 public:
  explicit WorkThreads(std::size_t threads);
  /// A thread is started for `items_worth_a_thread` items or more, here and in WorkThreads that
  /// nest in this one. Tests set it low.
  WorkThreads(std::size_t threads, std::size_t items_worth_a_thread);
  WorkThreads(const WorkThreads&) = delete;
  WorkThreads& operator=(const WorkThreads&) = delete;
  ~WorkThreads();

  [[nodiscard]] static std::size_t of_thread();

 private:
  std::size_t outer_;
  std::size_t outer_worth_;
};

/// Calls `work(part)` once for each part below `parts`, several at a time, also in the calling
/// thread. The threads have its memory limit. There are fewer if the system starts no more. After
/// all have ended, throws the exception of the first part that has one.
void share_work(std::size_t parts, const std::function<void(std::size_t)>& work);

/// The number of parts for work on so many items: one for each thread that may work here and has
/// enough items.
[[nodiscard]] std::size_t parts_of_work(std::size_t items);

struct IndexRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// The numbers below `size` in order, as so many ranges.
[[nodiscard]] std::vector<IndexRange> ranges_of_work(std::size_t size);

/// The same for work that goes on from what was before: each part first repeats a share of the work
/// on all numbers before its range, `price` of it (above 0, below 1). Earlier ranges are longer, so
/// that all parts end at a time. However many threads there are, the work takes `price` of its
/// time: so there are no more than 1 / price + 1 parts. Each part takes so many bytes. There are
/// fewer parts if all take more than half of what the memory limit leaves.
[[nodiscard]] std::vector<IndexRange> ranges_to_catch_up(std::size_t size, double price,
                                                         std::size_t bytes);

/// Whether `is_so` holds for all items. It asks all of them, so that a cheap `is_so` takes no
/// branch.
template <class Item, class IsSo>
[[nodiscard]] bool all_are(std::span<const Item> items, IsSo is_so) {
  const std::vector<IndexRange> ranges = ranges_of_work(items.size());
  std::vector<char> are_so(ranges.size());
  share_work(ranges.size(), [&](std::size_t i) {
    const auto [begin, end] = ranges[i];
    are_so[i] = std::ranges::count_if(items.subspan(begin, end - begin), is_so) == end - begin;
  });
  return std::ranges::all_of(are_so, std::identity());
}

}  // namespace elapid
