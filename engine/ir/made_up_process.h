// Process numbers that a reader assigns to single operations without one, so that a completion
// finds its invocation.
//
//   {:type :invoke, :f :add, :value 1}   process -1000000000
//   {:type :invoke, :f :add, :value 2}   process -1000000001
#pragma once

#include <cstdint>

namespace elapid {

/// The first such number; the others are smaller. The builder's own numbers go from -1 downwards.
inline constexpr std::int64_t kFirstMadeUpProcess = -1'000'000'000;

/// Whether the session of this name is such a process, which the source does not name.
[[nodiscard]] constexpr bool is_made_up_process(std::int64_t session_name) {
  return session_name <= kFirstMadeUpProcess;
}

}  // namespace elapid
