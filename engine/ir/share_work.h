// How many threads a thread may work with, and work that they share.
//
//   const WorkThreads threads(4);  // said once, by the caller of the whole
//   ...
//   share_work(ranges.size(), [&](std::size_t i) { count(ranges[i]); });
//
// What is shared has a result that does not depend on how many threads there are: each part has a
// place of its own for it, and parts are joined in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace elapid {

/// While one lives, its thread may work with so many threads, itself among them. Otherwise, and in
/// the threads that it starts, it is one. They nest.
class WorkThreads {
 public:
  explicit WorkThreads(std::size_t threads);
  /// Fewer items than these are not worth a thread, here and in those that nest in it. Tests ask
  /// for small parts.
  WorkThreads(std::size_t threads, std::size_t items_worth_a_thread);
  WorkThreads(const WorkThreads&) = delete;
  WorkThreads& operator=(const WorkThreads&) = delete;
  ~WorkThreads();

  [[nodiscard]] static std::size_t of_thread();

 private:
  std::size_t outer_;
  std::size_t outer_worth_;
};

/// Calls `work(part)` once for each part below `parts`, several at a time; the calling thread works
/// too. The threads have its memory limit, and are fewer where the system has no more. Throws what
/// the first part that has thrown threw, once all have ended.
void share_work(std::size_t parts, const std::function<void(std::size_t)>& work);

/// Into how many parts work on so many items is divided: one for each thread that may work here,
/// if that is worth a thread.
[[nodiscard]] std::size_t parts_of_work(std::size_t items);

struct IndexRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// All below `size`, in order, cut into as many ranges.
[[nodiscard]] std::vector<IndexRange> ranges_of_work(std::size_t size);

/// Whether all items are so.
template <class Item, class IsSo>
[[nodiscard]] bool all_are(std::span<const Item> items, IsSo is_so) {
  const std::vector<IndexRange> ranges = ranges_of_work(items.size());
  std::vector<char> are_so(ranges.size());
  share_work(ranges.size(), [&](std::size_t i) {
    const auto [begin, end] = ranges[i];
    are_so[i] = std::ranges::all_of(items.subspan(begin, end - begin), is_so);
  });
  return std::ranges::all_of(are_so, std::identity());
}

}  // namespace elapid
