// Writes histories event by event, in memory that does not grow: for formats in which an event, or
// a transaction, does not depend on later ones.
//
//   const auto writer = target.make_event_writer({.timestamps = false});
//   out << writer->begin();
//   while (source.next(event)) out << writer->write(event);  // then writer->end()
#pragma once

#include <memory>
#include <string_view>

#include "engine/ir/workload.h"
#include "parsers/convert/plain_event.h"

namespace elapid {

/// The properties of the events to come.
struct EventStream {
  Workload workload = Workload::kOther;
  bool timestamps = false;  ///< completions have them: written if the format has them
};

/// Each text lives until the next call.
class PlainEventWriter {
 public:
  PlainEventWriter() = default;
  PlainEventWriter(const PlainEventWriter&) = delete;
  PlainEventWriter& operator=(const PlainEventWriter&) = delete;
  virtual ~PlainEventWriter() = default;

  [[nodiscard]] virtual std::string_view begin() { return {}; }

  /// An event that the format does not have gives an empty text.
  [[nodiscard]] virtual std::string_view write(const PlainEvent& event) = 0;

  [[nodiscard]] virtual std::string_view end() { return {}; }
};

using MakePlainEventWriter = std::unique_ptr<PlainEventWriter> (*)(const EventStream& stream);

}  // namespace elapid
