// The memory that the process has taken, and whether a thread may take more.
//
// A program may allocate all memory through this account (adapter/cli/counted_memory.cc). Then it
// keeps to a limit: an allocation beyond the limit fails with std::bad_alloc, as if the system
// refused it. In other programs the check measures resident memory each time.
//
// ```cpp
// const MemoryLimit limit(std::uint64_t{1} << 40);
// CHECK(MemoryLimit::allows());
// ```
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace elapid {

/// While a MemoryLimit lives, its thread may take memory until the process has `bytes`, and a
/// little more for reporting the findings. Other threads are not limited by it: each has a limit of
/// its own, or none. If limits nest, the smallest counts.
class MemoryLimit {
 public:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

  explicit MemoryLimit(std::uint64_t bytes);

  struct Lifted {};

  /// Lifts the enclosing limits.
  explicit MemoryLimit(Lifted);

  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit();

  /// The limit of this thread, to pass to threads that it starts; kNone if it has no limit.
  [[nodiscard]] static std::uint64_t of_thread();

  [[nodiscard]] static bool is_set() { return of_thread() != kNone; }

  /// Whether the limit of this thread allows so many bytes beyond the resident ones. If not, tries
  /// again after it gives free memory back to the system. For memory that bypasses the account, as
  /// by std::realloc. Takes microseconds.
  [[nodiscard]] static bool allows(std::size_t more = 0);

 private:
  std::uint64_t outer_limit_;
  std::uint64_t outer_past_account_;
};

namespace memory_account {

/// Bytes of this process in memory; 0 if the system does not tell. Takes microseconds.
[[nodiscard]] std::uint64_t resident();

// The books, for allocators:

/// Whether this thread may take so many more bytes. Cheap if they are few: the check looks at the
/// whole process only after some hundred kilobytes.
[[nodiscard]] bool may_take(std::size_t bytes);

void note_taken(std::size_t bytes);

void note_returned(std::size_t bytes);

}  // namespace memory_account

}  // namespace elapid
