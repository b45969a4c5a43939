// The checks of the service: the options that clients may set, by the table of `elapid check`, and
// how the program is run.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "adapter/http/checks/check_door.h"
#include "adapter/http/streams/stream_folder.h"

namespace elapid {

/// The most that one check may use; clients can only lower it.
struct CheckCeilings {
  std::chrono::milliseconds time{600000};
  std::uint64_t memory = std::uint64_t{1} << 30;
  std::uint64_t file = std::uint64_t{16} << 30;  ///< of an unpacked history that was compressed
  std::size_t threads = 1;
};

/// The command that watches a stream of the service.
[[nodiscard]] std::vector<std::string> served_watch(const http::WatchedStream& stream);

/// Prepares processes from which up to `jobs` checks at a time are forked. Further checks
/// start the program `elapid`, with the same results. Must be called before there are
/// threads.
[[nodiscard]] http::CheckDoor served_checks(const CheckCeilings& ceilings, std::size_t jobs);

}  // namespace elapid
