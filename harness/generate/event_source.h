// A history as a stream of its events.
//
// Sources can be nested: the injector of anomalies takes a source and returns its events, with
// further events between them. Simulated clients use keys below kForeignKeys and processes below
// kForeignProcesses. Their events and commits are at least kSmallestPause apart, so that there is
// room for others. The writer of the events numbers them.
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

  /// Makes the next event, without its index; false if there is none. What the event borrows is
  /// valid until the next call.
  virtual bool next(PlainEvent& event) = 0;
};

}  // namespace elapid
