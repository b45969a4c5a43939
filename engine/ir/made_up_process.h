// Processes that a reader makes up for single operations without one, so that a completion finds
// its invocation.
//
//   {:type :invoke, :f :add, :value 1}   process -1000000000
//   {:type :invoke, :f :add, :value 2}   process -1000000001
#pragma once

#include <cstdint>

namespace elapid {

/// The first; others are smaller. The builder makes up its own from -1 downwards.
inline constexpr std::int64_t kFirstMadeUpProcess = -1'000'000'000;

/// Whether the session of this name is such a process, which nothing in the source names.
[[nodiscard]] constexpr bool is_made_up_process(std::int64_t session_name) {
  return session_name <= kFirstMadeUpProcess;
}

}  // namespace elapid
