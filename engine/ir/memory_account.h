// How much memory the process has taken, and whether a thread may take more.
//
// A program that gives all memory out through this account (adapter/cli/counted_memory.cc) keeps to
// a limit whatever its code does: an allocation beyond it fails as one that the system refuses,
// with std::bad_alloc. In other programs the memory that is resident counts, when it is asked for.
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

/// While one lives, its thread takes no more memory once the process has `bytes`, and a little
/// more, so that what was found can be told. Other threads go on: each has a limit of its own, if
/// any. Limits nest: the smallest counts.
class MemoryLimit {
 public:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

  explicit MemoryLimit(std::uint64_t bytes);

  struct Lifted {};

  /// Lifts the limits around it.
  explicit MemoryLimit(Lifted);

  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit();

  /// The limit of this thread; kNone if it has none. For threads that it starts.
  [[nodiscard]] static std::uint64_t of_thread();

  [[nodiscard]] static bool is_set() { return of_thread() != kNone; }

  /// Whether the limit of this thread allows so many bytes beyond what is resident, if need be
  /// after free memory was given back to the system. For memory that is taken past the account, as
  /// by std::realloc. Takes microseconds.
  [[nodiscard]] static bool allows(std::size_t more = 0);

 private:
  std::uint64_t outer_limit_;
  std::uint64_t outer_past_account_;
};

namespace memory_account {

/// Bytes of this process in memory; 0 where the system does not tell. Takes microseconds.
[[nodiscard]] std::uint64_t resident();

// The books, for what gives memory out:

/// Whether this thread may have so many bytes more. Cheap where they are few: the process is asked
/// about after some hundred kilobytes only.
[[nodiscard]] bool may_take(std::size_t bytes);

void note_taken(std::size_t bytes);

void note_returned(std::size_t bytes);

}  // namespace memory_account

}  // namespace elapid
