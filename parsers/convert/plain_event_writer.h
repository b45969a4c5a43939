// Histories written as their events come, in memory that does not grow: for formats in which an
// event, or a transaction, is written without knowing what comes after it.
//
//   const std::unique_ptr<PlainEventWriter> writer = target.make_event_writer({.timestamps =
//   false}); out << writer->begin(); while (source.next(event)) out << writer->write(event); out <<
//   writer->end();
#pragma once

#include <memory>
#include <string_view>

#include "engine/ir/workload.h"
#include "parsers/convert/plain_event.h"

namespace elapid {

/// What the events will be like.
struct EventStream {
  Workload workload = Workload::kOther;
  bool timestamps = false;  ///< completions tell them: to be written where the format has them
};

/// Each text lives until the next call.
class PlainEventWriter {
 public:
  PlainEventWriter() = default;
  PlainEventWriter(const PlainEventWriter&) = delete;
  PlainEventWriter& operator=(const PlainEventWriter&) = delete;
  virtual ~PlainEventWriter() = default;

  [[nodiscard]] virtual std::string_view begin() { return {}; }

  /// Events that the format does not tell of are empty texts.
  [[nodiscard]] virtual std::string_view write(const PlainEvent& event) = 0;

  [[nodiscard]] virtual std::string_view end() { return {}; }
};

using MakePlainEventWriter = std::unique_ptr<PlainEventWriter> (*)(const EventStream& stream);

}  // namespace elapid
