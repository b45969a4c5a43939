// Writes an event as a line of EDN.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "engine/ir/history_builder.h"
#include "parsers/convert/fast_text.h"
#include "parsers/convert/plain_event_writer.h"

namespace elapid {

/// The part before the value.
struct EdnHead {
  std::int64_t index = 0;
  std::optional<std::int64_t> time = {};
  EventType type = EventType::kInvoke;
  std::int64_t process = 0;
  bool is_nemesis = false;  ///< `:nemesis` instead of a client's number
  std::string_view f = {};  ///< a form: `:txn`
};

/// Appends `{:index 0, :time 1, :type :ok, :process 2, :f :txn` in Jepsen's order of keys. The
/// value follows. A line ends with `}` and a newline.
void append_edn_head(const EdnHead& head, FastText& out);

/// Writes `history.edn` event by event.
[[nodiscard]] std::unique_ptr<PlainEventWriter> make_edn_event_writer(const EventStream& stream);

}  // namespace elapid
