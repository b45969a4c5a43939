// A history as a stream of its events.
//
// Sources can be put around one another: what inserts anomalies takes a source and hands its events
// on, with further ones between them. Simulated clients use the keys below kForeignKeys and the
// processes below kForeignProcesses, and their events and commits are at least kSmallestPause
// apart, so that there is room for others; the writer of the events numbers them.
#pragma once

#include <cstdint>

#include "parsers/convert/plain_event.h"

namespace elapid {

inline constexpr std::int64_t kForeignKeys = 1'000'000'000;
inline constexpr std::int64_t kForeignProcesses = 1'000'000'000;
inline constexpr std::int64_t kSmallestPause = 1'000;  ///< ns

class EventSource {
 public:
  EventSource() = default;
  EventSource(const EventSource&) = delete;
  EventSource& operator=(const EventSource&) = delete;
  virtual ~EventSource() = default;

  /// Makes the next event, all but its index; false if there is none. What it borrows lives until
  /// the next call.
  virtual bool next(PlainEvent& event) = 0;
};

}  // namespace elapid
